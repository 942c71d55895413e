import { createHash, randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  describeInBrowser,
  useDashboard,
  type Visitor,
} from './support/dashboard.js';

const PHONE = { width: 375, height: 700 };
const WRITES = 'Create and change documents and move them to the trash, without asking';

/** A program that asks for access, as an MCP client does. */
interface App {
  clientId: string;
  redirectUri: string;
  verifier: string;
}

describeInBrowser('The consent page', () => {
  const dashboard = useDashboard();
  const origin = () => dashboard.app.origin;

  const post = (path: string, body: Record<string, unknown> | URLSearchParams) =>
    fetch(`${origin()}${path}`, {
      method: 'POST',
      ...(body instanceof URLSearchParams
        ? { body }
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });

  /** Registers an app. Its address is on this service, because the test's browser may open no other. */
  async function registered(
    name = 'Test client',
    redirectUri = `${origin()}/callback`,
  ): Promise<App> {
    const body = { client_name: name, redirect_uris: [redirectUri] };
    const response = await post('/oauth/register', body);
    const { client_id: clientId } = (await response.json()) as { client_id: string };
    return { clientId, redirectUri, verifier: randomBytes(32).toString('base64url') };
  }

  /** Returns the address that the app opens. Undefined removes a parameter. */
  function consentUrl(app: App, changes: Record<string, string | undefined> = {}): string {
    const url = new URL(`${origin()}/dashboard/authorize`);
    const parameters: Record<string, string | undefined> = {
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: app.redirectUri,
      code_challenge: createHash('sha256').update(app.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'a b&c',
      ...changes,
    };
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return url.href;
  }

  const asks = (page: Page, name = 'Test client') =>
    page.getByRole('heading', { level: 1, name: `${name} asks for access` }).waitFor();

  /** Waits until the browser is back at the app, and returns what it got. */
  async function answer(page: Page): Promise<URLSearchParams> {
    await page.waitForURL(`${origin()}/callback?**`);
    return new URL(page.url()).searchParams;
  }

  async function token(app: App, code: string): Promise<{ access_token: string; scope: string }> {
    const response = await post(
      '/oauth/token',
      new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: app.clientId,
        redirect_uri: app.redirectUri,
        code_verifier: app.verifier,
        code,
      }),
    );
    expect(response.status).toBe(200);
    return (await response.json()) as { access_token: string; scope: string };
  }

  const asApp = (accessToken: string, path: string, init: RequestInit = {}) =>
    fetch(`${origin()}/v1/${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    });

  /** Makes a person a member of the account of another. */
  const join = (person: Visitor, host: Visitor, role: string) =>
    dashboard.app.dataSource.query(
      `INSERT INTO members (account_id, user_id, role, created_at)
       SELECT $1, user_id, $3, now() FROM members WHERE account_id = $2`,
      [decodeId('account', host.accountId), decodeId('account', person.accountId), role],
    );

  it('The consent page asks people to sign in, connects the app with what they ticked, and the Keys page disconnects it', async () => {
    const app = await registered();
    const { email, password } = await dashboard.visitor('Connie Consent');
    const page = await dashboard.stranger();
    await page.setViewportSize(PHONE);
    await page.goto(consentUrl(app));
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    await asks(page);
    await page.getByText('Unverified', { exact: true }).waitFor();
    await page.getByText('Only continue if you started this on this computer.').waitFor();
    const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
    expect(await box('Read documents and their history').isChecked()).toBe(true);
    expect(await box('Propose changes, which a person accepts or rejects').isChecked()).toBe(true);
    expect(await box(WRITES).isVisible()).toBe(false);
    await page.getByText('Allow more').click();
    expect(await page.getByRole('checkbox', { name: /key|webhook|audit/i }).count()).toBe(0);
    await box(WRITES).check();
    await page.getByLabel('Access ends').selectOption('In 30 days');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();

    const got = await answer(page);
    expect(got.get('state')).toBe('a b&c');
    expect(got.get('iss')).toBe(origin());
    const { access_token: accessToken, scope } = await token(app, got.get('code') ?? '');
    expect(scope.split(' ').sort()).toEqual([
      'documents:read',
      'documents:suggest',
      'documents:write',
    ]);
    const body = JSON.stringify({ title: 'By an app', content: 'Text.' });
    expect((await asApp(accessToken, 'documents', { method: 'POST', body })).status).toBe(201);
    expect((await asApp(accessToken, 'keys')).status).toBe(403);

    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${origin()}/dashboard/keys`);
    await page.getByRole('tab', { name: 'Connected apps' }).click();
    const table = page.getByRole('table', { name: 'Connected apps' });
    await table.getByRole('row', { name: /Test client.*Unverified.*Connie Consent/ }).waitFor();
    await table.getByRole('link', { name: 'Test client' }).click();
    const panel = page.getByRole('dialog', { name: 'Test client' });
    await panel.getByRole('button', { name: 'Disconnect' }).click();
    const question = page.getByRole('dialog', { name: 'Disconnect' });
    await question.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await page.getByRole('status').getByText('Test client disconnected.').waitFor();
    expect((await asApp(accessToken, 'documents')).status).toBe(401);
  });

  it('The consent page asks each time, and Cancel tells the app that access was denied', async () => {
    const app = await registered('Editor');
    const { page } = await dashboard.visitor();
    await page.goto(consentUrl(app));
    await asks(page, 'Editor');
    await page.getByRole('button', { name: 'Allow', exact: true }).press('Enter');
    await answer(page);
    await page.goto(consentUrl(app));
    await asks(page, 'Editor');
    await page.getByRole('link', { name: 'Cancel' }).click();
    const got = await answer(page);
    expect(got.get('error')).toBe('access_denied');
    expect(got.get('state')).toBe('a b&c');
    expect(got.has('code')).toBe(false);
  });

  it('The consent page says what is wrong with a request, and never opens a wrong address', async () => {
    const app = await registered();
    const { page } = await dashboard.visitor();
    for (const [changes, words] of [
      [{ redirect_uri: `${origin()}/other` }, 'not one of those that the app has registered'],
      [{ redirect_uri: 'javascript:alert(1)' }, 'redirect_uri'],
      [{ client_id: 'dyn.nonsense' }, 'client_id is not one that this service knows'],
    ] as const) {
      await page.goto(consentUrl(app, changes));
      await page.getByRole('heading', { level: 1, name: "This app can't connect" }).waitFor();
      await page.getByRole('alert').getByText(words).waitFor();
      expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
      expect(new URL(page.url()).pathname).toBe('/dashboard/authorize');
    }
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    const { headers } = await fetch(consentUrl(app));
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('The consent page reports what is wrong with a request to an app on this computer, and links to others', async () => {
    const { page } = await dashboard.visitor();
    const local = await registered();
    await page.goto(consentUrl(local, { code_challenge_method: 'plain' }));
    const got = await answer(page);
    expect(Object.fromEntries(got)).toEqual({
      error: 'invalid_request',
      error_description: 'code_challenge_method is not S256',
      state: 'a b&c',
      iss: origin(),
    });

    const elsewhere = await registered('Elsewhere', 'https://app.example.com/callback');
    await page.goto(consentUrl(elsewhere, { resource: 'https://other.example.com' }));
    await page.getByRole('alert').getByText('resource is not an address').waitFor();
    const link = page.getByRole('link', { name: 'Return to the app' });
    const target = new URL((await link.getAttribute('href')) ?? '');
    expect(target.origin).toBe('https://app.example.com');
    expect(target.searchParams.get('error')).toBe('invalid_target');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
  });

  it('The consent page never gives an app more than the role of the person in the chosen account', async () => {
    const [host, guest] = [
      await dashboard.visitor('Hilda Host'),
      await dashboard.visitor('Gus Guest'),
    ];
    await join(guest, host, 'viewer');
    const app = await registered();
    const { page } = guest;
    await page.goto(consentUrl(app, { scope: 'documents:read documents:write' }));
    await asks(page);
    const write = page.getByRole('checkbox', { name: WRITES, exact: true });
    expect(await write.isChecked()).toBe(true);
    await page.getByLabel('Account', { exact: true }).selectOption(host.accountId);
    await page.getByText("Your role (viewer) doesn't include this.").first().waitFor();
    expect(await write.isDisabled()).toBe(true);
    expect(await write.isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    const { access_token: accessToken, scope } = await token(
      app,
      (await answer(page)).get('code') ?? '',
    );
    expect(scope).toBe('documents:read');
    expect((await asApp(accessToken, 'documents')).status).toBe(200);

    // A viewer cannot see keys, but can disconnect their own apps.
    await page.goto(`${origin()}/dashboard/profile`);
    const own = page.getByRole('table', { name: 'Connected apps' });
    await own.getByRole('row', { name: /Test client.*Hilda Host/ }).waitFor();
    await own.getByRole('button', { name: 'Disconnect Test client' }).click();
    const question = page.getByRole('dialog', { name: 'Disconnect' });
    await question.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await page.getByText('You have connected no apps.').waitFor();
    expect((await asApp(accessToken, 'documents')).status).toBe(401);
  });

  it('The consent page limits an app to the folders that the person chooses', async () => {
    const { page, context, accountId } = await dashboard.visitor('Fay Folder', 'enterprise');
    const create = async (path: string, data: object): Promise<string> => {
      const response = await context.request.post(
        `${origin()}/dashboard/api/accounts/${accountId}/v1/${path}`,
        { data, headers: { Origin: origin(), 'X-Dashboard-Request': '1' } },
      );
      expect(response.status()).toBe(201);
      return ((await response.json()) as { data: { id: string } }).data.id;
    };
    const notes = await create('collections', { name: 'Notes' });
    await create('collections', { name: 'HR' });
    await create('documents', { title: 'Minutes', content: 'x', collectionId: notes });
    await create('documents', { title: 'Ideas', content: 'x' });
    const app = await registered();
    await page.setViewportSize(PHONE);
    await page.goto(consentUrl(app));
    await asks(page);
    await page.getByRole('radio', { name: 'Only these' }).check();
    await page.getByText('Choose at least one folder.').waitFor();
    const allow = page.getByRole('button', { name: 'Allow', exact: true });
    expect(await allow.isDisabled()).toBe(true);
    await page.getByRole('treeitem', { name: 'Notes' }).click();
    await page.getByText('Chosen: Notes.').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await allow.click();
    const { access_token: accessToken } = await token(app, (await answer(page)).get('code') ?? '');
    const list = await asApp(accessToken, 'documents');
    const { data } = (await list.json()) as { data: { title: string }[] };
    expect(data.map(({ title }) => title)).toEqual(['Minutes']);

    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${origin()}/dashboard/keys`);
    await page.getByRole('tab', { name: 'Connected apps' }).click();
    await page.getByRole('link', { name: 'Test client' }).click();
    const panel = page.getByRole('dialog', { name: 'Test client' });
    await panel.getByText('Only Notes').waitFor();
  });

  it('The consent page follows the setting of the account, which an owner changes', async () => {
    const [host, guest] = [await dashboard.visitor('Otis Owner'), await dashboard.visitor()];
    await join(guest, host, 'member');
    const app = await registered();
    await guest.page.goto(consentUrl(app));
    const account = guest.page.getByLabel('Account', { exact: true });
    await account.selectOption(host.accountId);
    await guest.page.getByRole('button', { name: 'Allow', exact: true, disabled: false }).click();
    const { access_token: accessToken } = await token(
      app,
      (await answer(guest.page)).get('code') ?? '',
    );

    await host.open('settings');
    await host.page.getByRole('radio', { name: 'Owners and admins' }).check();
    await host.page.getByRole('button', { name: 'Save connected apps' }).click();
    await host.page.getByRole('status').getByText('Saved').waitFor();
    await eventually(
      () => asApp(accessToken, 'documents'),
      ({ status }) => status === 401 || status === 403,
    );
    await guest.page.goto(consentUrl(app));
    await account.selectOption(host.accountId);
    await guest.page
      .getByRole('alert')
      .getByText('Only owners and admins of this account can connect apps.')
      .waitFor();
    // Another account may allow it.
    await account.selectOption(guest.accountId);
    await asks(guest.page);
  });
});
