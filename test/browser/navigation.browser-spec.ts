import { describeInBrowser, useDashboard, waitForCount } from './support/dashboard.js';

const PAGES = [
  ['overview', 'Overview'],
  ['documents', 'Documents'],
  ['templates', 'Templates'],
  ['keys', 'API keys'],
  ['webhooks', 'Webhooks'],
  ['events', 'Events'],
  ['requests', 'Requests'],
  ['audit', 'Audit log'],
  ['jobs', 'Jobs'],
  ['members', 'Members'],
  ['settings', 'Settings'],
] as const;

describeInBrowser('The navigation of the dashboard', () => {
  const dashboard = useDashboard();

  it('The navigation of the dashboard reaches every page of an account through links named like the pages', async () => {
    const { page, open } = await dashboard.visitor();
    await open('overview');
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await waitForCount(links, PAGES.length);
    expect(await links.allInnerTexts()).toEqual(PAGES.map(([, name]) => name));
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
