import type { Page } from 'playwright-core';
import type { Role } from '../../src/features/auth/roles.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import {
  accessibilityFindingsInBothSchemes,
  describeInBrowser,
  editorReady,
  useDashboard,
  waitForCount,
  type Visitor,
} from './support/dashboard.js';

const PAGES = [
  ['overview', 'Overview'],
  ['documents', 'Documents'],
  ['templates', 'Templates'],
  ['proposals', 'Proposals'],
  ['keys', 'API keys'],
  ['webhooks', 'Webhooks'],
  ['events', 'Events'],
  ['requests', 'Requests'],
  ['jobs', 'Jobs'],
  ['members', 'Members'],
  ['audit', 'Audit log'],
  ['settings', 'Settings'],
] as const;

const GROUPS = ['Write', 'Develop', 'Manage'];
/** The last link of the navigation. */
const DOCS = 'Docs (opens in a new tab)';

/** Returns the names of the links, once there are some. */
async function namesIn(page: Page): Promise<string[]> {
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await links.first().waitFor();
  const names = await links.allTextContents();
  return names.map((name) => name.trim());
}

async function heading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

describeInBrowser('The navigation of the dashboard', () => {
  const dashboard = useDashboard();

  async function createDocument({ context, accountId }: Visitor, title: string): Promise<void> {
    const url = `${dashboard.app.origin}/dashboard/api/accounts/${accountId}/v1/documents`;
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const response = await context.request.post(url, { headers, data: { title, content: 'x' } });
    expect(response.status()).toBe(201);
  }

  it('The navigation of the dashboard reaches every page of an account through links named like the pages', async () => {
    const { page, open } = await dashboard.visitor();
    await open('overview');
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect(await namesIn(page)).toEqual([...PAGES.map(([, name]) => name), DOCS]);
    const headings = page.getByRole('navigation', { name: 'Main' }).getByRole('heading');
    expect(await headings.allInnerTexts()).toEqual(GROUPS);
    for (const [path, name] of PAGES) {
      await links.getByText(name, { exact: true }).click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      await page.waitForURL(new RegExp(`/${path}$`));
    }
  });

  it("The navigation of the dashboard has every page at a URL without an account too, which means the user's own", async () => {
    const { page, accountId } = await dashboard.visitor();
    for (const [path, name] of PAGES) {
      await page.goto(`${dashboard.app.origin}/dashboard/${path}`);
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      await page.waitForURL(`${dashboard.app.origin}/dashboard/${accountId}/${path}`);
    }
  });

  it('The navigation of the dashboard is one menu on a phone, whose groups are folded except that of the page', async () => {
    const { page, open } = await dashboard.visitor();
    await page.setViewportSize({ width: 390, height: 844 });
    await open('events');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    expect(await navigation.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    const group = (name: string, expanded: boolean) =>
      navigation.getByRole('button', { name, exact: true, expanded });
    await group('Develop', true).waitFor();
    await group('Write', false).waitFor();
    await group('Manage', false).waitFor();
    expect(await navigation.getByRole('link').allTextContents()).toEqual([
      'Overview',
      'API keys',
      'Webhooks',
      'Events',
      'Requests',
      'Jobs',
      DOCS,
    ]);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await group('Write', false).click();
    await group('Write', true).waitFor();
    await navigation.getByRole('link', { name: 'Documents' }).click();
    await heading(page, 'Documents');
    await navigation.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Search or jump to…' }).click();
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('option', { name: 'Members' }).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await palette.getByRole('button', { name: 'Close' }).click();
    await palette.waitFor({ state: 'detached' });
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBe(390);
  });

  it('The navigation of the dashboard links to the documentation, and shows the account and the person by name and initials', async () => {
    const { page, context, open } = await dashboard.visitor('Ada Lovelace');
    await open('overview');
    await page.getByRole('banner').getByText('Ada Lovelace', { exact: true }).waitFor();
    expect(await page.getByRole('banner').locator('[data-initials=AL]').count()).toBe(2);
    await page.getByText('Nothing needs attention.').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: DOCS }).click();
    const docs = await opened;
    await docs.waitForURL(/\/docs\/?$/);
  });

  it('The navigation of the dashboard has one palette, which begins with the documents edited last', async () => {
    const visitor = await dashboard.visitor();
    const { page, open } = visitor;
    await open('overview');
    for (const title of ['First', 'Second', 'Third']) await createDocument(visitor, title);
    await page.getByRole('button', { name: 'Search or jump to…' }).click();
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    const recent = palette.getByRole('group', { name: 'Recent documents' }).getByRole('option');
    await waitForCount(recent, 3);
    expect(await recent.locator('span:nth-of-type(1)').allInnerTexts()).toEqual([
      'Third',
      'Second',
      'First',
    ]);
    // Every entry has an icon.
    const entries = palette.getByRole('option');
    expect(await entries.locator('svg').count()).toBe(await entries.count());
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/documents\/doc_/);
    await page.getByLabel('Title').getByText('Second').waitFor();

    // In the text, Ctrl+K is for links.
    await editorReady(page);
    await page.getByRole('textbox', { name: 'Content', exact: true }).click();
    await page.keyboard.press('Control+p');
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await open('events');
    await page.keyboard.press('Control+Shift+k');
    await palette.waitFor();
  });

  it('The navigation of the dashboard names keys as on a Mac there, and listens to them', async () => {
    const { page, context, open } = await dashboard.visitor();
    await context.addInitScript(
      `Object.defineProperty(navigator, 'userAgent', { get: () => 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' })`,
    );
    await open('overview');
    await page.getByRole('banner').getByText('⌘K', { exact: true }).waitFor();
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await page.keyboard.press('Control+k');
    await page.keyboard.press('?');
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await shortcuts.getByText('⌘', { exact: true }).first().waitFor();
    expect(await shortcuts.getByText('Ctrl', { exact: true }).count()).toBe(0);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await shortcuts.waitFor({ state: 'detached' });
    expect(await palette.count()).toBe(0);
    await page.keyboard.press('Meta+k');
    await palette.waitFor();
  });

  it('The navigation of the dashboard waits on a page whose code cannot load while the service is unavailable, and then recovers', async () => {
    const { page, context, open } = await dashboard.visitor();
    await open('documents');
    await context.setOffline(true);
    const banner = page.getByText("Can't reach the server. Reconnecting");
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Jobs' });
    // Hovering starts loading the page's code, so the outage shows before the button is released.
    await link.hover();
    await page.mouse.down();
    await banner.waitFor();
    await page.mouse.up();
    await page.waitForURL(/\/jobs$/, { waitUntil: 'commit' });
    await context.setOffline(false);
    // The page may reload on the way, which takes a while on a busy machine.
    await page
      .getByRole('heading', { level: 1, name: 'Jobs', exact: true })
      .waitFor({ timeout: 60_000 });
    await banner.waitFor({ state: 'detached' });
  });

  it('The navigation of the dashboard asks again if the check whether the service is back gets lost', async () => {
    const { page, open } = await dashboard.visitor();
    await page.clock.install();
    await open('documents');
    await page.route('**/v1/jobs*', (route) => route.abort());
    // Leaves one request without a response.
    const isAsked = new Promise<void>((resolve) => {
      const lose = () => {
        resolve();
      };
      void page.route('**/dashboard/api/session', lose, { times: 1 });
    });
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Jobs' })
      .click();
    await isAsked;
    await page.clock.fastForward(10_000);
    const banner = page.getByText("Can't reach the server. Reconnecting");
    await banner.waitFor();
    await page.unroute('**/v1/jobs*');
    await page.clock.fastForward(3_000);
    await banner.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Jobs', exact: true }).waitFor();
  });

  it('The navigation of the dashboard sends a signed-out visitor to the sign-in page, and back to the page afterwards', async () => {
    const { email, password, accountId } = await dashboard.visitor();
    const page = await dashboard.stranger();
    await page.goto(`${dashboard.app.origin}/dashboard/${accountId}/keys?page=2`);
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await page.waitForURL(`${dashboard.app.origin}/dashboard/${accountId}/keys?page=2`);
  });

  it('The navigation of the dashboard explains unknown pages and accounts of others in words', async () => {
    const { page } = await dashboard.visitor();
    const other = await dashboard.visitor();
    await page.goto(`${dashboard.app.origin}/dashboard/${other.accountId}/keys`);
    await page.getByRole('heading', { level: 1, name: 'Account not found' }).waitFor();
    await page.goto(`${dashboard.app.origin}/dashboard/nonsense`);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  });
});

