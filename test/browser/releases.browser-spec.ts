import type { Page } from 'playwright-core';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  describeInBrowser,
  editorReady,
  useDashboard,
  waitForCount,
  type Visitor,
} from './support/dashboard.js';

const PHONE = { width: 375, height: 700 };
const DESKTOP = { width: 1_280, height: 800 };
const DAY_MS = 86_400_000;

interface Row {
  id: string;
  [field: string]: unknown;
}

/** Sends a request to `/v1`, and returns its data. */
type Api = <Data = Row>(method: string, path: string, data?: unknown) => Promise<Data>;

describeInBrowser('Releases in the dashboard', () => {
  const dashboard = useDashboard();

  /** Somebody whose account publishes. */
  const publisher = async () => {
    const owner = await dashboard.visitor('Paula Publisher', 'enterprise');
    const { origin } = dashboard.app;
    const api: Api = async (method, path, data) => {
      const url = `${origin}/dashboard/api/accounts/${owner.accountId}/v1/${path}`;
      const headers = { Origin: origin, 'X-Dashboard-Request': '1' };
      const response = await owner.context.request.fetch(url, { method, headers, data });
      if (!response.ok()) throw new Error(`${method} ${path}: ${await response.text()}`);
      return ((await response.json()) as { data: never }).data;
    };
    await api('PUT', 'publishing', { enabled: true });
    return { ...owner, api };
  };

  const create = (api: Api, title: string) =>
    api('POST', 'documents', { title, content: 'First text.' });
  const createRelease = (api: Api, title: string, items: Row[], more: object = {}) =>
    api('POST', 'releases', {
      title,
      items: items.map(({ id }) => ({ id, action: 'publish' })),
      ...more,
    });
  const pendingOf = (api: Api, { id }: Row) =>
    api<Row[]>('GET', `releases?documentId=${id}&status=scheduled&sort=publish_at&order=asc`);
  const publishedVersion = async (api: Api, { id }: Row) =>
    (await api<Row & { published?: { version: number } }>('GET', `documents/${id}`)).published
      ?.version;
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const openDocument = async ({ page, open }: Visitor, { id }: Row) => {
    await open(`documents/${id}`);
    await editorReady(page);
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
  const choose = async (page: Page, name: string) => {
    await button(page, 'Actions for this document').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
  const scheduled = (page: Page) => page.getByRole('link', { name: /^Scheduled / });
  const widthOf = (page: Page) => page.evaluate<number>('document.scrollingElement.scrollWidth');

  it('a schedule names the version on the screen, is shown in the header, and is changed and canceled', async () => {
    const owner = await publisher();
    const { page, api } = owner;
    const document = await create(api, 'Opening hours');
    await openDocument(owner, document);
    await page.getByLabel('Content').getByText('First text.', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Typed.');
    // What is not saved yet is saved first.
    await choose(page, 'Schedule…');
    const dialog = dialogOf(page, 'Schedule');
    await field(page, 'Publish at').fill('2030-01-15T09:00');
    await dialog.getByText('15 Jan 2030, 08:00 (UTC)').waitFor();
    await dialog.getByText('Version 2 goes live. Later changes stay drafts.').waitFor();
    expect(await field(page, 'Time zone').inputValue()).toBe('Europe/Berlin');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await scheduled(page).getByText('Scheduled 15 Jan, 09:00').waitFor();
    const [release] = await pendingOf(api, document);
    expect(release).toMatchObject({
      title: null,
      publishAt: '2030-01-15T08:00:00.000Z',
      timeZone: 'Europe/Berlin',
      items: [{ action: 'publish', version: 2 }],
    });

    await api('PATCH', `documents/${document.id}`, { content: 'Later text.' });
    await page.getByLabel('Content').getByText('Later text.').waitFor();
    await scheduled(page).press('Enter');
    // The version that was scheduled stays, unless another one is chosen.
    await dialog.getByText('Version 2 goes live.').waitFor();
    await field(page, 'Unpublish at').fill('2030-02-15T09:00');
    await field(page, 'Time zone').fill('Nowhere');
    await dialog.getByText('Enter a time zone, such as Europe/Berlin.').waitFor();
    const save = dialog.getByRole('button', { name: 'Save schedule' });
    expect(await save.isDisabled()).toBe(true);
    await field(page, 'Time zone').fill('Asia/Kathmandu');
    await dialog.getByText('15 Feb 2030, 03:15 (UTC)').waitFor();
    await field(page, 'Version').selectOption('Version 3, the current text');
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    const both = await pendingOf(api, document);
    expect(both).toMatchObject([
      { publishAt: '2030-01-15T03:15:00.000Z', items: [{ action: 'publish', version: 3 }] },
      { publishAt: '2030-02-15T03:15:00.000Z', items: [{ action: 'unpublish', version: null }] },
    ]);

    await scheduled(page).click();
    expect(await field(page, 'Publish at').inputValue()).toBe('2030-01-15T09:00');
    await dialog.getByRole('button', { name: 'Cancel schedule' }).click();
    await dialog.waitFor({ state: 'detached' });
    await waitForCount(scheduled(page), 0);
    expect(await pendingOf(api, document)).toEqual([]);
  });

  it('a time that the clocks skip moves forward, and one that they show twice is chosen', async () => {
    const owner = await publisher();
    const { page, api } = owner;
    const document = await create(api, 'Summer time');
    await openDocument(owner, document);
    await choose(page, 'Schedule…');
    const dialog = dialogOf(page, 'Schedule');
    const save = dialog.getByRole('button', { name: 'Save schedule' });
    await field(page, 'Publish at').fill('2030-03-31T02:30');
    await dialog
      .getByText('The clocks skip 02:30 on this day: 31 Mar 2030, 03:30 (Europe/Berlin). ')
      .waitFor();
    await field(page, 'Unpublish at').fill('2030-10-27T02:30');
    await dialog.getByText('The clocks show 02:30 twice on this day. Choose one.').waitFor();
    expect(await save.isDisabled()).toBe(true);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await dialog.getByRole('radio', { name: 'Second: 02:30 (UTC+01:00)' }).check();
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await pendingOf(api, document)).toMatchObject([
      { publishAt: '2030-03-31T01:30:00.000Z' },
      { publishAt: '2030-10-27T01:30:00.000Z' },
    ]);
    // The choice is kept.
    await scheduled(page).click();
    const second = dialog.getByRole('radio', { name: 'Second: 02:30 (UTC+01:00)' });
    expect(await second.isChecked()).toBe(true);
  });

  it('a release is created with documents, previewed, published, and deleted', async () => {
    const owner = await publisher();
    const { page, api, open } = owner;
    const first = await create(api, 'Prices');
    await api('POST', `documents/${first.id}/publish`);
    await api('PATCH', `documents/${first.id}`, { content: 'New prices.' });
    const second = await create(api, 'Imprint');
    await create(api, 'Not in it');
    await open('overview');
    await page.getByRole('link', { name: 'Releases', exact: true }).press('Enter');
    await page.getByText('No releases here.').waitFor();
    await button(page, 'Create release').press('Enter');
    const dialog = dialogOf(page, 'Create release');
    await field(page, 'Title').fill('Autumn');
    const submit = dialog.getByRole('button', { name: 'Create release' });
    expect(await submit.isDisabled()).toBe(true);
    for (const name of ['Prices', 'Imprint']) {
      await dialog.getByRole('searchbox', { name: 'Add documents' }).fill(name);
      await waitForCount(dialog.getByRole('checkbox', { name: 'Not in it' }), 0);
      await dialog.getByRole('checkbox', { name }).press('Space');
    }
    await submit.click();
    const panel = dialogOf(page, 'Autumn');
    const items = panel.getByRole('list', { name: 'Documents' }).getByRole('listitem');
    await waitForCount(items, 2);
    const prices = items.filter({ hasText: 'Prices' });
    await prices.getByText('Publish version 3').waitFor();
    await prices.getByText(/^Readers get version 2, published/).waitFor();
    await items.filter({ hasText: 'Imprint' }).getByText('Readers don’t get it now').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await prices.getByRole('link', { name: 'Compare with published' }).click();
    await page.getByRole('heading', { name: 'Published version 2 → 3' }).waitFor();
    await page.goBack();

    await panel.getByRole('button', { name: 'Publish now' }).click();
    await dialogOf(page, 'Publish now').getByRole('button', { name: 'Publish now' }).click();
    await panel.getByText('Published', { exact: true }).waitFor();
    expect(await publishedVersion(api, first)).toBe(3);
    expect(await publishedVersion(api, second)).toBe(2);
    await panel.getByRole('button', { name: 'Delete release' }).click();
    const deletion = dialogOf(page, 'Delete release');
    await deletion.getByRole('button', { name: 'Delete release' }).click();
    await panel.waitFor({ state: 'detached' });
    expect(await api<Row[]>('GET', 'releases')).toEqual([]);
  });

  it('a release is renamed, rescheduled, gets and loses documents, and is canceled', async () => {
    const owner = await publisher();
    const { page, api, open } = owner;
    const [first, second] = [await create(api, 'Prices'), await create(api, 'Imprint')];
    const { id } = await createRelease(api, 'Autumn', [first]);
    await open(`releases?status=open&open=${id}`);
    await dialogOf(page, 'Autumn').getByRole('button', { name: 'Edit release' }).click();
    const dialog = dialogOf(page, 'Edit release');
    await field(page, 'Title').fill('Winter');
    await dialog.getByRole('checkbox', { name: 'Imprint' }).check();
    await waitForCount(dialog.getByRole('checkbox', { name: 'Prices' }), 0);
    await field(page, 'Publish at').fill('2030-01-15T09:00');
    await dialog.getByText('Versions are fixed when a document gets a time').waitFor();
    await dialog.getByRole('button', { name: 'Save release' }).click();
    const panel = dialogOf(page, 'Winter');
    await panel.getByText('15 Jan 2030, 09:00 (Europe/Berlin)').waitFor();
    await panel.getByText('15 Jan 2030, 08:00 (UTC)').waitFor();
    expect(await api('GET', `releases/${id}`)).toMatchObject({
      title: 'Winter',
      status: 'scheduled',
      items: [
        { id: first.id, version: 1 },
        { id: second.id, version: 1 },
      ],
    });
    await button(page, 'Remove Prices').click();
    await waitForCount(button(page, 'Remove Prices'), 0);
    await panel.getByText('1 document', { exact: true }).waitFor();
    // A release is never empty.
    await waitForCount(button(page, 'Remove Imprint'), 0);

    await panel.getByRole('button', { name: 'Cancel release' }).click();
    await dialogOf(page, 'Cancel release').getByRole('button', { name: 'Cancel release' }).click();
    await panel.getByText('Canceled').waitFor();
    await waitForCount(panel.getByRole('button', { name: 'Edit release' }), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Done' }).click();
    const rows = page.getByRole('table', { name: 'Releases' }).locator('tbody tr');
    await rows.filter({ hasText: 'Winter' }).getByText('Canceled').waitFor();
  });

  it('a document is added to a release from its page, and the release that fails says why', async () => {
    const owner = await publisher();
    const { page, api, open } = owner;
    const [first, second] = [await create(api, 'Prices'), await create(api, 'Imprint')];
    const { id } = await createRelease(api, 'Autumn', [first], { publishAt: inDays(3) });
    await openDocument(owner, second);
    await choose(page, 'Add to release…');
    const dialog = dialogOf(page, 'Add to release');
    await field(page, 'Release').selectOption('Autumn');
    await dialog.getByText('Version 1 goes live. Later changes stay drafts.').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add to release' }).click();
    await dialog.waitFor({ state: 'detached' });
    await scheduled(page).waitFor();
    await choose(page, 'Add to release…');
    // It has the document already.
    await waitForCount(dialog.getByRole('option', { name: 'Autumn' }), 0);
    await dialog.getByLabel('Title').fill('Someday');
    await dialog.getByRole('button', { name: 'Add to release' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [undated] = await api<Row[]>('GET', 'releases?status=open');
    expect(undated).toMatchObject({ title: 'Someday', items: [{ id: second.id, version: null }] });

    await api('PATCH', `documents/${second.id}`, { status: 'archived' });
    await scheduled(page).click();
    const panel = dialogOf(page, 'Autumn');
    const imprint = panel.getByRole('listitem').filter({ hasText: 'Imprint' });
    await imprint.getByText('cannot go from archived to published').waitFor();
    await panel.getByRole('button', { name: 'Publish now' }).click();
    const now = dialogOf(page, 'Publish now');
    await now.getByRole('button', { name: 'Publish now' }).click();
    await now.getByText('Nothing was published').waitFor();
    await now.getByRole('button', { name: 'Cancel' }).click();
    const publishAt = new Date(Date.now() + 1_500).toISOString();
    await api('PATCH', `releases/${id}`, { publishAt });
    await eventually(
      () => api('GET', `releases/${id}`),
      ({ status }) => status === 'failed',
    );
    await open(`releases?status=done&open=${id}`);
    await panel.getByRole('alert').getByText('Nothing was published').waitFor();
    await imprint.getByText('cannot go from archived to published').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    expect(await publishedVersion(api, first)).toBeUndefined();
  });

  it('viewers see releases, but cannot change them, and without publishing there are none', async () => {
    const { page, open, api, accountId } = await publisher();
    const document = await create(api, 'Prices');
    await createRelease(api, 'Autumn', [document], { publishAt: inDays(3) });
    const viewer = await dashboard.visitor('Vera');
    await dashboard.app.dataSource.query(
      `INSERT INTO members (account_id, user_id, role, created_at)
       SELECT $1, user_id, 'viewer', now() FROM members WHERE account_id = $2`,
      [decodeId('account', accountId), decodeId('account', viewer.accountId)],
    );
    const address = `${dashboard.app.origin}/dashboard/${accountId}`;
    await viewer.page.goto(`${address}/documents/${document.id}`);
    await scheduled(viewer.page).click();
    const panel = dialogOf(viewer.page, 'Autumn');
    expect(await panel.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true);
    expect(await accessibilityFindingsInBothSchemes(viewer.page)).toEqual([]);
    await viewer.page.keyboard.press('Escape');
    expect(await button(viewer.page, 'Create release').isDisabled()).toBe(true);
    await viewer.page.goto(`${address}/documents/${document.id}`);
    await button(viewer.page, 'Actions for this document').click();
    await viewer.page.getByRole('menuitem', { name: 'Publications' }).waitFor();
    await waitForCount(viewer.page.getByRole('menuitem', { name: 'Schedule…' }), 0);

    await api('PUT', 'publishing', { enabled: false });
    await open('documents');
    await page.getByRole('link', { name: 'Prices' }).waitFor();
    await waitForCount(page.getByRole('link', { name: 'Releases', exact: true }), 0);
  });

  it('the pages of releases are 375 px wide on a phone', async () => {
    const owner = await publisher();
    const { page, api, open } = owner;
    const document = await create(api, 'Long words '.repeat(20));
    await api('POST', `documents/${document.id}/publish`);
    await api('PATCH', `documents/${document.id}`, { content: 'Second text.' });
    const other = await create(api, 'Another one');
    const later = { publishAt: inDays(3), timeZone: 'America/Caracas' };
    const release = await createRelease(api, 'Wide '.repeat(39), [document, other], later);
    await api('PUT', `documents/${document.id}/schedule`, {
      publishAt: inDays(1),
      unpublishAt: inDays(2),
    });
    const findings: string[] = [];
    for (const size of [DESKTOP, PHONE]) {
      await page.setViewportSize(size);
      for (const [path, shown] of [
        ['releases', page.getByRole('link', { name: /^Publish Long/ })],
        [`releases?open=${release.id}`, page.getByText('Publish version 3')],
        ['releases?dialog=create-release', page.getByRole('checkbox').first()],
        [`releases?dialog=edit-release&of=${release.id}`, dialogOf(page, 'Edit release')],
        [`releases?dialog=publish-release&of=${release.id}`, dialogOf(page, 'Publish now')],
        [`documents/${document.id}`, scheduled(page)],
        [`documents/${document.id}?dialog=schedule`, field(page, 'Unpublish at')],
        [`documents/${document.id}?dialog=release`, dialogOf(page, 'Add to release')],
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
