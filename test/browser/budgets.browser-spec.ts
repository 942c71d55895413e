import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { describeInBrowser, useDashboard } from './support/dashboard.js';

/** Sizes of scripts and styles after gzip, in bytes. Browsers that accept Brotli receive about 13 % less. */
const FIRST_PAGE = 200_000;
/** What the document page adds. Of it, ProseMirror takes about 70 KB, and the reader of Markdown 20 KB. */
const DOCUMENT_PAGE = 150 * 1024;
/** Of the first page. */
const FONTS = 60_000;
/** Two of them are for the navigation: the number of open proposals, and whether the account publishes. */
const REQUESTS = 27;
const DIST = 'packages/dashboard/dist';
/** How long a page must be quiet before everything counts as loaded, in ms. */
const QUIET = 1_500;

describeInBrowser('the budgets of the dashboard', () => {
  const dashboard = useDashboard();

  /** Opens a page in an empty cache. Returns its number of requests, and its files with their sizes. */
  const load = async (page: Page, url: string) => {
    const files = new Map<string, number>();
    let requests = 0;
    let last = Date.now();
    page.on('requestfinished', (request) => {
      if (!request.url().startsWith(dashboard.app.origin)) return;
      requests += 1;
      last = Date.now();
      const [, file] = /\/dashboard\/(assets\/.+)$/.exec(request.url()) ?? [];
      if (file === undefined) return;
      files.set(file, gzipSync(readFileSync(path.join(DIST, file)), { level: 9 }).length);
    });
    await page.goto(url);
    await page.getByRole('main').waitFor();
    await eventually(() => Date.now() - last > QUIET);
    return { requests, files };
  };
  const sum = (sizes: Iterable<number>) => [...sizes].reduce((total, size) => total + size, 0);

  it('the budgets of the dashboard hold for every page', async () => {
    const ada = await dashboard.visitor('Ada', 'enterprise');
    const base = `${dashboard.app.origin}/dashboard/${ada.accountId}`;
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const response = await ada.context.request.post(
      `${dashboard.app.origin}/dashboard/api/accounts/${ada.accountId}/v1/documents`,
      { headers, data: { title: 'Plan', content: '# Plan' } },
    );
    const { data } = (await response.json()) as { data: { id: string } };
    await ada.page.close();
    const paths = [
      ...['overview', `documents/${data.id}`, 'documents', 'documents/new', 'templates', 'keys'],
      ...['proposals', 'webhooks', 'events', 'requests', 'audit', 'jobs', 'members', 'settings'],
    ];
    const found: Record<string, number> = {};
    const sizes: Record<string, ReadonlyMap<string, number>> = {};
    for (const name of paths) {
      const page = await ada.context.newPage();
      const session = await ada.context.newCDPSession(page);
      await session.send('Network.setCacheDisabled', { cacheDisabled: true });
      const { requests, files } = await load(page, `${base}/${name}`);
      found[name] = requests;
      sizes[name] = files;
      await page.close();
    }
    expect(Object.entries(found).filter(([, requests]) => requests > REQUESTS)).toEqual([]);
    const first = new Map(sizes['overview']);
    const document = new Map(sizes[`documents/${data.id}`]);
    const isFont = (file: string) => file.endsWith('.woff2');
    const fonts = [...first].filter(([file]) => isFont(file)).map(([, size]) => size);
    for (const files of [first, document])
      for (const file of files.keys()) if (isFont(file)) files.delete(file);
    const more = [...document].filter(([file]) => !first.has(file)).map(([, size]) => size);
    expect(sum(first.values())).toBeLessThan(FIRST_PAGE);
    expect(sum(more)).toBeLessThan(DOCUMENT_PAGE);
    expect(sum(fonts)).toBeLessThan(FONTS);
    // Sizes were measured at all.
    expect(sum(first.values())).toBeGreaterThan(FIRST_PAGE / 2);
    expect(sum(more)).toBeGreaterThan(DOCUMENT_PAGE / 2);
    expect(sum(fonts)).toBeGreaterThan(FONTS / 4);
  }, 120_000);
});
