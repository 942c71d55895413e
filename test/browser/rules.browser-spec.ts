import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  ANALYZED_WITHIN_MS,
  checkerReady,
  describeInBrowser,
  editorReady,
  useDashboard,
  type Visitor,
} from './support/dashboard.js';

const TEXT = 'They accused him for stealing. It is definately so.';

describeInBrowser('analysis rules in the dashboard', () => {
  const dashboard = useDashboard();
  let ada: Visitor;

  beforeEach(async () => {
    ada = await dashboard.visitor('Ada', 'enterprise');
  });

  const api = async (method: string, path: string, data?: unknown): Promise<any> => {
    const url = `${dashboard.app.origin}/dashboard/api/accounts/${ada.accountId}/v1${path}`;
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const response = await ada.context.request.fetch(url, { method, headers, data });
    return ((await response.json()) as { data: unknown }).data;
  };
  const address = (path: string) => `${dashboard.app.origin}/dashboard/${ada.accountId}/${path}`;
  const disabledRules = async () =>
    ((await api('GET', '/analysis-settings')) as { disabledRules: string[] }).disabledRules;
  const isOff = (ids: string[]) =>
    eventually(disabledRules, (found) => JSON.stringify(found) === JSON.stringify(ids));

  it('The dashboard names the rule of an issue, its reason and its certainty, and turns it off and on', async () => {
    const { page } = ada;
    const { id } = (await api('POST', '/documents', { title: 'x', content: TEXT })) as {
      id: string;
    };
    await checkerReady(dashboard, ada);
    await page.goto(address(`documents/${id}?panel=check`));
    await editorReady(page);
    const issue = page.getByRole('listitem', { name: 'grammar: for' });
    await issue.waitFor({ timeout: ANALYZED_WITHIN_MS });
    const choose = async (name: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).press('Enter');
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('for', 'Show rule');
    expect(await issue.innerText()).toMatch(/Rule grammar\.accuse-of · \d\d% sure/);
    expect(await issue.innerText()).toContain('Corrects "accuse for" to "accuse of".');
    const misspelling = page.getByRole('listitem', { name: 'spelling: definately' });
    await choose('definately', 'Show rule');
    expect(await misspelling.innerText()).toContain('Rule spelling.unknown-word · Sure');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(375);
    await choose('for', 'Turn off rule');
    await issue.waitFor({ state: 'detached' });
    await isOff(['grammar.accuse-of']);
    await misspelling.waitFor();
    const message = page
      .getByRole('status')
      .filter({ hasText: 'Rule grammar.accuse-of turned off for the account.' });
    await message.getByRole('button', { name: 'Undo' }).click();
    await issue.waitFor();
    await isOff([]);
  });

  it('analysis rules in the dashboard are listed in the settings, to search and to turn off', async () => {
    const { page } = ada;
    await page.goto(address('settings?tab=analysis'));
    await page.getByText('All rules are turned on.').waitFor();
    await page.getByRole('button', { name: 'Show all rules' }).click();
    await page.getByLabel('Search rules').fill('accuse');
    const rule = page
      .getByRole('list', { name: 'Rules' })
      .getByRole('listitem')
      .filter({ hasText: 'grammar.accuse-of' });
    await rule.waitFor();
    expect(await rule.innerText()).toContain('They accused him of stealing the bike.');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await rule.getByRole('button', { name: 'Turn off grammar.accuse-of' }).click();
    await rule.getByRole('button', { name: 'Turn on grammar.accuse-of' }).waitFor();
    await page.getByLabel('State').selectOption('Turned off');
    await rule.waitFor();
    await page.getByRole('tab', { name: 'Analysis' }).click();
    await page.getByRole('list', { name: 'Rules turned off' }).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Turn on grammar.accuse-of' }).click();
    await page.getByText('All rules are turned on.').waitFor();
    await isOff([]);
  });

  it('analysis rules in the dashboard are turned off by owners only', async () => {
    await dashboard.app.dataSource.query(
      `UPDATE members SET role = 'member' WHERE account_id = $1`,
      [decodeId('account', ada.accountId)],
    );
    const { page } = ada;
    await page.goto(address('settings?tab=rules&search=accuse'));
    await page.getByText('Only owners can turn rules off.').waitFor();
    await page.getByText('grammar.accuse-of').waitFor();
    expect(await page.getByRole('button', { name: /^Turn off/ }).count()).toBe(0);
  });
});
