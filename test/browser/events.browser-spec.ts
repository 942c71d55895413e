import { eventually } from '../support/eventually.js';
import {
  describeInBrowser,
  filterBy,
  setVisibility,
  useDashboard,
  timePassesUntil,
  waitForCount,
  type Visitor,
} from './support/dashboard.js';

/** Creates a document as this person outside the page, which causes an event. */
async function createDocument({ page, accountId }: Visitor, title: string): Promise<string> {
  const { origin } = new URL(page.url());
  const reply = await page.request.post(
    `${origin}/dashboard/api/accounts/${accountId}/v1/documents`,
    {
      data: { title, content: 'Some text.' },
      headers: { Origin: origin, 'X-Dashboard-Request': '1' },
    },
  );
  if (!reply.ok()) throw new Error(await reply.text());
  const { data } = (await reply.json()) as { data: { id: string } };
  return data.id;
}

describeInBrowser('Events in the dashboard', () => {
  const dashboard = useDashboard();

  /** Watches the event streams that browsers have open, as seen by the server. */
  const watchStreams = () => {
    const seen = { open: new Set<object>(), opened: 0 };
    const server = dashboard.app.app.getHttpServer();
    server.on('request', (request, response) => {
      if (!/\/v1\/events\/stream(\?|$)/.test(request.url ?? '')) return;
      seen.opened += 1;
      seen.open.add(response);
      response.once('close', () => seen.open.delete(response));
    });
    return seen;
  };

  it('Events in the dashboard appear as they happen, stop while paused, and are complete afterwards', async () => {
    const visitor = await dashboard.visitor();
    const { page, context, open } = visitor;
    await open('events');
    await page.getByText('Live now').waitFor();
    await page.getByText('No recent events.').waitFor();
    const live = await context.newPage();
    await live.goto(page.url());
    await live.getByText('Live now').waitFor();
    const documentId = await createDocument(visitor, 'Quarterly report');
    const table = page.getByRole('table', { name: 'Events' });
    await table.getByRole('link', { name: 'Quarterly report' }).waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await createDocument(visitor, 'While paused');
    await live.getByRole('link', { name: 'While paused' }).waitFor();
    expect(await table.getByRole('link', { name: 'document.created' }).count()).toBe(1);
    await live.close();
    await page.getByRole('button', { name: 'Resume events' }).click();
    await table.getByRole('link', { name: 'document.created' }).nth(1).waitFor();
    await createDocument(visitor, 'Live again');
    await table.getByRole('link', { name: 'Live again' }).waitFor();
    await waitForCount(table.getByRole('link', { name: 'document.created' }), 3);

    await filterBy(page, 'Type', 'webhook.test');
    await page.getByText('No webhook.test in the loaded events').waitFor();
    await page.getByRole('button', { name: 'Type: webhook.test, remove' }).click();
    // Stored events have no title, so the page asks for it.
    await page.reload();
    for (const title of ['Quarterly report', 'While paused', 'Live again']) {
      await table.getByRole('link', { name: title, exact: true }).waitFor();
    }
    await table.getByRole('link', { name: 'document.created' }).last().click();
    const panel = page.getByRole('dialog', { name: 'document.created' });
    await panel.getByRole('region', { name: 'Event as JSON' }).getByText('Some text.').waitFor();
    await page.waitForURL(({ search }) => search.startsWith('?open=evt_'));
    await panel
      .getByRole('link', { name: 'Quarterly report' })
      .and(page.locator(`[href$="/documents/${documentId}"]`))
      .waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  it('Events in the dashboard share one stream among eight tabs, which leaves the browser connections to load documents', async () => {
    const visitor = await dashboard.visitor();
    const { context, open, page, accountId } = visitor;
    const streams = watchStreams();
    await open('events');
    const tabs = [page];
    for (let count = 1; count < 8; count += 1) {
      const tab = await context.newPage();
      await tab.goto(page.url());
      await tab.getByText('Live now').waitFor();
      tabs.push(tab);
    }
    expect(streams.open.size).toBe(1);
    await createDocument(visitor, 'For all tabs');
    for (const tab of tabs) await tab.getByRole('link', { name: 'For all tabs' }).waitFor();

    await page.close();
    const [first = page, ...others] = tabs.slice(1);
    const titles = ['After the first tab', 'Soon after', 'Last'];
    for (const title of titles) await createDocument({ ...visitor, page: first }, title);
    for (const tab of [first, ...others]) {
      await tab.getByRole('link', { name: 'Last', exact: true }).waitFor();
      const subjects = tab.getByRole('table').locator('tbody tr td:nth-child(2)');
      expect(await subjects.allInnerTexts()).toEqual([...titles.reverse(), 'For all tabs']);
      titles.reverse();
    }
    expect([streams.open.size, streams.opened]).toEqual([1, 1]);
    await first.goto(`${dashboard.app.origin}/dashboard/${accountId}/documents`);
    await first.getByRole('link', { name: 'Last', exact: true }).waitFor();

    // Signing out in one tab ends the stream. Signing in again opens one for all tabs.
    await first.getByRole('button', { name: 'Account', exact: true }).click();
    await first.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const tab of others) await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
    await eventually(
      () => streams.open.size,
      (open) => open === 0,
    );
  });

  it('Events in the dashboard have a stream for each visible tab if the browser has no SharedWorker', async () => {
    const visitor = await dashboard.visitor();
    const { page, context, open } = visitor;
    await context.addInitScript('delete window.SharedWorker');
    const streams = watchStreams();
    const isOpen = (count: number) =>
      eventually(
        () => streams.open.size,
        (size) => size === count,
      );
    await open('events');
    await page.getByText('Live now').waitFor();
    await isOpen(1);
    await page.evaluate(setVisibility('hidden'));
    await page.getByText('Paused while hidden').waitFor();
    await isOpen(0);
    await createDocument(visitor, 'While hidden');
    await page.evaluate(setVisibility('visible'));
    await page.getByText('Live now').waitFor();
    await page.getByRole('link', { name: 'document.created' }).waitFor();
    await isOpen(1);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await isOpen(0);
  });

  it('Events in the dashboard fill in what was missed while the service refused the stream', async () => {
    const visitor = await dashboard.visitor();
    const { page, context, open } = visitor;
    await context.clock.install();
    // The requests of a SharedWorker cannot be intercepted.
    await context.addInitScript('delete window.SharedWorker');
    await context.route('**/v1/events/stream?*', (route) =>
      route.fulfill({ status: 503, body: '' }),
    );
    await open('events');
    await page.getByText('Reconnecting').waitFor();
    await createDocument(visitor, 'Meanwhile');
    await context.unroute('**/v1/events/stream?*');
    await timePassesUntil(context, () => page.getByText('Live now').isVisible());
    await page.getByRole('link', { name: 'Meanwhile' }).waitFor();
  });
});

describeInBrowser('The command palette', () => {
  const dashboard = useDashboard();

  it('The command palette opens pages, actions and documents with the keyboard alone, and returns the focus', async () => {
    const visitor = await dashboard.visitor();
    const { page, open, accountId } = visitor;
    await open('overview');
    const documentId = await createDocument(visitor, 'Harbour regulations');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    const field = palette.getByRole('combobox', { name: 'Search' });
    const openPalette = async () => {
      await page.keyboard.press('Control+k');
      await field.waitFor();
    };
    await openPalette();
    await field.fill('audit');
    await palette.getByRole('option', { name: /Audit log/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();

    await openPalette();
    await field.fill('webhook');
    const action = palette.getByRole('option', { name: /Create webhook/ });
    await action.waitFor();
    await page.keyboard.press('ArrowDown');
    await action.and(palette.getByRole('option', { selected: true })).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create webhook' }).waitFor();
    await page.keyboard.press('Escape');

    // The index follows with a delay, and the palette does not search twice.
    await eventually(async () => {
      const path = `/dashboard/api/accounts/${accountId}/v1/documents?q=harbour`;
      const reply = await page.request.get(new URL(path, page.url()).href);
      return ((await reply.json()) as { data: unknown[] }).data.length === 1;
    });
    await openPalette();
    await field.fill('harbour');
    await palette.getByRole('option', { name: /Harbour regulations/ }).click();
    await page.waitForURL(new RegExp(`/documents/${documentId}$`));

    const button = page.getByRole('button', { name: 'Search or jump to…' });
    await button.click();
    await field.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await page.waitForFunction(
      'document.activeElement?.textContent?.startsWith("Search or jump to…")',
    );
  });

  it('The command palette opens the page of any pasted ID', async () => {
    const visitor = await dashboard.visitor();
    const { page, open, accountId } = visitor;
    await open('overview');
    const origin = new URL(page.url()).origin;
    const call = async (path: string, data: unknown) => {
      const url = `${origin}/dashboard/api/accounts/${accountId}/v1/${path}`;
      const headers = { Origin: origin, 'X-Dashboard-Request': '1' };
      const reply = await page.request.post(url, { data, headers });
      if (!reply.ok()) throw new Error(await reply.text());
      return ((await reply.json()) as { data: { id: string; eventId: string } }).data;
    };
    const receiver = { url: 'https://example.com/hooks', events: ['*'] };
    const webhook = await call('webhooks', receiver);
    const delivery = await call(`webhooks/${webhook.id}/test`, {});
    const documentId = await createDocument(visitor, 'Any');
    const some = documentId.slice('doc_'.length);
    const places: [id: string, address: RegExp][] = [
      [documentId, new RegExp(`/documents/${documentId}$`)],
      [webhook.id, new RegExp(`/webhooks/${webhook.id}$`)],
      [delivery.id, new RegExp(`/webhooks/${webhook.id}/deliveries/${delivery.id}$`)],
      [delivery.eventId, new RegExp(`/events\\?open=${delivery.eventId}$`)],
      [`req_${some}`, new RegExp(`/requests/req_${some}$`)],
      [`key_${some}`, new RegExp(`/keys\\?open=key_${some}$`)],
      [`job_${some}`, new RegExp(`/jobs\\?open=job_${some}$`)],
      [`aud_${some}`, new RegExp(`/audit\\?open=aud_${some}$`)],
      [`tmpl_${some}`, new RegExp(`/templates/tmpl_${some}$`)],
      [accountId, new RegExp(`/${accountId}/overview$`)],
    ];
    for (const [id, address] of places) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill(` ${id} `);
      await page.getByRole('option', { name: id, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(address);
      // Pages have list boxes too, which remain.
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(`anl_${some}`);
    await page.getByText(/^No results\. Find analyses/).waitFor();
  });
});
