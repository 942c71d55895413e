import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Download, Page } from 'playwright-core';
import {
  accessibilityFindingsInBothSchemes,
  clipboardWith,
  describeInBrowser,
  filterBy,
  useDashboard,
  timePassesUntil,
  waitForCount,
  type Visitor,
} from './support/dashboard.js';

const run = promisify(execFile);

describeInBrowser('Keys and traffic in the dashboard', () => {
  const dashboard = useDashboard();

  /** Creates a key in the dialog and leaves it open. */
  async function createKey(page: Page, name: string, preset: string): Promise<string> {
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByRole('button', { name: preset, exact: true }).click();
    await dialog.getByRole('button', { name: 'Create key', exact: true }).click();
    return page.getByRole('textbox', { name: 'API key' }).inputValue();
  }

  const shell = async (command: string) =>
    JSON.parse((await run('bash', ['-c', command.replace(/^curl /, 'curl --silent ')])).stdout) as {
      success: boolean;
      meta: { requestId: string };
    };

  /** Sends a request as this visitor to the dashboard's API. */
  async function asPerson(visitor: Visitor, method: string, path: string, data?: object) {
    const response = await visitor.context.request.fetch(
      `${dashboard.app.origin}/dashboard/api${path}`,
      {
        method,
        headers: { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' },
        ...(data && { data }),
      },
    );
    return (await response.json()) as { data: Record<string, string> };
  }

  /** Sends a request with a key to the API. */
  async function asKey(key: string, path: string, data?: object) {
    const response = await fetch(`${dashboard.app.origin}${path}`, {
      method: data ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(data && { body: JSON.stringify(data) }),
    });
    return {
      status: response.status,
      body: (await response.json()) as { meta: { requestId: string } },
    };
  }

  const textOf = async (download: Download) => readFile(await download.path(), 'utf8');

  it('Keys and traffic in the dashboard lead a new user from the first step to a request that appears in the log and the usage', async () => {
    const { page, context, open } = await dashboard.visitor();
    await context.clock.install();
    await open('overview');
    const steps = page.getByRole('list', { name: 'First steps' });
    await steps.getByText('Create a key').waitFor();
    await waitForCount(steps.getByRole('listitem'), 7);
    await page.getByText(/^No requests or deliveries in the last 24 hours/).waitFor();
    await steps.getByRole('link', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name', { exact: true }).fill('Laptop');
    await dialog.getByRole('checkbox', { name: '*', exact: true }).check();
    await dialog.getByText('This key has full access').waitFor();
    await dialog.getByRole('button', { name: 'Read and write' }).click();
    await dialog.getByRole('checkbox', { name: 'documents:write', checked: true }).waitFor();
    await dialog.getByRole('checkbox', { name: '*', exact: true, checked: false }).waitFor();
    await dialog.getByRole('button', { name: 'Create key', exact: true }).click();
    await page.getByRole('button', { name: 'Copy curl' }).click();
    const { success, meta } = await shell(await clipboardWith(page, 'curl '));
    expect(success).toBe(true);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Overview' })
      .click();
    await timePassesUntil(context, () => steps.getByText('Send a request (done)').isVisible());
    const minute = page.getByRole('meter', { name: 'Requests this minute' });
    const one = minute.and(page.locator('[aria-valuenow="1"]'));
    await timePassesUntil(context, () => one.isVisible());
    await waitForCount(page.getByText(/^Resets in [\d:]+$/), 3);
    const chart = page.getByRole('figure', { name: 'Requests by status, last 24 hours' });
    await chart.getByText('Show table').click();
    await chart.getByRole('link', { name: '2xx 1' }).waitFor();
    // This hour or the previous one.
    const newest = chart.getByRole('table').locator('tbody tr:nth-child(-n+2) td:nth-child(2)');
    await newest.and(page.getByText('1', { exact: true })).waitFor();
    await page.getByRole('tab', { name: '30 days' }).click();
    await page.waitForURL(/\?range=30d$/);
    await page.getByRole('link', { name: '2xx 1' }).click();
    await page
      .getByRole('table', { name: 'Requests', exact: true })
      .getByRole('link', { name: 'POST /v1/documents' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Request' }).waitFor();
    await page.waitForURL(new RegExp(meta.requestId));
    await page.goBack();
    await page.waitForURL(/\/requests\?/);
    await page.goBack();
    await page.waitForURL(/overview\?range=30d$/);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await steps.waitFor({ state: 'detached' });
    const responded = page.waitForResponse(/\/first-steps$/);
    await page.reload();
    await (await responded).finished();
    await minute.waitFor();
    await waitForCount(steps, 0);
  });

  it('Keys and traffic in the dashboard ask before an uncopied key is lost', async () => {
    const { page, open } = await dashboard.visitor();
    await open('overview');
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    const key = await createKey(page, 'Shown once', 'Read only');
    expect(key).toMatch(/^ds_live_/);
    const shown = page.getByRole('dialog', { name: 'Key created' });
    const asked = shown.getByRole('alert');
    const stay = shown.getByRole('button', { name: 'Stay' });
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => shown.getByRole('button', { name: 'Close' }).click(),
      () => shown.getByRole('button', { name: 'Done' }).click(),
      () => page.evaluate('history.back()'),
    ]) {
      await leave();
      await asked.waitFor();
      await stay.click();
      await asked.waitFor({ state: 'detached' });
    }
    expect(await page.getByRole('textbox', { name: 'API key' }).inputValue()).toBe(key);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    const question = page.waitForEvent('dialog');
    // What is dismissed loads nothing: `page.reload` would wait in vain.
    await page.evaluate('setTimeout(() => location.reload())');
    await (await question).dismiss();
    await shown.getByRole('button', { name: 'Copy key' }).click();
    expect(await clipboardWith(page, key)).toBe(key);
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(key);
  });

  it('Keys and traffic in the dashboard rotate and revoke keys, which then appear among the inactive ones', async () => {
    const { page, open } = await dashboard.visitor();
    await open('keys');
    const first = await createKey(page, 'Build', 'Everything');
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Actions for Build' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    const rotate = page.getByRole('dialog', { name: 'Rotate' });
    await rotate.getByRole('radio', { name: /^None/ }).check();
    await rotate.getByRole('button', { name: 'Rotate' }).click();
    const second = await page.getByRole('textbox', { name: 'API key' }).inputValue();
    expect(second).not.toBe(first);
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    const usage = (key: string) => asKey(key, '/v1/usage');
    expect((await usage(first)).status).toBe(401);
    expect((await usage(second)).status).toBe(200);

    await page.reload();
    await page.getByRole('link', { name: 'Build', exact: true }).click();
    const panel = page.getByRole('dialog', { name: 'Build' });
    await panel.getByText('Everything, including scopes added later').waitFor();
    await page.waitForURL(/\?open=key_/);
    await page.goBack();
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for Build' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    const revoke = page.getByRole('dialog', { name: 'Revoke' });
    await revoke.getByText(/Last used (just now|\d+ minutes? ago)/).waitFor();
    await revoke.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('status').filter({ hasText: 'Build revoked.' }).waitFor();
    expect((await usage(second)).status).toBe(401);
    await page.getByText('No API keys yet.').waitFor();
    await page.getByRole('tab', { name: 'Inactive' }).click();
    await page.waitForURL(/\?tab=ended$/);
    const table = page.getByRole('table', { name: 'API keys' });
    await waitForCount(table.getByRole('cell', { name: 'revoked' }), 2);
  });

  it('Keys and traffic in the dashboard are read page by page, and a key on another page opens by its address', async () => {
    const visitor = await dashboard.visitor('Kim Keys', 'enterprise');
    const { page, open, accountId } = visitor;
    const keys = `/accounts/${accountId}/v1/keys`;
    const make = async (name: string) =>
      (await asPerson(visitor, 'POST', keys, { name, scopes: ['usage:read'] })).data.id ?? '';
    const oldest = await make('Oldest');
    const revoked = await make('Revoked');
    await asPerson(visitor, 'DELETE', `${keys}/${revoked}`);
    for (let number = 1; number <= 26; number += 1) await make(`Key ${String(number)}`);
    const lists: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.endsWith('/v1/keys')) lists.push(search);
    });
    await open('keys');
    await page.getByText('1 to 25 of 27').waitFor();
    expect(lists).toEqual(['?status=active&kind=key&page=1&limit=25']);
    const table = page.getByRole('table', { name: 'API keys' });
    await waitForCount(table.getByRole('row'), 26);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('26 to 27 of 27').waitFor();
    await table.getByRole('link', { name: 'Oldest' }).waitFor();
    await page.getByRole('tab', { name: 'Inactive' }).click();
    await page.getByText('1 to 1 of 1').waitFor();
    await table.getByRole('link', { name: 'Revoked' }).waitFor();

    await open(`keys?open=${oldest}`);
    const panel = page.getByRole('dialog', { name: 'Oldest' });
    await panel.getByRole('button', { name: 'Edit key' }).click();
    await page.getByRole('dialog', { name: 'Edit key' }).getByLabel('Name').fill('First');
    await page
      .getByRole('dialog', { name: 'Edit key' })
      .getByRole('button', { name: 'Save' })
      .click();
    await page.getByRole('dialog', { name: 'First' }).getByText(oldest).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await open('keys?open=key_01kam3k0v5e0rbk1y2c9q4w7zt');
    await page.getByRole('dialog', { name: 'API key' }).getByText('Not found').waitFor();
  });

  it('Keys and traffic in the dashboard change the name, scopes, expiry and addresses of a key, effective from its next request', async () => {
    const { page, open } = await dashboard.visitor();
    await open('keys');
    const key = await createKey(page, 'Build', 'Everything');
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Actions for Build' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit key' });
    await edit.getByLabel('Name').fill('Reader');
    await edit.getByRole('button', { name: 'Read only' }).click();
    await edit.getByLabel('Expires').fill('2099-01-31T12:00');
    await edit.getByLabel('Allowed addresses').fill('192.0.2.0/99');
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit
      .getByText(/is not an address or CIDR/)
      .first()
      .waitFor();
    await edit.getByLabel('Allowed addresses').fill('127.0.0.1\n192.0.2.0/24');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Reader', exact: true }).click();
    const panel = page.getByRole('dialog', { name: 'Reader' });
    await panel.getByText('192.0.2.0/24').waitFor();
    await panel.getByTitle(/2099/).waitFor();
    expect((await asKey(key, '/v1/usage')).status).toBe(200);
    const refused = await asKey(key, '/v1/documents', { title: 'Not any more' });
    expect(refused.status).toBe(403);

    // Removed scopes cannot be added again, and the page says so before the service does.
    await panel.getByRole('button', { name: 'Edit' }).click();
    const everything = edit.getByRole('button', { name: 'Everything', disabled: true });
    await everything.and(page.getByTitle("Scopes can't be added")).waitFor();
  });

  it('Keys and traffic in the dashboard find a refused request, say what was wrong, and export it as curl without key and body', async () => {
    const visitor = await dashboard.visitor();
    const { page, open } = visitor;
    const { data: made } = await asPerson(
      visitor,
      'POST',
      `/accounts/${visitor.accountId}/v1/keys`,
      {
        name: 'Broken build',
        scopes: ['*'],
      },
    );
    const created = await asKey(made.key ?? '', '/v1/documents', { title: 'Told' });
    await asKey(made.key ?? '', '/v1/documents', { titel: "it's", tags: 7 });
    await page.clock.install();
    await open('requests');
    await page.getByRole('figure', { name: 'Requests per minute' }).waitFor();
    await filterBy(page, 'Status', '4xx: client error, including 429');
    await filterBy(page, 'Key', `Broken build (…${String(made.lastFour)})`);
    await page.waitForURL(/status=4xx&keyId=key_/);
    const table = page.getByRole('table', { name: 'Requests', exact: true });
    const refusal = table.getByRole('row').nth(1).getByText('400');
    await timePassesUntil(visitor.context, () => refusal.isVisible());
    // The header row and the refused request, without the successful one.
    await waitForCount(table.getByRole('row'), 2);
    await page
      .getByRole('button', { name: 'Status: 4xx: client error, including 429, remove' })
      .click();
    await waitForCount(table.getByRole('row'), 3);
    const preset = page.getByRole('button', { name: 'Errors', exact: true });
    await preset.click();
    await preset.and(page.locator('[aria-pressed=true]')).waitFor();
    await waitForCount(table.getByRole('row'), 2);
    await page.getByRole('button', { name: 'Time', exact: true }).click();
    await page.getByRole('button', { name: 'Last hour' }).click();
    await page.getByRole('button', { name: /^Time: since \d+ .*, remove$/ }).waitFor();
    await page.waitForURL(/since=20/);
    const drawing = page.getByRole('img', { name: 'Requests per minute, last hour (chart)' });
    await timePassesUntil(visitor.context, () => drawing.isVisible());
    expect((await drawing.boundingBox())?.height).toBe(48);
    const labels = page.getByRole('figure').locator('[aria-hidden] > span');
    expect((await labels.allInnerTexts()).join(' ')).toMatch(/^\d+ \w{3}, .*\d\d:\d\d.* Now$/);
    await drawing.hover({ position: { x: 3, y: 10 } });
    await page
      .getByRole('figure')
      .getByText(/^\w{3},? \d+ \w{3,4}.* \d\d:\d\d$/)
      .waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.reload();
    await table.getByRole('link', { name: 'POST /v1/documents' }).click();
    const problems = page.getByRole('list', { name: 'Problems' });
    await problems.getByText("is not a known field; did you mean 'title'?").waitFor();
    await page.getByText('No changes in the audit log.').waitFor();
    await page.getByRole('button', { name: 'Send again as curl' }).click();
    const sent = `curl -X POST '${dashboard.app.origin}/v1/documents'`;
    const curl = await clipboardWith(page, sent);
    expect(curl).toContain('Bearer $API_KEY');
    expect(curl).not.toContain(made.key ?? '');

    await open('requests');
    await page.getByLabel('Request ID').fill(created.body.meta.requestId);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Request', exact: true }).waitFor();
    await page.getByRole('table', { name: 'Audit entries' }).getByText('document.create').waitFor();
    await page.getByRole('table', { name: 'Events' }).getByText('document.created').waitFor();
    await open('requests/req_01kam3k0v5e0rbk1y2c9q4w7zt');
    await page.getByText('There is no such request in the log.').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
  });

  it('Keys and traffic in the dashboard lead from an error in the dashboard to its request, which is found by its ID and by its source', async () => {
    const visitor = await dashboard.visitor();
    const { page, open } = visitor;
    await open('templates/tmpl_01kam3k0v5e0rbk1y2c9q4w7zt');
    const alert = page.getByRole('alert');
    const link = alert.getByRole('link', { name: /^req_/ });
    const requestId = await link.innerText();
    await alert.getByRole('button', { name: 'Copy request ID' }).click();
    expect(await clipboardWith(page, requestId)).toBe(requestId);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await link.click();
    await page
      .getByRole('region', { name: 'GET /v1/templates/tmpl_01kam3k0v5e0rbk1y2c9q4w7zt' })
      .getByText('Dashboard')
      .waitFor();

    await open('requests');
    await filterBy(page, 'Source', 'Dashboard, failed requests only');
    const table = page.getByRole('table', { name: 'Requests', exact: true });
    await table.getByRole('link', { name: /GET \/v1\/templates\/tmpl_/ }).waitFor();
    await filterBy(page, 'Source', 'API keys');
    await page.getByText('No requests match these filters.').waitFor();
    await page.getByLabel('Request ID').fill(requestId);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Error' }).getByText('NOT_FOUND').waitFor();
  });

  it('Keys and traffic in the dashboard filter the audit log, and save all matches without a formula in them', async () => {
    const visitor = await dashboard.visitor('=HYPERLINK("http://evil.example")', 'enterprise');
    const { page, open, accountId } = visitor;
    for (let number = 0; number < 30; number += 1) {
      await asPerson(visitor, 'POST', `/accounts/${accountId}/v1/templates`, {
        name: `Template ${String(number)}`,
        content: 'Hello',
      });
    }
    await open('audit');
    await filterBy(page, 'Type', 'Template');
    await page.waitForURL(/resourceType=template/);
    await page.getByText('1 to 25 of 30').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const lines = (await textOf(await saved)).trimEnd().split('\r\n');
    expect(lines).toHaveLength(31);
    for (const line of lines.slice(1)) expect(line).toContain(`,"'=HYPERLINK(""http`);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('26 to 30 of 30').waitFor();
    await page.getByRole('link', { name: 'template.create' }).first().click();
    const entry = page.getByRole('dialog', { name: 'template.create' });
    await entry.getByText('None (dashboard)').waitFor();
    await page.waitForURL(/page=2&open=aud_/);
  });

  it('Keys and traffic in the dashboard export an account as a file, and create another account from it', async () => {
    const visitor = await dashboard.visitor();
    await asPerson(visitor, 'POST', `/accounts/${visitor.accountId}/v1/documents`, {
      title: 'Moved',
      content: 'Hello',
    });
    await visitor.context.clock.install();
    await visitor.open('jobs');
    await visitor.page.getByRole('button', { name: 'Export account' }).first().click();
    const dialog = visitor.page.getByRole('dialog', { name: 'Export account' });
    await dialog.getByRole('button', { name: 'Export account' }).click();
    const saved = visitor.page.waitForEvent('download');
    const result = visitor.page.getByRole('link', { name: /^Download result/ });
    await timePassesUntil(visitor.context, () => result.isVisible());
    await result.click();
    const file = await saved;

    const { page, context, open } = await dashboard.visitor();
    await context.clock.install();
    await open('jobs');
    await page.getByRole('button', { name: 'Import account' }).click();
    const importing = page.getByRole('dialog', { name: 'Import account' });
    await importing.getByLabel('File').setInputFiles(await file.path());
    await importing.getByRole('button', { name: 'Import account' }).click();
    const table = page.getByRole('table', { name: 'Jobs' });
    await table.getByText('account.import').waitFor();
    await timePassesUntil(context, () => table.getByText('succeeded').isVisible());
    await table.getByRole('link', { name: 'account.import' }).click();
    await page.getByRole('dialog', { name: 'account.import' }).getByText('Finished').waitFor();
  });

  it('Keys and traffic in the dashboard say which roles can see keys and the audit log to someone who cannot', async () => {
    const owner = await dashboard.visitor();
    const viewer = await dashboard.visitor();
    const { data: invitation } = await asPerson(
      owner,
      'POST',
      `/accounts/${owner.accountId}/invitations`,
      { email: viewer.email, role: 'viewer' },
    );
    await asPerson(viewer, 'POST', '/links/use', { token: invitation.link?.split('#')[1] });
    const { page } = viewer;
    const open = async (path: string) => {
      await page.goto(`${dashboard.app.origin}/dashboard/${owner.accountId}/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    };
    await open('keys');
    await page.getByRole('alert').getByText("You don't have access").waitFor();
    await page.getByText(/Required role: .*admin/).waitFor();
    await page.getByRole('button', { name: 'Create key', disabled: true }).waitFor();
    await open('audit');
    await page.getByRole('alert').getByText("You don't have access").waitFor();
    await open('jobs');
    await page.getByRole('button', { name: 'Export account', disabled: true }).first().waitFor();
    await open('overview');
    await page.getByRole('meter', { name: 'Documents' }).waitFor();
    await open('settings');
    await page.getByRole('table', { name: 'Plans' }).getByText('Your plan').waitFor();
    await open('requests');
    // The refused requests of this person.
    const table = page.getByRole('table', { name: 'Requests', exact: true });
    await table.getByText('403').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
