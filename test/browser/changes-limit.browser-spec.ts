import { eventually } from '../support/eventually.js';
import {
  type DashboardUnderTest,
  describeInBrowser,
  editorReady,
  startDashboard,
  type Visitor,
} from './support/dashboard.js';

describeInBrowser('a person with too many changes', () => {
  let dashboard: DashboardUnderTest;
  let ada: Visitor;

  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  beforeEach(async () => {
    ada = await dashboard.visitor('Ada');
  });
  afterEach(async () => {
    expect(await dashboard.endTest()).toEqual([]);
  });
  afterAll(async () => {
    await dashboard.close();
  });

  const send = async (method: string, path: string, data?: unknown) => {
    const url = `${dashboard.app.origin}/dashboard/api/accounts/${ada.accountId}/v1${path}`;
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const answer = await ada.context.request.fetch(url, { method, headers, data });
    return { status: answer.status(), data: ((await answer.json()) as { data: any }).data };
  };

  it('is told so in words, and the text is saved automatically when the minute is over', async () => {
    const { page } = ada;
    const { data: document } = await send('POST', '/documents', { title: 'Busy', content: 'One.' });
    const path = `/documents/${String(document.id)}`;
    await page.clock.install();
    await page.goto(`${dashboard.app.origin}/dashboard/${ada.accountId}${path}`);
    await editorReady(page);
    const filler = { title: 'x' };
    await eventually(
      () => send('POST', '/documents', filler),
      ({ status }) => status === 429,
    );
    await page.getByLabel('Content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Two.');
    await page.keyboard.press('Control+s');
    await page.getByText(/Too many changes this minute/).waitFor();
    // The minute passes for the service and for the page.
    await dashboard.app.dataSource.query(
      `UPDATE rate_limit_windows SET minute_started_at = minute_started_at - interval '1 minute'`,
    );
    await page.clock.fastForward(60_000);
    await page
      .getByRole('status', { name: 'Saving' })
      .getByText('Saved', { exact: true })
      .waitFor();
    expect((await send('GET', path)).data.content).toBe('One. Two.');
  });
});
