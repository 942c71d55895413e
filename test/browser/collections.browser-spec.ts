import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import type { Locator, Page } from 'playwright-core';
import { decodeId, encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  describeInBrowser,
  loadAxe,
  useDashboard,
  type Visitor,
} from './support/dashboard.js';

const PHONE = { width: 375, height: 700 };

interface Row {
  id: string;
  [field: string]: unknown;
}

describeInBrowser('Folders in the dashboard', () => {
  const dashboard = useDashboard();

  /** Sends requests to `/v1` with the session of a person. */
  const apiOf = ({ context }: Visitor, accountId: string) => {
    const { origin } = dashboard.app;
    return async (method: string, path: string, data?: unknown): Promise<Row> => {
      const response = await context.request.fetch(
        `${origin}/dashboard/api/accounts/${accountId}/v1/${path}`,
        {
          method,
          headers: { Origin: origin, 'X-Dashboard-Request': '1' },
          ...(data !== undefined && { data }),
        },
      );
      if (!response.ok()) throw new Error(`${method} ${path}: ${await response.text()}`);
      return ((await response.json()) as { data: Row }).data;
    };
  };

  /** Adds a person to an account. Returns the public ID. */
  const join = async (person: Visitor, accountId: string, role: string): Promise<string> => {
    const [row] = await dashboard.app.dataSource.query<{ user_id: string }[]>(
      `INSERT INTO members (account_id, user_id, role, created_at)
       SELECT $1, user_id, $3, now() FROM members WHERE account_id = $2 RETURNING user_id`,
      [decodeId('account', accountId), decodeId('account', person.accountId), role],
    );
    return encodeId('user', row?.user_id ?? '');
  };

  /** An account with the folders HR (restricted) and Notes with Archive in it, and three documents. */
  const furnished = async () => {
    const owner = await dashboard.visitor('Olga Owner', 'enterprise');
    const api = apiOf(owner, owner.accountId);
    const make = (name: string, more: object = {}) => api('POST', 'collections', { name, ...more });
    const hr = await make('HR', { access: { everyone: null, people: [] } });
    const notes = await make('Notes');
    const old = await make('Archive', { parentId: notes.id });
    const documents = [
      await api('POST', 'documents', { title: 'Salaries', content: 'x', collectionId: hr.id }),
      await api('POST', 'documents', { title: 'Minutes', content: 'x', collectionId: notes.id }),
      await api('POST', 'documents', { title: 'Ideas', content: 'x' }),
    ];
    return { owner, api, hr, notes, old, documents };
  };

  const folder = (page: Page, name: string) =>
    page.getByRole('tree', { name: 'Folders' }).getByRole('treeitem', { name });
  const row = (page: Page, title: string) =>
    page.getByRole('table', { name: 'Documents' }).getByRole('row', { name: title });
  const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
  const chooseIn = async (page: Page, item: Locator, name: string, action: string) => {
    await item.hover();
    await page
      .getByRole('button', { name: `Actions for ${name}`, exact: true })
      .first()
      .click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const said = (page: Page, sentence: string | RegExp) =>
    page.getByText(sentence).first().waitFor();

  it('the first folder is created beside the documents, renamed and deleted with what is in it; a new document belongs to the open folder', async () => {
    const { page, open } = await dashboard.visitor('Fred First');
    await open('documents');
    await page.getByRole('button', { name: 'New folder' }).click();
    const create = dialogOf(page, 'New folder');
    await create.getByLabel('Name').fill('Reports');
    await create.getByRole('button', { name: 'Create folder' }).click();
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
    await said(page, 'No documents in this folder yet.');

    await page.getByRole('button', { name: 'New document' }).click();
    expect(await page.getByLabel('Folder', { exact: true }).inputValue()).toMatch(/^col_/);
    await page.getByRole('textbox', { name: 'Title' }).fill('Quarter 1');
    await page.getByRole('button', { name: 'Create document' }).click();
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
    await crumbs.getByRole('link', { name: 'Reports' }).click();
    await row(page, 'Quarter 1').waitFor();
    await folder(page, 'Reports, 1 document').waitFor();

    await chooseIn(page, folder(page, 'Reports'), 'Reports', 'Rename folder');
    const rename = dialogOf(page, 'Rename folder');
    await rename.getByLabel('Name').fill('Reports 2026');
    await rename.getByRole('button', { name: 'Rename folder' }).click();
    await page.getByRole('heading', { level: 1, name: 'Reports 2026' }).waitFor();

    await chooseIn(page, folder(page, 'Reports 2026'), 'Reports 2026', 'Delete folder');
    const remove = dialogOf(page, 'Delete folder');
    await remove.getByText('1 document will move to the trash.').waitFor();
    await remove.getByRole('button', { name: 'Delete folder' }).click();
    await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
    await page.getByRole('tab', { name: 'Trash' }).click();
    await row(page, 'Quarter 1').waitFor();
  });

  it('the tree of folders is one stop of the Tab key, and arrow keys, letters and Shift+F10 work in it', async () => {
    const { owner } = await furnished();
    const { page, open } = owner;
    await open('documents');
    const focused = () =>
      page.evaluate<string>(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      );
    await folder(page, 'All documents').focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Not in a folder');
    await page.keyboard.press('n');
    expect(await focused()).toMatch(/^Notes/);
    expect(await folder(page, 'Archive').count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toMatch(/^Archive/);
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toMatch(/^Notes/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();
    await row(page, 'Minutes').waitFor();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Rename folder' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    await eventually(focused, (name) => name === 'All documents');
    expect(await page.locator('[role=treeitem][tabindex="0"]').count()).toBe(1);
  });

  it('documents and folders are moved by dragging, and a move to other readers asks first', async () => {
    const { owner, api, notes, old, documents } = await furnished();
    const { page, open } = owner;
    await open('documents');
    await row(page, 'Ideas').getByRole('link').dragTo(folder(page, 'Notes'));
    await said(page, 'Ideas moved to Notes.');
    await folder(page, 'Notes, 2 documents').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await folder(page, 'Notes, 1 document').waitFor();

    // Only some people can open HR.
    await row(page, 'Ideas').getByRole('link').dragTo(folder(page, 'HR'));
    const asks = dialogOf(page, 'Move to folder');
    await asks.getByText('Only people who can open “HR” can read it there.').waitFor();
    await asks.getByRole('button', { name: 'Cancel' }).click();
    expect((await api('GET', `documents/${documents[2]?.id ?? ''}`))['collectionId']).toBeNull();

    await row(page, 'Salaries')
      .getByRole('link', { name: 'Salaries' })
      .dragTo(folder(page, 'Not in a folder'));
    await asks.getByText('Everyone in Olga Owner can read it there.', { exact: false }).waitFor();
    await asks.getByRole('button', { name: 'Move', exact: true }).click();
    await said(page, 'Salaries moved out of its folder.');
    expect((await api('GET', `documents/${documents[0]?.id ?? ''}`))['collectionId']).toBeNull();

    await folder(page, 'Notes').press('ArrowRight');
    await folder(page, 'Archive').dragTo(folder(page, 'All documents'));
    await said(page, 'Archive moved to the top.');
    await folder(page, 'Archive').and(page.locator('[aria-level="1"]')).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await folder(page, 'Archive').and(page.locator('[aria-level="2"]')).waitFor();
    const moved = await api('GET', `collections/${old.id}`);
    expect(moved['parentId']).toBe(notes.id);
  });

  it('one document, a selection and a folder are moved with “Move to folder”', async () => {
    const { owner, api, documents, notes, old } = await furnished();
    const { page, open } = owner;
    await open('documents');
    await page.getByRole('button', { name: 'Actions for Ideas' }).click();
    await page.getByRole('menuitem', { name: 'Move to folder' }).click();
    const move = dialogOf(page, 'Move to folder');
    expect(
      await move.getByRole('treeitem', { name: 'Not in a folder' }).getAttribute('aria-disabled'),
    ).toBe('true');
    await move.getByRole('treeitem', { name: 'Notes' }).click();
    await move.getByRole('button', { name: 'Move', exact: true }).click();
    await said(page, 'Ideas moved to Notes.');

    for (const title of ['Ideas', 'Minutes']) await page.getByLabel(`Select ${title}`).check();
    const selection = page.getByRole('group', { name: 'Selection' });
    await selection.getByRole('button', { name: 'Move to folder' }).click();
    await move.getByRole('treeitem', { name: 'HR' }).click();
    await move.getByText('Only people who can open “HR” can read them there.').waitFor();
    await move.getByRole('button', { name: 'Move to folder' }).click();
    await dialogOf(page, '2 documents moved').getByRole('button', { name: 'Done' }).click();
    await folder(page, 'HR, 3 documents, restricted').waitFor();

    await chooseIn(page, folder(page, 'Notes'), 'Notes', 'Move to folder');
    await move.getByRole('treeitem', { name: 'HR' }).click();
    await move.getByRole('button', { name: 'Move', exact: true }).click();
    await said(page, 'Notes moved to HR.');
    await folder(page, 'HR').press('ArrowRight');
    expect(await folder(page, 'Notes').getAttribute('aria-level')).toBe('2');

    // On the page of a document, too.
    await open(`documents/${documents[1]?.id ?? ''}`);
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
    await crumbs.getByRole('link', { name: 'HR' }).waitFor();
    await page.getByRole('button', { name: 'Actions for this document' }).click();
    await page.getByRole('menuitem', { name: 'Move to folder' }).click();
    await move.getByRole('treeitem', { name: 'HR' }).press('ArrowRight');
    await move.getByRole('treeitem', { name: 'Notes' }).click();
    await move.getByRole('button', { name: 'Move', exact: true }).click();
    await crumbs.getByRole('link', { name: 'Notes' }).waitFor();
    expect(notes.id).not.toBe(old.id);
    const moved = await api('GET', `documents/${documents[1]?.id ?? ''}`);
    expect(moved['collectionId']).toBe(notes.id);
  });

  it('who has access to a folder is chosen by name; a person without access sees nothing of it, and one who can view has no buttons that change it and can export it', async () => {
    const { owner, hr, documents } = await furnished();
    const { page, open } = owner;
    const mara = await dashboard.visitor('Mara Member');
    await join(mara, owner.accountId, 'member');
    const theirs = (path: string) =>
      mara.page.goto(`${dashboard.app.origin}/dashboard/${owner.accountId}/${path}`);
    await theirs('documents');
    await row(mara.page, 'Minutes').waitFor();
    await folder(mara.page, 'Notes').waitFor();
    expect(await mara.page.getByText('HR').count()).toBe(0);
    expect(await mara.page.getByText('Salaries').count()).toBe(0);
    await theirs(`documents?folder=${hr.id}`);
    await mara.page.getByRole('heading', { level: 1, name: 'Folder not found' }).waitFor();
    await theirs(`documents/${documents[0]?.id ?? ''}`);
    await mara.page.getByRole('heading', { level: 1, name: 'Document not found' }).waitFor();

    await open('documents');
    await chooseIn(page, folder(page, 'HR'), 'HR', 'Who has access');
    const access = dialogOf(page, 'Who has access');
    await access.getByLabel('Add people').fill('mara');
    await access.getByRole('button', { name: 'Mara Member' }).click();
    expect(await access.getByLabel('Access of Mara Member').inputValue()).toBe('viewer');
    await access.getByText('Can suggest changes').waitFor();
    await access.getByRole('button', { name: 'Save access' }).click();
    await said(page, 'Access to HR saved.');

    await theirs(`documents?folder=${hr.id}`);
    await mara.page.getByRole('heading', { level: 1, name: 'HR' }).waitFor();
    await row(mara.page, 'Salaries').waitFor();
    expect(await mara.page.getByRole('button', { name: 'New document' }).count()).toBe(0);
    await mara.page
      .getByRole('toolbar', { name: 'Page actions' })
      .getByRole('button', { name: 'Actions for HR' })
      .click();
    const menu = mara.page.getByRole('menu', { name: 'Actions for HR' });
    await menu.waitFor();
    expect(await menu.getByRole('menuitem').allTextContents()).toEqual(['Export folder']);
    await mara.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await mara.page.getByRole('button', { name: 'Actions for Salaries' }).click();
    const deleting = mara.page.getByRole('menuitem', { name: 'Delete document' });
    expect(await deleting.isDisabled()).toBe(true);
    expect(await deleting.getAttribute('title')).toBe('You can only view “HR”.');
    await theirs(`documents/${documents[0]?.id ?? ''}`);
    await mara.page.getByText('Read only').waitFor();

    // The member page says the same.
    await open('members');
    await page.getByRole('button', { name: 'Actions for Mara Member' }).click();
    await page.getByRole('menuitem', { name: 'Folders' }).click();
    const list = page.getByRole('list', { name: 'Folders of Mara Member' });
    await list.getByRole('listitem').filter({ hasText: 'HR' }).getByText('Can suggest').waitFor();
    await list.getByRole('listitem').filter({ hasText: 'Archive' }).getByText('Can edit').waitFor();
  });

  it('a row of a list links to the folder of its document, unless that is the open one', async () => {
    const { owner, api, old } = await furnished();
    await api('POST', 'documents', { title: 'Year 2020', content: 'x', collectionId: old.id });
    const { page, open } = owner;
    await open('documents');
    const placeOf = (title: string) => row(page, title).getByRole('link', { name: /^Folder / });
    await placeOf('Salaries').getByText('HR').waitFor();
    expect(await placeOf('Ideas').count()).toBe(0);
    await placeOf('Minutes').click();
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();
    await placeOf('Year 2020').getByText('Archive').waitFor();
    expect(await placeOf('Minutes').count()).toBe(0);
  });

  it('a folder is exported as a zip, which the browser saves and the Jobs page keeps', async () => {
    const { owner, api, old } = await furnished();
    await api('POST', 'documents', { title: 'Year 2020', content: 'x', collectionId: old.id });
    const { page, open } = owner;
    await open('documents');
    const saved = page.waitForEvent('download');
    await chooseIn(page, folder(page, 'Notes'), 'Notes', 'Export folder');
    await said(page, 'Export of Notes started.');
    const file = await saved;
    expect(file.suggestedFilename()).toBe('Notes.zip');
    const files = unzipSync(new Uint8Array(readFileSync(await file.path())));
    expect(Object.keys(files).sort()).toEqual(['Archive/Year 2020.md', 'Minutes.md']);

    await open('jobs');
    const job = page.getByRole('row', { name: 'collection.export' });
    const again = page.waitForEvent('download');
    await job.getByRole('link', { name: /^Download result/ }).click();
    expect((await again).suggestedFilename()).toBe('Notes.zip');
  });

  it('a document whose folder was deleted is restored to a folder that the person chooses', async () => {
    const { owner, api, hr, notes, documents } = await furnished();
    const { page, open } = owner;
    const id = documents[0]?.id ?? '';
    await api('DELETE', `documents/${id}`);
    await api('DELETE', `collections/${hr.id}`);
    await open('documents?tab=trash');
    await page.getByRole('button', { name: 'Actions for Salaries' }).click();
    await page.getByRole('menuitem', { name: 'Restore document' }).click();
    const restore = dialogOf(page, 'Restore document');
    await restore.getByText('The folder of “Salaries” was deleted.').waitFor();
    const submit = restore.getByRole('button', { name: 'Restore document' });
    expect(await submit.isDisabled()).toBe(true);
    await restore.getByRole('treeitem', { name: 'Notes' }).click();
    // Only some people could open the deleted folder.
    await restore.getByText('Everyone in Olga Owner can read it there.').waitFor();
    await submit.click();
    await said(page, 'Salaries restored.');
    await page.getByText('The trash is empty.').waitFor();
    expect((await api('GET', `documents/${id}`))['collectionId']).toBe(notes.id);
  });

  it('a key can be limited to folders, and the folder names it', async () => {
    const { owner, notes } = await furnished();
    const { page, open } = owner;
    await open('keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const create = dialogOf(page, 'Create key');
    await create.getByLabel('Name', { exact: true }).fill('Website');
    await create.getByRole('checkbox', { name: 'usage:read', exact: true }).check();
    await create.getByRole('checkbox', { name: 'documents:read', exact: true }).check();
    await create.getByRole('radio', { name: 'Only these' }).check();
    const submit = create.getByRole('button', { name: 'Create key', exact: true });
    expect(await submit.isDisabled()).toBe(true);
    await create.getByRole('treeitem', { name: 'Notes' }).click();
    await create.getByText('Chosen: Notes.').waitFor();
    expect(
      await create.getByRole('checkbox', { name: 'usage:read', exact: true }).isDisabled(),
    ).toBe(true);
    await submit.click();
    const made = dialogOf(page, 'Key created');
    const key = await made.getByRole('textbox', { name: 'API key' }).inputValue();
    await made.getByRole('button', { name: 'Copy key' }).click();
    await made.getByRole('button', { name: 'Done' }).click();
    const response = await fetch(`${dashboard.app.origin}/v1/documents`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const { data } = (await response.json()) as { data: Row[] };
    expect(data.map(({ title }) => title)).toEqual(['Minutes']);
    await page.getByRole('link', { name: 'Website' }).click();
    await page.getByText('Only Notes').waitFor();
    await open(`documents?dialog=folder-access&of=${notes.id}`);
    await said(page, 'The key “Website” of Olga Owner can use only this folder.');
  });

  it('folders have no axe-core findings and fit on a phone, where the tree is in a drawer', async () => {
    const { owner, hr } = await furnished();
    const { page, open } = owner;
    await loadAxe(page);
    const findings: string[] = [];
    const check = async (what: string, within?: string) => {
      const found = await accessibilityFindingsInBothSchemes(page, within);
      const width = await page.evaluate<number>(
        'document.scrollingElement.scrollWidth - innerWidth',
      );
      if (width > 0) found.push(`${String(width)} px too wide`);
      findings.push(...found.map((line) => `${what}: ${line}`));
    };
    for (const size of [{ width: 1_280, height: 800 }, PHONE]) {
      await page.setViewportSize(size);
      await open(`documents?folder=${hr.id}`);
      await row(page, 'Salaries').waitFor();
      await check(`list at ${String(size.width)}`);
      for (const [dialog, title] of [
        ['new-folder', 'New folder'],
        ['folder-access', 'Who has access'],
        ['move-folder', 'Move to folder'],
        ['rename-folder', 'Rename folder'],
        ['delete-folder', 'Delete folder'],
      ] as const) {
        await open(`documents?dialog=${dialog}&of=${hr.id}`);
        await dialogOf(page, title).getByRole('button').nth(1).waitFor();
        await check(`${title} at ${String(size.width)}`, '[role=dialog]');
      }
    }
    await open('documents');
    const opener = page.getByRole('button', { name: 'Folders', exact: true });
    await opener.click();
    await folder(page, 'HR').waitFor();
    await check('drawer', '[role=dialog]');
    await page.keyboard.press('Escape');
    await folder(page, 'HR').waitFor({ state: 'hidden' });
    await opener.and(page.locator(':focus')).waitFor();
    await opener.click();
    await folder(page, 'HR').click();
    await page.getByRole('heading', { level: 1, name: 'HR' }).waitFor();
    expect(await dialogOf(page, 'Folders').count()).toBe(0);
    expect(findings).toEqual([]);
  });
});
