import type { Page } from 'playwright-core';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  describeInBrowser,
  editorReady,
  openInApp,
  useDashboard,
  waitForCount,
  type Visitor,
} from './support/dashboard.js';

const PHONE = { width: 375, height: 700 };
const DESKTOP = { width: 1_280, height: 800 };

interface Row {
  id: string;
  [field: string]: unknown;
}

/** Sends a request to `/v1`. */
type Api = (method: string, path: string, data?: unknown) => Promise<Row>;

describeInBrowser('Publishing in the dashboard', () => {
  const dashboard = useDashboard();

  /** Sends requests to `/v1` with the session of a person. */
  const apiOf =
    ({ context, accountId }: Visitor): Api =>
    async (method, path, data) => {
      const { origin } = dashboard.app;
      const url = `${origin}/dashboard/api/accounts/${accountId}/v1/${path}`;
      const headers = { Origin: origin, 'X-Dashboard-Request': '1' };
      const response = await context.request.fetch(url, { method, headers, data });
      if (!response.ok()) throw new Error(`${method} ${path}: ${await response.text()}`);
      return ((await response.json()) as { data: Row }).data;
    };

  /** Somebody whose account publishes, and a website that reads it. */
  const publisher = async () => {
    const owner = await dashboard.visitor('Paula Publisher', 'enterprise');
    const api = apiOf(owner);
    await api('PUT', 'publishing', { enabled: true });
    const { key } = await api('POST', 'keys', {
      name: 'Website',
      scopes: ['documents:read_published'],
    });
    return { ...owner, api, ...websiteWith(String(key)) };
  };

  /** Reads documents with a key. */
  const websiteWith = (key: string) => {
    const get = (id: string) =>
      fetch(`${dashboard.app.origin}/v1/documents/${id}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
    return {
      statusFor: async (id: string) => (await get(id)).status,
      textFor: async (id: string) =>
        ((await (await get(id)).json()) as { data?: { content: string } }).data?.content,
    };
  };

  const create = (api: Api, title: string) =>
    api('POST', 'documents', { title, content: 'First text.' });
  /** Creates a document whose version 2 is published. */
  const createPublished = async (api: Api, title: string) => {
    const { id } = await create(api, title);
    return api('PATCH', `documents/${id}`, { status: 'published' });
  };
  /** Creates a document whose version 2 is published, with another text in version 3. */
  const createChanged = async (api: Api, title: string) => {
    const { id } = await createPublished(api, title);
    return api('PATCH', `documents/${id}`, { content: 'Second text.' });
  };
  const openDocument = async ({ page, open }: Visitor, { id }: Row) => {
    await open(`documents/${id}`);
    await editorReady(page);
  };
  const status = (page: Page, name: string) =>
    page.getByRole('button', { name: `Status: ${name}`, exact: true });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
  const choose = async (page: Page, name: string) => {
    await button(page, 'Actions for this document').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  /** Chooses an item of the menu of the document, and confirms. */
  const confirm = async (page: Page, name: string) => {
    await choose(page, name);
    await dialogOf(page, name).getByRole('button', { name, exact: true }).click();
    await dialogOf(page, name).waitFor({ state: 'detached' });
  };
  const content = (page: Page) => page.getByLabel('Content');
  /** Adds words at the end of a line. */
  const typeAfter = async (page: Page, line: string, words: string) => {
    await content(page).getByText(line, { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(words);
  };
  const widthOf = (page: Page) => page.evaluate<number>('document.scrollingElement.scrollWidth');
  const focused = (page: Page) =>
    page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")');

  it('what is typed is saved and published at once, and readers get later changes only when they are published', async () => {
    const owner = await publisher();
    const { page, api, textFor, statusFor } = owner;
    const document = await create(api, 'Opening hours');
    await openDocument(owner, document);
    await status(page, 'Draft').waitFor();
    expect(await statusFor(document.id)).toBe(404);

    await typeAfter(page, 'First text.', ' Typed.');
    await button(page, 'Publish').press('Enter');
    await page.getByRole('status').getByText('Published. Readers get this version.').waitFor();
    expect(await textFor(document.id)).toBe('First text. Typed.');
    // The button has gone, so the focus is on the new status.
    await eventually(
      () => focused(page),
      (name) => name === 'Status: Published',
    );
    await waitForCount(button(page, 'Publish'), 0);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);

    await typeAfter(page, 'First text. Typed.', ' More.');
    // Before the text is saved.
    await status(page, 'Published · unpublished changes').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('status', { name: 'Saving' }).getByText('Saved').waitFor();
    await eventually(
      () => api('GET', `documents/${document.id}`),
      (stored) => stored['content'] === 'First text. Typed. More.',
    );
    await page.reload();
    await editorReady(page);
    await status(page, 'Published · unpublished changes').waitFor();
    expect(await textFor(document.id)).toBe('First text. Typed.');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);

    await choose(page, 'Compare with published');
    await page.getByRole('heading', { name: /^Published version \d+ → \d+$/ }).waitFor();
    const formatted = page.getByRole('region', { name: 'Formatted text' });
    await formatted.locator('ins', { hasText: 'More.' }).waitFor();
    await page.goBack();
    await button(page, 'Publish changes').click();
    await status(page, 'Published').waitFor();
    expect(await textFor(document.id)).toBe('First text. Typed. More.');
  });

  it('an earlier publication is published again from History, the draft stays, and discarding the changes returns to what readers see', async () => {
    const owner = await publisher();
    const { page, api, textFor } = owner;
    const document = await createChanged(api, 'Prices');
    await api('POST', `documents/${document.id}/publish`);
    expect(await textFor(document.id)).toBe('Second text.');
    await openDocument(owner, document);

    await choose(page, 'Publications');
    const table = page.getByRole('table', { name: 'Publications' });
    await table.getByRole('row', { name: /Version 3 Readers get this.*by Paula/ }).waitFor();
    const first = table.getByRole('row', { name: /Version 2 .*Until/ });
    await first.waitFor();
    await table.getByRole('link', { name: 'Version 3' }).click();
    await page.getByRole('heading', { name: 'Version 2 → 3' }).waitFor();
    await first.getByRole('button', { name: /^Actions for publication 1/ }).click();
    await page.getByRole('menuitem', { name: 'Publish this version' }).click();
    const dialog = dialogOf(page, 'Publish this version');
    await dialog.getByText('The document keeps its current text').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Publish this version' }).click();
    await table.getByRole('row', { name: /Version 2 Readers get this/ }).waitFor();
    await waitForCount(table.locator('tbody tr'), 3);
    expect(await textFor(document.id)).toBe('First text.');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);

    await page.getByRole('tab', { name: 'Versions' }).click();
    const versions = page.getByRole('table', { name: 'History' });
    await versions.getByRole('row', { name: /Version 2 Published/ }).waitFor();
    await versions.getByRole('row', { name: /Version 3 Current/ }).waitFor();

    // The page of the document still has its session from before the rollback.
    await page.getByRole('link', { name: 'Prices' }).click();
    await editorReady(page);
    await status(page, 'Published · unpublished changes').waitFor();
    await content(page).getByText('Second text.').waitFor();
    await typeAfter(page, 'Second text.', ' Not saved yet.');
    await confirm(page, 'Discard changes');
    await content(page).getByText('First text.', { exact: true }).waitFor();
    await status(page, 'Published').waitFor();
    expect(await textFor(document.id)).toBe('First text.');
    // Nothing is lost.
    await choose(page, 'History');
    await page.getByRole('link', { name: 'Version 4', exact: true }).click();
    await page.getByText('Not saved yet.').first().waitFor();
  });

  it('a change by somebody else is shown before it is published', async () => {
    const owner = await publisher();
    const { page, context, api, textFor } = owner;
    const document = await createPublished(api, 'Contested');
    await openDocument(owner, document);
    await typeAfter(page, 'First text.', ' Mine.');
    const patch = { title: 'Changed by somebody else' };
    await context.route(
      '**/publish',
      async (route) => {
        await api('PATCH', `documents/${document.id}`, patch);
        await route.continue();
      },
      { times: 1 },
    );
    await button(page, 'Publish changes').click();
    await page.getByRole('alert').getByText('Someone else just changed this document.').waitFor();
    expect(await textFor(document.id)).toBe('First text.');
    await eventually(
      () => page.getByLabel('Title').inputValue(),
      (title) => title === patch.title,
    );
    await button(page, 'Publish changes').click();
    await status(page, 'Published').waitFor();
    expect(await textFor(document.id)).toBe('First text. Mine.');
  });

  it('unpublishing asks first, and another tab shows publications that create no version', async () => {
    const owner = await publisher();
    const { page, context, api, statusFor } = owner;
    const document = await createChanged(api, 'Seen twice');
    await openDocument(owner, document);
    const other = await context.newPage();
    await other.goto(page.url());
    await editorReady(other);
    await button(other, 'Publish changes').waitFor();
    await button(page, 'Publish changes').click();
    await status(page, 'Published').waitFor();
    await status(other, 'Published').waitFor();
    await other.close();

    await choose(page, 'Unpublish');
    await dialogOf(page, 'Unpublish').getByText('Readers no longer get this document').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogOf(page, 'Unpublish').waitFor({ state: 'detached' });
    expect(await statusFor(document.id)).toBe(200);
    await confirm(page, 'Unpublish');
    await status(page, 'Draft').waitFor();
    expect(await statusFor(document.id)).toBe(404);

    await button(page, 'Publish').click();
    await status(page, 'Published').click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await dialogOf(page, 'Archive').getByRole('button', { name: 'Archive' }).click();
    await status(page, 'Archived').waitFor();
    expect(await statusFor(document.id)).toBe(404);
    await button(page, 'Return to draft').click();
    await status(page, 'Draft').waitFor();
  });

  it('viewers, also of a folder only, see what is published, but cannot change it', async () => {
    const { api, accountId } = await publisher();
    const document = await createChanged(api, 'To be read');
    const [viewer, member] = [await dashboard.visitor('Vera'), await dashboard.visitor('Max')];
    for (const [person, role] of [
      [viewer, 'viewer'],
      [member, 'member'],
    ] as const) {
      await dashboard.app.dataSource.query(
        `INSERT INTO members (account_id, user_id, role, created_at)
         SELECT $1, user_id, $3, now() FROM members WHERE account_id = $2`,
        [decodeId('account', accountId), decodeId('account', person.accountId), role],
      );
    }
    const { page } = viewer;
    const address = `${dashboard.app.origin}/dashboard/${accountId}`;
    await page.goto(`${address}/documents/${document.id}`);
    await page.getByRole('main').getByText('· unpublished changes').waitFor();
    await waitForCount(status(page, 'Published'), 0);
    await waitForCount(page.getByRole('button', { name: /^Publish/ }), 0);
    await button(page, 'Actions for this document').click();
    await page.getByRole('menuitem', { name: 'Compare with published' }).waitFor();
    await waitForCount(page.getByRole('menuitem', { name: /^(Discard|Unpublish)/ }), 0);
    await page.keyboard.press('Escape');
    await page.setViewportSize(PHONE);
    await page.getByRole('main').getByText('· unpublished changes').waitFor();
    expect(await widthOf(page)).toBe(PHONE.width);

    await page.goto(`${address}/settings?tab=publishing`);
    await page.getByText('Only owners and admins can change this. Your role is viewer.').waitFor();
    const toggle = page.getByRole('switch', { name: 'Publish versions of documents' });
    expect(await toggle.isDisabled()).toBe(true);
    await waitForCount(page.getByRole('link', { name: 'Create website key' }), 0);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);

    const access = { everyone: 'viewer', people: [] };
    const { id: collectionId } = await api('POST', 'collections', { name: 'Notes', access });
    await api('PATCH', `documents/${document.id}`, { collectionId });
    await member.page.goto(`${address}/documents/${document.id}`);
    await member.page.getByText('Read only').waitFor();
    await member.page.getByRole('main').getByText('· unpublished changes').waitFor();
    await waitForCount(member.page.getByRole('button', { name: /^Publish/ }), 0);
    await member.page.goto(`${address}/documents/${document.id}/history?tab=publications`);
    await member.page.getByRole('button', { name: /^Actions for publication 1/ }).click();
    const item = member.page.getByRole('menuitem', { name: 'Publish this version' });
    await item.and(member.page.locator('[title="You can only view “Notes”."]')).waitFor();
  });

  it('an owner turns publishing on, sets the cache, creates a key for a website, and turns publishing off', async () => {
    const owner = await dashboard.visitor('Otto Owner', 'enterprise');
    const { page, open } = owner;
    const api = apiOf(owner);
    const document = await createPublished(api, 'Imprint');
    await openDocument(owner, document);
    await status(page, 'Published').click();
    await page.getByRole('menuitem', { name: 'Return to draft' }).waitFor();
    await page.keyboard.press('Escape');

    await open('settings?tab=publishing');
    const toggle = page.getByRole('switch', { name: 'Publish versions of documents' });
    expect(await toggle.isChecked()).toBe(false);
    await toggle.press('Space');
    await page.getByRole('status').getByText('Publishing is being turned on…').waitFor();
    expect(await api('GET', 'publishing')).toMatchObject({ enabled: true });
    const seconds = page.getByLabel('Cache time, in seconds');
    await seconds.fill('a while');
    await page.getByText('Enter a number from 0 to 86400.').waitFor();
    await seconds.fill('60');
    await page.getByLabel('Shared caches may store responses').check();
    await button(page, 'Save cache settings').click();
    await page.getByText('Cache settings saved.').waitFor();
    const saved = { enabled: true, cacheSeconds: 60, sharedCache: true };
    expect(await api('GET', 'publishing')).toMatchObject(saved);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);

    await page.getByRole('link', { name: 'Create website key' }).click();
    const dialog = dialogOf(page, 'Create key');
    const scope = dialog.getByRole('checkbox', { name: 'documents:read_published', exact: true });
    expect(await scope.isChecked()).toBe(true);
    expect(await button(page, 'Website').getAttribute('aria-pressed')).toBe('true');
    await dialog.getByLabel('Name', { exact: true }).fill('Website');
    await dialog.getByRole('button', { name: 'Create key', exact: true }).click();
    const made = dialogOf(page, 'Key created').getByRole('textbox', { name: 'API key' });
    const { textFor, statusFor } = websiteWith(await made.inputValue());
    // The service is still adding the versions of documents that were published before.
    await eventually(
      () => statusFor(document.id),
      (code) => code === 200,
      90_000,
    );
    expect(await textFor(document.id)).toBe('First text.');

    await open('settings?tab=publishing');
    await toggle.press('Space');
    const off = dialogOf(page, 'Turn off publishing');
    await off.getByText('websites that read them get errors').waitFor();
    expect(await toggle.isChecked()).toBe(true);
    await off.getByRole('button', { name: 'Turn off publishing' }).click();
    await page.getByRole('status').getByText('Publishing is being turned off…').waitFor();
    expect(await api('GET', 'publishing')).toMatchObject({ ...saved, enabled: false });
    expect(await statusFor(document.id)).not.toBe(200);
    await waitForCount(seconds, 0);

    // The page of a document is as before.
    await page.evaluate(openInApp(`/dashboard/${owner.accountId}/documents/${document.id}`));
    await status(page, 'Published').click();
    await page.getByRole('menuitem', { name: 'Return to draft' }).click();
    await status(page, 'Draft').waitFor();
    await button(page, 'Actions for this document').click();
    await page.getByRole('menuitem', { name: 'History' }).waitFor();
    await waitForCount(page.getByRole('menuitem', { name: 'Publications' }), 0);
  });

  it('the list marks documents with unpublished changes, and filters by them', async () => {
    const { page, open, api } = await publisher();
    await createChanged(api, 'Changed since');
    await createPublished(api, 'As published');
    await create(api, 'Only a draft');
    await open('documents');
    const rows = page.getByRole('table', { name: 'Documents' }).locator('tbody tr');
    await waitForCount(rows, 3);
    expect(await rows.filter({ hasText: 'with changes' }).count()).toBe(1);
    await button(page, 'Add filter').click();
    await page.getByRole('menuitem', { name: 'Unpublished changes' }).click();
    await waitForCount(rows, 1);
    await rows.getByRole('link', { name: 'Changed since' }).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await widthOf(page)).toBe(PHONE.width);
    await page.reload();
    await waitForCount(rows, 1);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nowhere');
    await page.getByText('and match Unpublished changes').waitFor();
    await button(page, 'Show all documents').click();
    await waitForCount(rows, 3);
  });

  it('the pages with publishing are 375 px wide on a phone', async () => {
    const owner = await publisher();
    const { page, api, open } = owner;
    const document = await createChanged(api, 'Long words '.repeat(20));
    const findings: string[] = [];
    for (const size of [DESKTOP, PHONE]) {
      await page.setViewportSize(size);
      for (const [path, shown] of [
        [`documents/${document.id}`, button(page, 'Publish changes')],
        [`documents/${document.id}?dialog=discard`, dialogOf(page, 'Discard changes')],
        [`documents/${document.id}/history?from=published`, page.getByText('Published version 2')],
        [`documents/${document.id}/history?tab=publications`, page.getByText('Readers get this')],
        ['settings?tab=publishing', page.getByRole('switch')],
        [
          'settings?tab=publishing&dialog=turn-off-publishing',
          dialogOf(page, 'Turn off publishing'),
        ],
      ] as const) {
        await open(path);
        await shown.waitFor();
        const found = await accessibilityFindingsInBothSchemes(page);
        const width = await widthOf(page);
        if (width > size.width) found.push(`${String(width - size.width)} px too wide`);
        findings.push(...found.map((line) => `${path} at ${String(size.width)}: ${line}`));
      }
    }
    expect(findings).toEqual([]);
  });
});
