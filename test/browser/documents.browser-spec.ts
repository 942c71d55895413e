import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  ANALYZED_WITHIN_MS,
  checkerReady,
  describeInBrowser,
  editorReady,
  useDashboard,
  type Visitor,
  waitForCount,
} from './support/dashboard.js';

const SCRIPT = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

describeInBrowser('documents in the dashboard', () => {
  const dashboard = useDashboard();
  let ada: Visitor;

  beforeEach(async () => {
    // The tests make more changes per minute than the Free plan allows a person.
    ada = await dashboard.visitor('Ada', 'enterprise');
  });

  const api = async (method: string, path: string, data?: unknown): Promise<any> => {
    const url = `${dashboard.app.origin}/dashboard/api/accounts/${ada.accountId}/v1${path}`;
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const response = await ada.context.request.fetch(url, { method, headers, data });
    return ((await response.json()) as { data: unknown }).data;
  };
  const create = async (title: string, content: string, more: object = {}) =>
    (await api('POST', '/documents', { title, content, ...more })) as { id: string };
  const contentOf = async (id: string) =>
    ((await api('GET', `/documents/${id}`)) as { content: string }).content;
  const waitFor = (page: Page, state: string) =>
    page.getByRole('status', { name: 'Saving' }).getByText(state, { exact: true }).waitFor();
  /** Waits until the service has this content and the page says that it is saved. */
  const saved = async (page: Page, id: string, content: string) => {
    await eventually(
      () => contentOf(id),
      (kept) => kept === content,
    );
    await waitFor(page, 'Saved');
  };
  /** Waits until a search finds this many documents, because the index follows with a delay. */
  const found = (words: string, count: number) =>
    eventually(
      () => api('GET', `/documents?q=${words}`) as Promise<unknown[]>,
      ({ length }) => length === count,
    );
  /** The same person on another computer. */
  const elsewhere = async () => {
    const page = await dashboard.stranger();
    await page.context().addCookies(await ada.context.cookies());
    return page;
  };
  const openAt = async (page: Page, path: string) => {
    await page.goto(`${dashboard.app.origin}/dashboard/${ada.accountId}/${path}`);
    await editorReady(page);
  };
  /** Chooses an item of the menu of the open document. */
  const choose = async (name: string) => {
    await ada.page.getByRole('button', { name: 'Actions for this document' }).click();
    await ada.page.getByRole('menuitem', { name, exact: true }).click();
  };
  /** Types at the start of a line. */
  const typeAt = async (page: Page, line: string, text: string) => {
    await page.getByLabel('Content').getByText(line, { exact: true }).click();
    await page.keyboard.press('Home');
    await page.keyboard.type(text);
  };

  it('a document is written, saved automatically, published, compared, deleted and restored', async () => {
    const { page } = ada;
    await ada.open('documents');
    await page.getByText('Nothing here yet.').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'New document' }).click();
    await page.getByLabel('Title').fill('Plan of the year');
    await page.getByLabel('Content').click();
    await page.keyboard.type('# Goals');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Revenue grows.');
    await page.waitForURL(/documents\/doc_/);
    const id = /doc_\w+/.exec(page.url())?.[0] ?? '';
    await waitFor(page, 'Saved');
    await page.getByLabel('Title').fill('Plan of next year');
    await typeAt(page, 'Revenue grows.', 'I hope: ');
    await waitFor(page, 'Saving…');
    await page.keyboard.press('Control+s');
    await saved(page, id, '# Goals\n\nI hope: Revenue grows.');
    expect(await api('GET', `/documents/${id}`)).toMatchObject({ title: 'Plan of next year' });

    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByLabel('Tags').fill('planning');
    await page.keyboard.press('Enter');
    await eventually(
      () => api('GET', `/documents/${id}`) as Promise<{ metadata: { tags?: string[] } }>,
      ({ metadata }) => metadata.tags?.join() === 'planning',
    );
    await waitFor(page, 'Saved');
    await page.getByRole('button', { name: 'Status: Draft' }).click();
    await page.getByRole('menuitem', { name: 'Publish' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Status: Published' }).waitFor();
    const download = page.waitForEvent('download');
    await choose('Markdown');
    expect((await download).suggestedFilename()).toBe('Plan of next year.md');

    await choose('History');
    await page.getByRole('link', { name: 'Version 2' }).click();
    const formatted = page.getByRole('region', { name: 'Formatted text' });
    await formatted.locator('ins', { hasText: 'I hope' }).waitFor();
    // A heading, without the marks of Markdown.
    await formatted.getByText('Goals', { exact: true }).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Markdown' }).click();
    await page.locator('pre ins', { hasText: 'I hope' }).waitFor();
    await page.getByRole('cell', { name: 'Plan of next year' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Version 1' }).click();
    await page.getByRole('menuitem', { name: 'Restore this version' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore this version' }).click();
    await page.getByText('Version 1 restored').waitFor();
    expect(await contentOf(id)).toBe('# Goals\n\nRevenue grows.');

    await ada.open(`documents/${id}`);
    await choose('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('tab', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Actions for Plan of the year' }).click();
    await page.getByRole('menuitem', { name: 'Restore' }).click();
    await page.getByText('Plan of the year restored.').waitFor();
    expect(await contentOf(id)).toBe('# Goals\n\nRevenue grows.');
  });

  it('two browsers edit one document: changes arrive in the open text, and overlaps become cards', async () => {
    const { page } = ada;
    const other = await elsewhere();
    const { id } = await create('Shared', 'first\n\nsecond\n\nthird');
    await openAt(page, `documents/${id}`);
    await openAt(other, `documents/${id}`);

    await typeAt(other, 'third', 'THE ');
    await other.keyboard.press('Control+s');
    await saved(other, id, 'first\n\nsecond\n\nTHE third');
    await page.getByLabel('Content').getByText('THE third').waitFor();
    await page.getByRole('status').getByText('Your other tab changed 1 passage.').waitFor();
    await typeAt(page, 'first', 'THE ');
    await page.keyboard.press('Control+s');
    await saved(page, id, 'THE first\n\nsecond\n\nTHE third');
    await other.getByLabel('Content').getByText('THE first').waitFor();

    await typeAt(page, 'second', 'my ');
    await typeAt(other, 'second', 'their ');
    await other.keyboard.press('Control+s');
    await saved(other, id, 'THE first\n\ntheir second\n\nTHE third');
    const card = page.getByRole('listitem', { name: 'Your other tab also changed this' });
    await card.locator('del', { hasText: 'my' }).waitFor();
    await card.locator('ins', { hasText: 'their' }).waitFor();
    await waitFor(page, 'Saved, except 1 passage');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await card.getByRole('button', { name: 'Keep both' }).click();
    await saved(page, id, 'THE first\n\nmy their second\n\nTHE third');
    await other.getByLabel('Content').getByText('my their second').waitFor();

    await typeAt(page, 'my their second', 'mine and ');
    await api('PATCH', `/documents/${id}`, { content: 'THE first\n\nby the API\n\nTHE third' });
    await page.getByRole('button', { name: 'Use the other text' }).click();
    await page.getByLabel('Content').getByText('by the API').waitFor();
    await waitFor(page, 'Saved');
    await page.getByLabel('Content').click();
    await page.keyboard.press('Control+z');
    await saved(page, id, 'THE first\n\nmine and my their second\n\nTHE third');
    await other.context().close();
  });

  it('text written offline survives a reload, and is saved when the service is back', async () => {
    const { page, context } = ada;
    const { id } = await create('Train', 'before');
    await openAt(page, `documents/${id}`);
    await context.setOffline(true);
    await typeAt(page, 'before', 'written offline ');
    await page.keyboard.press('Control+s');
    await waitFor(page, 'Offline. Kept in this browser.');
    await context.setOffline(false);
    await saved(page, id, 'written offline before');

    await context.route('**/v1/documents/**', async (route) => {
      if (route.request().method() === 'PATCH') await route.abort();
      else await route.continue();
    });
    await typeAt(page, 'written offline before', 'draft ');
    await waitFor(page, 'Saving…');
    await page.reload();
    await page.getByLabel('Content').getByText('draft written offline before').waitFor();
    await context.unroute('**/v1/documents/**');
    await saved(page, id, 'draft written offline before');
  });

  it('a script in any text is shown as text everywhere', async () => {
    const { page } = ada;
    const metadata = { tags: [SCRIPT], department: SCRIPT, project: SCRIPT, [SCRIPT]: SCRIPT };
    const content = `needle ${SCRIPT}\n\n[link](javascript:window.hacked=1) ![img](https://example.org/x.png)`;
    const { id } = await create(SCRIPT, content, { metadata });
    await api('PATCH', `/documents/${id}`, { content: `${content}!`, title: `${SCRIPT}!` });
    const template = await api('POST', '/templates', {
      name: SCRIPT,
      description: SCRIPT,
      title: SCRIPT,
      content,
      variables: [{ name: 'x', default: SCRIPT, description: SCRIPT }],
    });
    await found('needle', 1);
    await ada.open('documents?q=needle');
    await page.locator('mark', { hasText: 'needle' }).waitFor();
    await openAt(page, `documents/${id}?panel=details`);
    const editor = page.getByLabel('Content');
    await editor.getByText('Image on example.org').waitFor();
    const forbidden = 'img[src], script, a[href^="javascript"]';
    expect(await editor.locator(forbidden).count()).toBe(0);
    const preview = page.getByRole('region', { name: 'Preview' });
    await ada.open(`documents/${id}/history?to=2`);
    await page.locator('ins').first().waitFor();
    await ada.open('templates');
    await page.getByRole('link', { name: SCRIPT }).click();
    await page.getByRole('region', { name: 'Preview' }).waitFor();
    await ada.open(`documents/new?template=${String(template.id)}`);
    await page.getByText('Missing values').or(preview).first().waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await api('DELETE', `/documents/${id}`);
  });

  it('many documents are found, counted, and changed together, with a result for each', async () => {
    const { page } = ada;
    for (let batch = 0; batch < 2; batch += 1) {
      const operations = Array.from({ length: 65 }, (_, index) => ({
        op: 'create',
        document: { title: `Bulk ${String(batch)} ${String(index)}`, metadata: { tags: ['bulk'] } },
      }));
      await api('POST', '/documents/batch', { operations });
    }
    await ada.open('documents?tag=bulk');
    await page.getByText('1 to 25 of 130').waitFor();
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Select all 130 that match' }).click();
    await page
      .getByRole('group', { name: 'Selection' })
      .getByRole('button', { name: 'Publish' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    await dialog.getByRole('button', { name: 'Publish' }).click();
    const report = page.getByRole('dialog', { name: '130 documents published' });
    await report.getByText('130 of 130: 130 done.').waitFor();
    await waitForCount(report.getByRole('listitem'), 130);
    await report.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('menuitem', { name: 'Published 130' }).click();
    await page.getByRole('button', { name: 'Status: Published, remove' }).waitFor();
    await page.getByText('1 to 25 of 130').waitFor();
    await page.goBack();
    await page.waitForURL(({ search }) => !search.includes('status='));

    await page.keyboard.press('/');
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('zyzzyva');
    await page.getByText('No documents contain “zyzzyva” and match Tag: bulk.').waitFor();
    await page.getByRole('button', { name: 'Show all documents' }).click();
    await page.getByRole('table', { name: 'Documents' }).waitFor();
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByLabel('Files').setInputFiles([
      {
        name: 'notes.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('# From a file\n\nText.'),
      },
      { name: 'broken.docx', mimeType: 'application/zip', buffer: Buffer.from('no archive') },
    ]);
    const imported = page.getByRole('dialog', { name: '1 document imported' });
    await imported.getByRole('link', { name: 'From a file' }).waitFor();
    await imported.getByText('Not imported').waitFor();
  });

  it('documents in the trash are restored and deleted permanently in one request, with a result for each', async () => {
    const { page } = ada;
    const path = `${dashboard.app.origin}/dashboard/api/accounts/${ada.accountId}/v1/documents`;
    const batch = async (operations: object[]) => {
      const { results } = await api('POST', '/documents/batch', { operations });
      return results as { id: string }[];
    };
    const titles = Array.from({ length: 30 }, (_, index) => `Trashed ${String(index)}`);
    const created = await batch(titles.map((title) => ({ op: 'create', document: { title } })));
    await batch(created.map(({ id }) => ({ op: 'delete', id })));
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
    });

    await ada.open('documents?tab=trash');
    await page.getByText('1 to 25 of 30').waitFor();
    await page.getByLabel('Select all on this page').check();
    const selection = page.getByRole('group', { name: 'Selection' });
    await selection.getByRole('button', { name: 'Restore documents' }).click();
    const restore = page.getByRole('dialog', { name: 'Restore documents' });
    // Somebody else restores one of them in the meantime.
    const shown = await page.locator('tbody tr').first().getAttribute('data-id');
    await api('POST', `/documents/${String(shown)}/restore`);
    await restore.getByRole('button', { name: 'Restore documents' }).click();
    const report = page.getByRole('dialog', { name: '24 documents restored' });
    await report.getByText('25 of 25: 24 done, 1 failed.').waitFor();
    await waitForCount(report.getByRole('listitem'), 25);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await report.getByRole('button', { name: 'Done' }).click();
    expect(sent).toEqual([`POST ${path}/batch`]);

    await page.getByText('1 to 5 of 5').waitFor();
    await page.getByLabel('Select all on this page').check();
    await selection.getByRole('button', { name: 'Delete permanently' }).click();
    const remove = page.getByRole('dialog', { name: 'Delete permanently' });
    await remove.getByRole('button', { name: 'Delete permanently' }).click();
    const removed = page.getByRole('dialog', { name: '5 documents deleted permanently' });
    await removed.getByText('5 of 5: 5 done.').waitFor();
    await removed.getByRole('button', { name: 'Done' }).click();
    expect(sent).toEqual([`POST ${path}/batch`, `POST ${path}/batch`]);
    expect(await api('GET', '/documents?limit=100')).toHaveLength(25);
    expect(await api('GET', '/documents?limit=100&deleted=true')).toEqual([]);
  });

  it('a check shows issues, and replacements go into the text without losing what is typed', async () => {
    const { page } = ada;
    const { id } = await create(
      'Mistakes',
      'This sentense has teh mistakes.\n\nA second paragraph follows here.',
    );
    await checkerReady(dashboard, ada);
    await openAt(page, `documents/${id}?panel=check`);
    await page
      .getByRole('listitem', { name: 'spelling: sentense' })
      .waitFor({ timeout: ANALYZED_WITHIN_MS });
    await typeAt(page, 'A second paragraph follows here.', 'Look: ');
    await page.getByRole('button', { name: 'Accept sentence for sentense' }).click();
    await page.getByRole('button', { name: 'Accept the for teh' }).click();
    await page.getByLabel('Content').getByText('This sentence has the mistakes.').waitFor();
    await saved(
      page,
      id,
      'This sentence has the mistakes.\n\nLook: A second paragraph follows here.',
    );
  });

  it('a viewer reads and changes nothing, and a new document saves itself', async () => {
    const { page, accountId } = ada;
    const { id } = await create('To be read', 'Read me.');
    const viewer = await dashboard.visitor('Vera');
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const post = async (by: Visitor, path: string, data: object) => {
      const response = await by.context.request.post(
        `${dashboard.app.origin}/dashboard/api${path}`,
        {
          headers,
          data,
        },
      );
      return ((await response.json()) as { data: { link: string } }).data;
    };
    const { email } = viewer;
    const { link } = await post(ada, `/accounts/${accountId}/invitations`, {
      email,
      role: 'viewer',
    });
    await post(viewer, '/links/use', { token: link.split('#')[1] });
    await openAt(viewer.page, `documents/${id}`);
    await viewer.page.getByText('Read only').waitFor();
    const content = viewer.page.getByLabel('Content');
    await content.and(viewer.page.locator('[aria-readonly=true]')).waitFor();
    await viewer.page.getByRole('button', { name: 'Publish', disabled: true }).waitFor();
    await viewer.page.goto(`${dashboard.app.origin}/dashboard/${accountId}/documents`);
    await viewer.page.getByRole('link', { name: 'To be read' }).waitFor();
    await viewer.page.getByRole('button', { name: 'New document', disabled: true }).waitFor();
    await viewer.context.close();

    await ada.open('documents');
    await page.keyboard.press('c');
    await page.getByLabel('Title').fill('Begun by itself');
    await page.getByLabel('Content').fill('Some words.');
    await page.waitForURL(/documents\/doc_/);
    await waitFor(page, 'Saved');
    await page.getByLabel('Content').getByText('Some words.').waitFor();
  });

  it('a template is written, previewed and used, and is 360 px wide like all pages of documents', async () => {
    const { page } = ada;
    await ada.open('templates');
    await page.getByRole('table', { name: 'Templates' }).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'New template' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Offer');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByLabel('Content').fill('Dear {{client}},');
    await page.getByRole('button', { name: 'Add variable' }).click();
    await page.getByLabel('Variable 1', { exact: true }).fill('client');
    await page.getByLabel('client is required').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Missing values: client').waitFor();
    await page.getByRole('button', { name: 'Use template' }).click();
    await page.getByLabel('Title').fill('Offer to Bob');
    await page.getByRole('textbox', { name: 'client', exact: true }).fill('Bob');
    await page.getByText('Dear Bob,').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByLabel('Content').getByText('Dear Bob,').waitFor();
    const address = page.url();
    await page.setViewportSize({ width: 360, height: 740 });
    for (const url of [
      address,
      `${address}/history`,
      address.replace(/documents.*/, 'documents'),
    ]) {
      await page.goto(url);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForFunction('document.documentElement.scrollWidth === 360');
    }
  });
});
