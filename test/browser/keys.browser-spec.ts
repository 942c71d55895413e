import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  describeInBrowser,
  useDashboard,
} from './support/dashboard.js';

const PHONE = { width: 375, height: 700 };

describeInBrowser('The Keys page', () => {
  const dashboard = useDashboard();

  const statusOf = async (key: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${key}` };
    return (await fetch(`${dashboard.app.origin}/v1/documents`, { headers })).status;
  };

  const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

  async function choose(page: Page, row: string, action: string): Promise<void> {
    await page.getByRole('button', { name: `Actions for ${row}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  /** Returns the key that a dialog shows once, and closes it. */
  async function shownKey(page: Page, title: 'Key created' | 'Key rotated'): Promise<string> {
    const dialog = dialogOf(page, title);
    const key = await dialog.getByRole('textbox', { name: 'API key' }).inputValue();
    await dialog.getByRole('button', { name: 'Copy key' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'hidden' });
    return key;
  }

  const scope = (dialog: Locator, name: string) =>
    dialog.getByRole('checkbox', { name, exact: true });

  it('the Keys page creates a service account, a key for it and moves a key to it; deleting it names the keys that stop working', async () => {
    const { page, open } = await dashboard.visitor('Sven Setup');
    await open('keys?tab=service-accounts');
    await page.getByRole('button', { name: 'Create service account' }).click();
    const form = dialogOf(page, 'Create service account');
    await form.getByLabel('Name').fill('Website sync');
    await form.getByLabel('Role').selectOption('Viewer');
    await form.getByRole('button', { name: 'Create service account', exact: true }).click();
    await page.getByRole('status').getByText('Website sync created.').waitFor();
    const table = page.getByRole('table', { name: 'Service accounts' });
    await table.getByRole('row', { name: /Website sync.*Viewer.*0.*Never/ }).waitFor();

    // The role of the owner limits the scopes.
    await choose(page, 'Website sync', 'Create key');
    const create = dialogOf(page, 'Create key');
    await create.getByLabel('Name', { exact: true }).fill('Nightly sync');
    expect(await scope(create, 'documents:read').isDisabled()).toBe(false);
    expect(await scope(create, 'documents:write').isDisabled()).toBe(true);
    await scope(create, 'documents:read').check();
    await create.getByRole('button', { name: 'Create key', exact: true }).click();
    const first = await shownKey(page, 'Key created');
    expect(await statusOf(first)).toBe(200);

    await page.getByRole('tab', { name: 'Active', exact: true }).click();
    await page.getByRole('row', { name: /Nightly sync.*Website sync.*Service account/ }).waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await create.getByLabel('Name', { exact: true }).fill('Of a person');
    await scope(create, 'documents:read').check();
    await create.getByRole('button', { name: 'Create key', exact: true }).click();
    const personal = await shownKey(page, 'Key created');
    await choose(page, 'Of a person', 'Rotate key');
    const rotate = dialogOf(page, 'Rotate key');
    await rotate.getByRole('radio', { name: /^None/ }).check();
    await rotate.getByLabel('Owner of the new key').selectOption('Website sync (service account)');
    await rotate.getByRole('button', { name: 'Rotate key', exact: true }).click();
    const moved = await shownKey(page, 'Key rotated');
    expect([await statusOf(personal), await statusOf(moved)]).toEqual([401, 200]);

    await page.getByRole('tab', { name: 'Service accounts' }).click();
    await choose(page, 'Website sync', 'Edit service account');
    const edit = dialogOf(page, 'Edit service account');
    await edit.getByLabel('Name').fill('Site sync');
    await edit.getByLabel('Role').selectOption('Member');
    await edit.getByRole('button', { name: 'Save service account' }).click();
    await table.getByRole('row', { name: /Site sync.*Member.*2/ }).waitFor();
    await page.setViewportSize(PHONE);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);

    await choose(page, 'Site sync', 'Delete service account');
    const question = dialogOf(page, 'Delete service account');
    await question.getByText(/Its 2 keys \(Of a person and Nightly sync\) stop working/).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await question.getByRole('button', { name: 'Delete service account', exact: true }).click();
    await page.getByRole('status').getByText('Site sync deleted.').waitFor();
    await page.getByText('No service accounts yet.').waitFor();
    await eventually(
      async () => [await statusOf(first), await statusOf(moved)],
      (statuses) => statuses.every((status) => status === 401),
    );
  });

  it('the Keys page sets the limits of a key, says which ones are wrong, and changes them', async () => {
    const { page, open } = await dashboard.visitor();
    await page.setViewportSize(PHONE);
    await open('keys?dialog=create-key');
    const create = dialogOf(page, 'Create key');
    await create.getByLabel('Name', { exact: true }).fill('Limited');
    await scope(create, 'documents:read').check();
    const submit = create.getByRole('button', { name: 'Create key', exact: true });
    for (const wrong of ['0', '1.5', 'many']) {
      await create.getByLabel('Per minute').fill(wrong);
      await create.getByText('Enter a whole number of 1 or more.').waitFor();
      expect(await submit.isDisabled()).toBe(true);
    }
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await create.getByLabel('Per minute').fill('60');
    await create.getByLabel('Per day').fill('1000');
    await submit.click();
    await shownKey(page, 'Key created');

    await page.getByRole('link', { name: 'Limited' }).click();
    const panel = dialogOf(page, 'Limited');
    await panel.getByText('60 per minute, 1,000 per day').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Edit key' }).click();
    const edit = dialogOf(page, 'Edit key');
    expect(await edit.getByLabel('Per day').inputValue()).toBe('1000');
    await edit.getByLabel('Per minute').fill('');
    await edit.getByLabel('Per hour').fill('200');
    await edit.getByRole('button', { name: 'Save key' }).click();
    await panel.getByText('200 per hour, 1,000 per day').waitFor();
  });
});
