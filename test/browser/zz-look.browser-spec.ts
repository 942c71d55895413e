import type { Page } from 'playwright-core';
import { accessibilityFindingsInBothSchemes, describeInBrowser, editorReady, useDashboard } from './support/dashboard.js';

describeInBrowser('look', () => {
  const dashboard = useDashboard();
  it('looks', async () => {
    const ada = await dashboard.visitor('Ada Lovelace', 'enterprise');
    const origin = dashboard.app.origin;
    const call = async (method: string, path: string, data?: unknown) => {
      const headers = { Origin: origin, 'X-Dashboard-Request': '1' };
      const response = await ada.context.request.fetch(`${origin}/dashboard/api/accounts/${ada.accountId}/v1${path}`, { method, headers, data });
      if (!response.ok()) throw new Error(await response.text());
      return ((await response.json()) as { data: any }).data;
    };
    await call('PUT', '/publishing', { enabled: true });
    const make = (title: string) => call('POST', '/documents', { title, content: 'First text.' });
    const hours = await make('Opening hours');
    const prices = await make('Prices');
    const legal = await make('Legal notice ' + 'with a very long title '.repeat(6));
    await call('POST', `/documents/${hours.id}/publish`);
    await call('PATCH', `/documents/${hours.id}`, { content: 'Second text' });
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    await call('PUT', `/documents/${hours.id}/schedule`, { publishAt: inDays(2), unpublishAt: inDays(40), timeZone: 'America/Caracas' });
    await call('PATCH', `/documents/${hours.id}`, { content: 'Third text' });
    const rel = await call('POST', '/releases', { title: 'Autumn campaign', publishAt: inDays(3), timeZone: 'Asia/Kathmandu', items: [{ id: hours.id, action: 'publish' }, { id: prices.id, action: 'publish' }, { id: legal.id, action: 'unpublish' }] });
    await call('POST', '/releases', { title: 'Whenever', items: [{ id: prices.id, action: 'publish' }] });
    const archived = await make('Archived');
    await call('PATCH', `/documents/${archived.id}`, { status: 'archived' });
    await call('POST', '/releases', { title: 'Fails soon', publishAt: new Date(Date.now() + 2000).toISOString(), items: [{ id: archived.id, action: 'publish' }, { id: prices.id, action: 'publish' }] });
    const shot = async (page: Page, name: string) => { await page.waitForTimeout(1200); await page.screenshot({ path: `/tmp/sl-${name}.png` });
      for (const line of await accessibilityFindingsInBothSchemes(page)) console.log(name, line);
      const width = await page.evaluate<number>('document.scrollingElement.scrollWidth'); if (width > page.viewportSize()!.width) console.log(name, 'too wide', width); };
    const at = async (path: string, name: string, size = { width: 1280, height: 800 }, act?: (page: Page) => Promise<void>) => {
      const page = await ada.context.newPage();
      await page.setViewportSize(size);
      await page.goto(`${origin}/dashboard/${ada.accountId}/${path}`);
      if (path.startsWith('documents/')) await editorReady(page).catch(() => undefined);
      await act?.(page);
      await shot(page, name);
      await page.close();
    };
    const phone = { width: 375, height: 700 };
    for (const [suffix, size] of [['', { width: 1280, height: 800 }], ['-phone', phone]] as const) {
      await at('releases', `list${suffix}`, size);
      await at(`releases?open=${rel.id}`, `panel${suffix}`, size);
      await at(`releases?dialog=create-release`, `create${suffix}`, size);
      await at(`documents/${hours.id}`, `doc${suffix}`, size);
      await at(`documents/${hours.id}?dialog=schedule`, `schedule${suffix}`, size);
      await at(`documents/${hours.id}?dialog=release`, `add${suffix}`, size);
      await at('releases?status=done', `done${suffix}`, size);
    }
    await at(`releases?dialog=edit-release&of=${rel.id}&open=${rel.id}`, 'edit');
    await at(`releases?dialog=publish-release&of=${rel.id}&open=${rel.id}`, 'publish');
    const failed = (await call('GET', '/releases?status=failed'))[0];
    await at(`releases?status=done&open=${failed?.id}`, 'failed');
    await at(`documents/${prices.id}?dialog=schedule`, 'schedule-dst', { width: 1280, height: 800 }, async (page) => {
      await page.getByLabel('Publish at').fill('2027-10-31T02:30');
      await page.getByLabel('Unpublish at').fill('2028-03-26T02:30');
    });
    const page = await ada.context.newPage();
    await page.goto(`${origin}/dashboard/${ada.accountId}/documents/${prices.id}`);
    await editorReady(page);
    await page.getByRole('button', { name: 'Actions for this document' }).click();
    await shot(page, 'menu');
  });
});