describeInBrowser('The navigation of the dashboard for a role', () => {
  const dashboard = useDashboard();

  /** Gives a person a role in the account of somebody else. Invitations have their own tests. */
  async function join(guest: Visitor, host: Visitor, role: Role): Promise<void> {
    const sql = `INSERT INTO members (account_id, user_id, role, created_at)
      SELECT $1, user_id, $3, now() FROM members WHERE account_id = $2`;
    const ids = [host, guest].map(({ accountId }) => decodeId('account', accountId));
    await dashboard.app.dataSource.query(sql, [...ids, role]);
  }

  it.each([
    {
      role: 'viewer',
      first: 'Documents',
      hidden: ['API keys', 'Webhooks', 'Events', 'Requests', 'Jobs', 'Audit log'],
    },
    { role: 'member', first: 'Documents', hidden: ['API keys', 'Audit log'] },
    { role: 'admin', first: 'Overview', hidden: [] },
  ] as const)(
    'The navigation of the dashboard for the role $role begins with its first page, and shows only the pages that the person may open, also in the palette and the list of shortcuts',
    async ({ role, first, hidden }) => {
      const host = await dashboard.visitor('Hanna Host');
      const guest = await dashboard.visitor('Gil Guest');
      await join(guest, host, role);
      const { page } = guest;
      await guest.open('overview');
      await page.getByRole('button', { name: 'Gil Guest: switch account' }).click();
      await page.getByRole('menuitem', { name: 'Hanna Host' }).click();
      await heading(page, first);
      await page.waitForURL(
        `${dashboard.app.origin}/dashboard/${host.accountId}/${first.toLowerCase()}`,
      );
      // The account that was shown last is the one without a name in the address.
      await page.goto(`${dashboard.app.origin}/dashboard/`);
      await heading(page, first);
      await page.waitForURL(new RegExp(host.accountId));
      const shown = PAGES.map(([, name]) => name).filter(
        (name) => !(hidden as readonly string[]).includes(name),
      );
      expect(await namesIn(page)).toEqual([...shown, DOCS]);
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Command palette' });
      const pages = palette.getByRole('group', { name: 'Pages' }).getByRole('option');
      await waitForCount(pages, shown.length + 1);
      expect(await pages.allInnerTexts()).toEqual([...shown, 'Profile']);
      const actions = palette.getByRole('group', { name: 'Actions' });
      expect(await actions.getByText('Create webhook').count()).toBe(role === 'admin' ? 1 : 0);
      await page.keyboard.press('Escape');
      await palette.waitFor({ state: 'detached' });

      await page.keyboard.press('?');
      const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await shortcuts.getByRole('region', { name: 'Documents', exact: true }).waitFor();
      const sections = await shortcuts.getByRole('region').evaluateAll((all) =>
        // This program has no browser types.
        all.map((one) => (one as unknown as { ariaLabel: string }).ariaLabel),
      );
      expect(sections.includes('Delivery')).toBe(role !== 'viewer');
      expect(sections.includes('Format text')).toBe(role !== 'viewer');
    },
  );
});
