import {
  accessibilityFindingsInBothSchemes,
  describeInBrowser,
  useDashboard,
  waitForCount,
} from './support/dashboard.js';

describeInBrowser('The Overview page', () => {
  const dashboard = useDashboard();

  it('The Overview page says in one sentence that nothing happened, and shows charts only with data', async () => {
    const { page, open } = await dashboard.visitor();
    await open('overview');
    await page.getByText(/^No requests or deliveries in the last 24 hours/).waitFor();
    expect(await page.getByRole('figure').count()).toBe(0);
    expect(await page.getByText('curl').count()).toBe(0);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);

    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('Returned 201', { exact: true }).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    // Requests and their latency, but no deliveries.
    await page.getByRole('figure', { name: 'Latency, last 24 hours' }).waitFor();
    await waitForCount(page.getByRole('figure'), 2);
    // The key of “Try it” expires soon on purpose.
    await page.getByText('Nothing needs attention.').waitFor();
  });

  it('The Overview page names a disabled webhook with a link that is not only colored', async () => {
    const { page, context, accountId, open } = await dashboard.visitor();
    const url = `${dashboard.app.origin}/dashboard/api/accounts/${accountId}/v1/webhooks`;
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const data = { url: 'https://example.com/hooks', events: ['*'] };
    expect((await context.request.post(url, { headers, data })).status()).toBe(201);
    await dashboard.app.dataSource.query(`UPDATE webhooks SET status = 'disabled'`);
    await open('overview');
    const concerns = page.getByRole('list', { name: 'Needs attention' });
    await concerns.getByRole('link', { name: 'example.com/hooks' }).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
  });
});
