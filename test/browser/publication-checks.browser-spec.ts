import type { Page } from 'playwright-core';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  checkerReady,
  describeInBrowser,
  editorReady,
  useDashboard,
  waitForCount,
  type Visitor,
} from './support/dashboard.js';

const PHONE = { width: 375, height: 700 };
const DESKTOP = { width: 1_280, height: 800 };
const WRONG = 'We recieve the goods in the morning.';
const GOOD = 'We receive the goods in the morning.';
const NO_ERRORS = { checks: { errors: 0 } };

interface Row {
  id: string;
  [field: string]: unknown;
}

describeInBrowser('Rules of publishing in the dashboard', () => {
  const dashboard = useDashboard();

  /** Sends a request to `/v1` with the session of a person. */
  const send = async (
    { context, accountId }: Visitor,
    method: string,
    path: string,
    data?: unknown,
  ): Promise<Row> => {
    const { origin } = dashboard.app;
    const url = `${origin}/dashboard/api/accounts/${accountId}/v1/${path}`;
    const headers = { Origin: origin, 'X-Dashboard-Request': '1' };
    const response = await context.request.fetch(url, { method, headers, data });
    if (!response.ok()) throw new Error(`${method} ${path}: ${await response.text()}`);
    return ((await response.json()) as { data: Row }).data;
  };

  /** Somebody whose account publishes by these rules. */
  const publisher = async (...rules: object[]) => {
    const owner = await dashboard.visitor('Paula Publisher', 'enterprise');
    const api = (method: string, path: string, data?: unknown) => send(owner, method, path, data);
    await api('PUT', 'publishing', { enabled: true, rules });
    const liveText = async ({ id }: Row) => {
      const found = await api('GET', `documents/${id}?version=published`).catch(() => undefined);
      return found?.['content'];
    };
    /** Creates a document. Its newest text is analyzed. */
    const analyzed = async (title: string, content: string) => {
      const document = await api('POST', 'documents', { title, content });
      await api('POST', `documents/${document.id}/analyze`, {});
      await eventually(
        () => api('GET', `documents/${document.id}/publication-checks`),
        ({ problems }) => !JSON.stringify(problems).includes('analysis_missing'),
        120_000,
      );
      return document;
    };
    await checkerReady(dashboard, owner);
    return { ...owner, api, liveText, analyzed };
  };
  /** Adds somebody to the account of another person. Returns their page. */
  const memberOf = async ({ accountId }: Visitor, role: string): Promise<Page> => {
    const person = await dashboard.visitor(`Some ${role}`);
    await dashboard.app.dataSource.query(
      `INSERT INTO members (account_id, user_id, role, created_at)
       SELECT $1, user_id, $3, now() FROM members WHERE account_id = $2`,
      [decodeId('account', accountId), decodeId('account', person.accountId), role],
    );
    return person.page;
  };
  const openDocument = async ({ page, open }: Visitor, { id }: Row) => {
    await open(`documents/${id}`);
    await editorReady(page);
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const status = (page: Page, name: string) => button(page, `Status: ${name}`);
  const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
  const checksIn = (page: Page) => dialogOf(page, 'Publication checks');
  const pressIn = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const widthOf = (page: Page) => page.evaluate<number>('document.scrollingElement.scrollWidth');

  it('an owner adds rules, changes their order with the keyboard, removes one, and saves them', async () => {
    const owner = await publisher();
    const { page, open, api } = owner;
    await open('settings?tab=publishing');
    await page.getByText('No rules: documents are published without checks.').waitFor();
    const rule = (number: number) =>
      page.getByRole('group', { name: `Rule ${String(number)}`, exact: true });
    const focused = () => page.evaluate<string>('document.activeElement.textContent');

    await button(page, 'Add rule').press('Enter');
    await page.keyboard.press('Tab');
    await rule(1).getByLabel('Minimum overall score').fill('170');
    await rule(1).getByLabel('Can publish despite problems').selectOption('Owners and admins');
    await button(page, 'Add rule').click();
    await rule(2).getByText('No effect: the rules above apply to all these types.').waitFor();
    await rule(2).getByLabel('Article').check();
    await rule(2).getByLabel('Maximum number of errors').fill('');
    await rule(2).getByLabel('Maximum number of open suggestions').fill('2');
    await button(page, 'Add rule').click();

    await rule(2).getByRole('button', { name: 'Move up' }).press('Enter');
    await page.getByRole('status').getByText('Rule 2 is now rule 1.').waitFor();
    // It cannot move further up.
    expect(await focused()).toBe('Move down');
    expect(await rule(1).getByRole('button', { name: 'Move up' }).isDisabled()).toBe(true);
    expect(await rule(1).getByLabel('Article').isChecked()).toBe(true);
    await rule(3).getByRole('button', { name: 'Remove' }).press('Enter');
    await waitForCount(rule(3), 0);
    expect(await focused()).toBe('Add rule');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await button(page, 'Save rules').click();
    await page.getByText('Rules saved.').waitFor();
    expect((await api('GET', 'publishing'))['rules']).toEqual([
      {
        types: ['article'],
        checks: { errors: null, minScore: null, openSuggestions: 2 },
        override: 'nobody',
      },
      {
        types: null,
        checks: { errors: 0, minScore: 100, openSuggestions: null },
        override: 'admin',
      },
    ]);
    expect(await button(page, 'Save rules').isDisabled()).toBe(true);

    // Other settings keep the rules.
    await page.getByLabel('Cache time, in seconds').fill('60');
    await button(page, 'Save cache settings').click();
    await page.getByText('Cache settings saved.').waitFor();
    expect((await api('GET', 'publishing'))['rules']).toHaveLength(2);
    await rule(1).getByLabel('Article').uncheck();
    await page.getByRole('tab', { name: 'Dictionary' }).click();
    await dialogOf(page, 'Leave without saving').waitFor();

    const viewer = await memberOf(owner, 'viewer');
    await viewer.goto(
      `${dashboard.app.origin}/dashboard/${owner.accountId}/settings?tab=publishing`,
    );
    await viewer.getByLabel('Article').first().waitFor();
    expect(await viewer.getByLabel('Article').first().isDisabled()).toBe(true);
    expect(await button(viewer, 'Add rule').isDisabled()).toBe(true);
  });

  it('a refused document is checked, corrected from the list of problems, and published', async () => {
    const owner = await publisher(NO_ERRORS);
    const { page, api, liveText } = owner;
    const document = await api('POST', 'documents', { title: 'Goods', content: WRONG });
    await openDocument(owner, document);
    await button(page, 'Actions for this document').click();
    await page.getByRole('menuitem', { name: 'Publication checks' }).click();
    await checksIn(page).getByText('This text has no up-to-date analysis.').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await pressIn(page, 'Check now');
    await checksIn(page).getByText('The analysis found 1 error, and 0 are allowed.').waitFor();
    await page.keyboard.press('Escape');
    await checksIn(page).waitFor({ state: 'detached' });

    await button(page, 'Publish').click();
    const alert = checksIn(page).getByRole('alert');
    await alert.getByText('The analysis found 1 error, and 0 are allowed.').waitFor();
    // Nobody may override.
    await waitForCount(page.getByLabel('Reason to publish anyway'), 0);
    await pressIn(page, 'Publish');
    await alert.getByText('Not published: resolve 1 problem first').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    expect(await liveText(document)).toBeUndefined();

    await alert.getByRole('link', { name: 'Show errors' }).click();
    const panel = page.getByRole('complementary', { name: 'Check' });
    await panel
      .getByRole('button', { name: /receive/ })
      .first()
      .click();
    await page.getByLabel('Content').getByText(GOOD).waitFor();
    await button(page, 'Publish').click();
    // The analysis of the corrected text may take longer than the request waits.
    const published = page.getByText('Published. Readers get this version.');
    await published.or(button(page, 'Check now')).first().waitFor();
    if (await checksIn(page).isVisible()) {
      await pressIn(page, 'Check now');
      await checksIn(page).getByRole('alert').waitFor({ state: 'detached' });
      await pressIn(page, 'Publish');
    }
    await status(page, 'Published').waitFor();
    expect(await liveText(document)).toBe(GOOD);
    await button(page, 'Actions for this document').click();
    await waitForCount(page.getByRole('menuitem', { name: 'Publication checks' }), 0);
  });

  it('those whose role may override publish despite problems with a reason, which the audit log shows', async () => {
    const owner = await publisher({ ...NO_ERRORS, override: 'admin' });
    const { page, open, liveText, analyzed } = owner;
    const document = await analyzed('Urgent', WRONG);
    const member = await memberOf(owner, 'member');
    const admin = await memberOf(owner, 'admin');
    const address = `${dashboard.app.origin}/dashboard/${owner.accountId}/documents/${document.id}`;
    await member.goto(`${address}?dialog=checks`);
    await checksIn(member).getByText('The analysis found 1 error').waitFor();
    await waitForCount(member.getByLabel('Reason to publish anyway'), 0);

    await admin.goto(address);
    await editorReady(admin);
    await status(admin, 'Draft').click();
    await admin.getByRole('menuitem', { name: 'Publish' }).click();
    await checksIn(admin).getByLabel('Reason to publish anyway').fill('The fair begins today.');
    await pressIn(admin, 'Publish anyway');
    await status(admin, 'Published').waitFor();
    await waitForCount(checksIn(admin), 0);
    expect(await liveText(document)).toBe(WRONG);

    await open('audit');
    await page.getByRole('link', { name: 'document.publish' }).first().click();
    const details = page.getByRole('region', { name: 'Details' });
    await details.filter({ hasText: 'The fair begins today.' }).waitFor();
    await details.filter({ hasText: 'The analysis found 1 error' }).waitFor();
  });

  it('open suggestions refuse changes of a published document, and lead to the proposals', async () => {
    const owner = await publisher({ checks: { openSuggestions: 0 }, override: 'owner' });
    const { page, api, liveText } = owner;
    const document = await api('POST', 'documents', { title: 'Hours', content: 'Open at nine.' });
    await api('POST', `documents/${document.id}/publish`);
    await api('PATCH', `documents/${document.id}`, { content: 'Open at ten.' });
    const { key } = await api('POST', 'keys', {
      name: 'Bot',
      scopes: ['documents:read', 'documents:suggest'],
    });
    const response = await fetch(`${dashboard.app.origin}/v1/documents/${document.id}/proposals`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${String(key)}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ edits: [{ quote: 'ten', replacement: 'eleven' }] }),
    });
    expect(response.status).toBe(201);
    await openDocument(owner, document);
    await button(page, 'Publish changes').click();
    await checksIn(page)
      .getByText('The version has 1 open suggestion, and 0 are allowed.')
      .waitFor();
    expect(await liveText(document)).toBe('Open at nine.');
    await checksIn(page).getByRole('link', { name: 'Show suggestions' }).click();
    const panel = page.getByRole('complementary', { name: 'Check' });
    await panel.getByText('eleven').first().waitFor();
    await panel
      .getByRole('button', { name: /^Reject/ })
      .first()
      .click();
    await eventually(
      () => api('GET', `documents/${document.id}/publication-checks`),
      ({ problems }) => (problems as unknown[]).length === 0,
    );
    await button(page, 'Publish changes').click();
    await status(page, 'Published').waitFor();
    expect(await liveText(document)).toBe('Open at ten.');
  });

  it('a rollback is checked as well, and its problems are shown before it is published', async () => {
    const owner = await publisher();
    const { page, api, open, liveText, analyzed } = owner;
    const document = await analyzed('Prices', WRONG);
    await api('POST', `documents/${document.id}/publish`);
    await api('PATCH', `documents/${document.id}`, { content: GOOD });
    await api('POST', `documents/${document.id}/publish`);
    await api('PUT', 'publishing', { enabled: true, rules: [{ ...NO_ERRORS, override: 'owner' }] });

    await open(`documents/${document.id}/history?tab=publications`);
    await button(page, 'Actions for publication 1, version 2').click();
    await page.getByRole('menuitem', { name: 'Publish this version' }).click();
    const dialog = dialogOf(page, 'Publish this version');
    await dialog.getByText('The analysis found 1 error, and 0 are allowed.').waitFor();
    // The text on the page of the document is another one.
    await waitForCount(dialog.getByRole('link'), 0);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await pressIn(page, 'Publish this version');
    await dialog.getByText('Not published: resolve 1 problem first').waitFor();
    expect(await liveText(document)).toBe(GOOD);
    await dialog.getByLabel('Reason to publish anyway').fill('Wrong price.');
    await pressIn(page, 'Publish anyway');
    await page.getByRole('row', { name: /Version 2 Readers get this/ }).waitFor();
    expect(await liveText(document)).toBe(WRONG);
  });

  it('a page from before publishing was turned on shows the same problems', async () => {
    const owner = await publisher();
    const { page, api, analyzed } = owner;
    const document = await analyzed('Early', WRONG);
    await api('PUT', 'publishing', { enabled: false });
    await openDocument(owner, document);
    await status(page, 'Draft').waitFor();
    await api('PUT', 'publishing', { enabled: true, rules: [NO_ERRORS] });
    await status(page, 'Draft').click();
    await page.getByRole('menuitem', { name: 'Publish' }).click();
    await checksIn(page).getByText('The analysis found 1 error, and 0 are allowed.').waitFor();
    expect((await api('GET', `documents/${document.id}`))['status']).toBe('draft');
  });

  it('bulk actions publish changes and show why documents were refused', async () => {
    const owner = await publisher(NO_ERRORS);
    const { page, api, open, liveText, analyzed } = owner;
    const good = await analyzed('Good', 'They arrive in the evening.');
    await api('POST', `documents/${good.id}/publish`);
    await api('PATCH', `documents/${good.id}`, { content: GOOD });
    await api('POST', `documents/${good.id}/analyze`, {});
    const wrong = await analyzed('Wrong', WRONG);
    await eventually(
      () => api('GET', `documents/${good.id}/publication-checks`),
      ({ problems }) => (problems as unknown[]).length === 0,
    );
    await open('documents');
    await page.getByRole('checkbox', { name: /all/i }).first().check();
    await button(page, 'Publish documents').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Readers will get the current version of 2 documents.').waitFor();
    await pressIn(page, 'Publish documents');
    await dialog.getByText('2 of 2: 1 done, 1 failed.').waitFor();
    const refused = dialog.getByRole('listitem').filter({ hasText: 'Wrong' });
    await refused
      .getByText('Not published. The analysis found 1 error, and 0 are allowed.')
      .waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    expect(await liveText(good)).toBe(GOOD);
    expect(await liveText(wrong)).toBeUndefined();
  });

  it('the pages with rules are 375 px wide on a phone', async () => {
    const rule = { checks: { errors: 0, minScore: 100, openSuggestions: 0 }, override: 'owner' };
    const { page, open, analyzed } = await publisher({ ...rule, types: ['article'] }, rule);
    const document = await analyzed('Long words '.repeat(20), WRONG);
    const findings: string[] = [];
    for (const size of [DESKTOP, PHONE]) {
      await page.setViewportSize(size);
      for (const [path, shown] of [
        ['settings?tab=publishing', button(page, 'Save rules')],
        [`documents/${document.id}?dialog=checks`, page.getByText('The analysis found')],
        [
          `documents/${document.id}/history?dialog=publish&of=1`,
          page.getByText('The analysis found'),
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
