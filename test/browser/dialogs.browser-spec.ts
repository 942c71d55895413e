import type { BrowserContext, Locator, Page } from 'playwright-core';
import { describeInBrowser, isSecondTry, openInApp, useDashboard } from './support/dashboard.js';
import {
  addressOf,
  dialogsOf,
  furnishedAccount,
  type FurnishedAccount,
} from './support/furnished-account.js';

/** Enters a value that the field accepts. */
async function enter(field: Locator): Promise<void> {
  const kind = await field.evaluate((element) => {
    const { tagName, type } = element as unknown as { tagName: string; type: string };
    return tagName === 'SELECT' ? 'select' : type;
  });
  if (kind === 'checkbox' || kind === 'radio') await field.check();
  else if (kind === 'select') await field.selectOption({ index: 0 });
  else if (kind === 'datetime-local') await field.fill('2026-01-02T03:04');
  else if (kind === 'file') await field.setInputFiles('package.json');
  else await field.fill('Something typed');
}

describeInBrowser('The dialogs of the dashboard', () => {
  const dashboard = useDashboard();
  let account: FurnishedAccount;
  let page: Page;
  const furnish = async () => {
    account = await furnishedAccount(dashboard);
    ({ page } = account);
    dashboard.keepPages();
  };
  beforeAll(async () => {
    await furnish();
  });
  beforeEach(async () => {
    if (isSecondTry()) await furnish();
  });

  const isGone = (dialog: Locator) => dialog.waitFor({ state: 'detached' });

  it('The dialogs of the dashboard have their own URLs: a reload opens them again, and input is never lost silently', async () => {
    await account.open('overview');
    for (const { page: place, dialog: name, title, field } of dialogsOf(account)) {
      const address = addressOf(account, place, name);
      if (page.url() !== addressOf(account, place)) {
        await page.goto(addressOf(account, place));
        await page.getByRole('heading', { level: 1 }).waitFor();
      }
      await page.evaluate(openInApp(address, { dialogHasPageBefore: true }));
      const dialog = page.getByRole('dialog', { name: title, exact: true });
      await dialog.waitFor();
      await page.reload();
      await dialog.waitFor();
      if (field === undefined) {
        await page.keyboard.press('Escape');
        await isGone(dialog);
        await page.waitForURL(addressOf(account, place));
        continue;
      }
      // Required fields have an asterisk.
      const input = dialog.getByLabel(new RegExp(`^${field}( \\*)?$`));
      await enter(input);
      const question = dialog.getByRole('alert').filter({ hasText: 'Discard your changes?' });
      const ways = [
        () => page.goBack({ waitUntil: 'commit' }),
        () => page.keyboard.press('Escape'),
        () => dialog.getByRole('button', { name: 'Close' }).click(),
        () => dialog.getByRole('button', { name: 'Cancel' }).first().click(),
        () => page.keyboard.press('Control+k'),
      ];
      // Every way for one dialog, and Back for all of them, because they share one mechanism.
      for (const leave of name === 'create-key' ? ways : ways.slice(0, 1)) {
        await leave();
        await question.waitFor();
        expect(page.url()).toBe(address);
        await dialog.getByRole('button', { name: 'Keep editing' }).click();
        await isGone(question);
      }
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await isGone(dialog);
      await page.waitForURL(addressOf(account, place));
    }
  });

  const callAs = async (
    { request }: BrowserContext,
    method: string,
    path: string,
    data?: unknown,
  ) => {
    const { origin } = dashboard.app;
    const headers = { Origin: origin, 'X-Dashboard-Request': '1' };
    const response = await request.fetch(`${origin}/dashboard/api${path}`, {
      method,
      headers,
      data,
    });
    return (
      (JSON.parse((await response.text()) || '{}') as { data?: { id: string } }).data?.id ?? ''
    );
  };
  /** Goes from a list to one of its rows without reloading the page. */
  const openRow = async (list: string, id: string) => {
    await account.open(list);
    await page.locator(`tbody a[href*="${id}"]`).first().click();
  };

  it('The dialogs of the dashboard open from a link in the app to another list', async () => {
    const { page: own, context, accountId, open } = await dashboard.visitor();
    const documents = `/accounts/${accountId}/v1/documents`;
    const ids: string[] = [];
    for (const title of ['Kept', 'Trashed']) {
      ids.push(await callAs(context, 'POST', documents, { title, content: 'x' }));
    }
    const [, trashed = ''] = ids;
    await callAs(context, 'DELETE', `${documents}/${trashed}`);
    await open('documents');
    await own.getByRole('link', { name: 'Kept' }).waitFor();
    const address = `/dashboard/${accountId}/documents?tab=trash&dialog=restore&of=${trashed}`;
    await own.evaluate(openInApp(address));
    await own.getByRole('dialog', { name: 'Restore' }).waitFor();
  });

  it('The dialogs of the dashboard close with Back even without their own URL, such as that of an old version', async () => {
    const documents = `/accounts/${account.accountId}/v1/documents`;
    const id = await callAs(account.context, 'POST', documents, { title: 'Both', content: 'one' });
    await callAs(account.context, 'PATCH', `${documents}/${id}`, { content: 'two' });
    await openRow('documents', id);
    await page.getByRole('button', { name: 'Actions for this document' }).click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Actions for Version 1' }).click();
    await page.getByRole('menuitem', { name: 'Restore this version' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore this version' });
    await dialog.waitFor();
    await page.goBack({ waitUntil: 'commit' });
    await isGone(dialog);
    await page.waitForURL(/history/);
  });

  it('The dialogs of the dashboard ask before leaving a page with an unsaved form, however often Back is pressed', async () => {
    const main = page.getByRole('main');
    for (const [list, id, leave] of [
      ['templates', account.ids.template, () => page.goBack({ waitUntil: 'commit' })],
      [
        'webhooks',
        account.ids.webhook,
        () => main.getByRole('tab', { name: 'Deliveries' }).click(),
      ],
    ] as const) {
      await openRow(list, id);
      if (list === 'webhooks') await main.getByRole('tab', { name: 'Settings' }).click();
      const field = main.getByLabel('Description', { exact: true });
      await field.waitFor();
      const address = page.url();
      await field.fill('typed');
      await leave();
      const dialog = page.getByRole('dialog', { name: 'Leave without saving' });
      await dialog.waitFor();
      await page.goBack({ waitUntil: 'commit' });
      await page.waitForURL(address);
      if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Cancel' }).click();
      await isGone(dialog);
      expect(await field.inputValue()).toBe('typed');
      await leave();
      await dialog.getByRole('button', { name: 'Leave without saving' }).click();
      await field.waitFor({ state: 'detached' });
    }
  });

  it('The dialogs of the dashboard stay open with their input when the session ends, until the person has signed in again', async () => {
    const { page, context, open, email, password } = await dashboard.visitor();
    await open('templates');
    await page.getByRole('button', { name: 'New template' }).click();
    const dialog = page.getByRole('dialog', { name: 'New template' });
    const name = dialog.getByLabel(/^Name/);
    await name.fill('Late');
    await callAs(context, 'DELETE', '/session');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('You are not signed in, or your session has ended').waitFor();
    await callAs(context, 'POST', '/session', { email, password });
    expect(await name.inputValue()).toBe('Late');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Late', exact: true }).waitFor();
  });

  it('The dialogs of the dashboard close with Back, which stays on the page, and open again with Forward', async () => {
    for (const { page: place, button, title, field } of [
      { page: 'keys', button: 'Create key', title: 'Create key', field: 'Name' },
      { page: 'members', button: 'Invite member', title: 'Invite member', field: 'Email' },
      { page: 'overview', button: 'Search or jump to…', title: 'Command palette' },
      { page: 'documents', button: 'Import documents', title: 'Import documents' },
    ]) {
      await account.open(place);
      await page.getByRole('button', { name: button }).first().click();
      const dialog = page.getByRole('dialog', { name: title, exact: true });
      await dialog.waitFor();
      await page.goBack();
      await isGone(dialog);
      await page.waitForURL(addressOf(account, place));
      await page.goForward();
      await dialog.waitFor();
      if (field !== undefined) {
        await dialog.getByLabel(field, { exact: true }).fill('Something');
        await page.goBack({ waitUntil: 'commit' });
        await dialog.getByRole('button', { name: 'Discard' }).click();
      } else {
        await page.keyboard.press('Escape');
      }
      await isGone(dialog);
      await page.waitForURL(addressOf(account, place));
    }
    // Closing undoes the history entry that opening added, so the next Back leaves the page.
    await account.open('jobs');
    await page.getByRole('navigation').getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await isGone(page.getByRole('dialog'));
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  });
});
