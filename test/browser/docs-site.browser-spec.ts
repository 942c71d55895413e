import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import {
  accessibilityFindings,
  COLOR_RULES,
  describeInBrowser,
  useDashboard,
  waitForCount,
} from './support/dashboard.js';

/** A page of each layout. */
const LAYOUTS = [
  '/docs',
  '/docs/quickstarts/webhooks',
  '/docs/guides/search',
  '/docs/reference/operations/create-document',
  '/docs/reference/operations',
  '/docs/errors/rate-limited',
  '/docs/clients/typescript',
  '/docs/operate/configuration',
  '/docs/adr',
];
const PAGE_BUDGET = 60 * 1024;
const WIDE = 1280;

interface FetchedPage {
  path: string;
  html: string;
  ids: ReadonlySet<string>;
  links: readonly string[];
}

describeInBrowser('the documentation site', () => {
  beforeAll(() => {
    execFileSync('node', ['scripts/build-when-stale.mjs', 'docs'], { stdio: 'pipe' });
  }, 120_000);
  const service = useDashboard();
  const pages = new Map<string, FetchedPage>();

  /** Fetches all pages that links lead to, beginning with the home page. */
  async function crawl(): Promise<void> {
    const waiting = ['/docs'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (pages.has(path)) continue;
      const page = await fetchPage(path);
      pages.set(path, page);
      waiting.push(...page.links.map(pathOf).filter(isPage));
    }
  }

  async function fetchPage(path: string): Promise<FetchedPage> {
    const reply = await fetch(service.app.origin + path, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    if (reply.status !== 200) throw new Error(`${path} answers ${String(reply.status)}.`);
    const html = await reply.text();
    const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
    const links = [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, link = '']) =>
      link.startsWith('#') ? path + link : link,
    );
    return { path, html, ids, links };
  }

  async function openPage(path: string, width = WIDE): Promise<Page> {
    const page = await service.stranger();
    await page.setViewportSize({ width, height: 800 });
    await page.goto(service.app.origin + path);
    await page.locator('html[data-script]').waitFor();
    return page;
  }

  const results = (page: Page) => page.getByRole('option');

  it('The documentation site has no dead links or anchors, no inline code, and no page of more than 60 KB', async () => {
    await crawl();
    expect(pages.size).toBeGreaterThan(200);
    const others = new Set<string>();
    const problems: string[] = [];
    for (const { path, html, links } of pages.values()) {
      if (Buffer.byteLength(html) > PAGE_BUDGET)
        problems.push(`${path} has ${String(Buffer.byteLength(html))} bytes`);
      if (
        /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+="/.test(
          html.replace(/<pre>.*?<\/pre>/gs, ''),
        )
      )
        problems.push(`${path} has something inline`);
      for (const link of links.filter((one) => one.startsWith('/'))) {
        const [target = '', anchor] = link.split('#');
        const page = pages.get(target);
        if (!page) others.add(target);
        else if (anchor !== undefined && !page.ids.has(decodeURIComponent(anchor)))
          problems.push(`${path} links to ${link}, whose anchor is missing`);
      }
    }
    // The dashboard is a build of its own.
    others.delete('/dashboard/');
    for (const target of others) {
      const { status } = await fetch(service.app.origin + target, { method: 'HEAD' });
      if (status !== 200) problems.push(`${target} answers ${String(status)}`);
    }
    expect(problems).toEqual([]);
  }, 60_000);

  it('The documentation site shows the address at which it is read in its examples, also when they are copied', async () => {
    const { origin } = service.app;
    const page = await openPage('/docs/quickstarts/five-minutes');
    const start = page.locator('.code', { hasText: 'export DOCUMENT_SERVICE_URL=' });
    expect(await start.locator('code').textContent()).toContain(
      `export DOCUMENT_SERVICE_URL=${origin}\n`,
    );
    const shown: string[] = [];
    for (const path of ['/docs', '/docs/guides/mcp', '/docs/clients/python']) {
      await page.goto(origin + path);
      await page.locator('html[data-script]').waitFor();
      const text = (await page.locator('#site-content').textContent()) ?? '';
      expect(text).not.toContain('localhost:3000');
      if (text.includes(origin)) shown.push(path);
    }
    expect(shown).toEqual(['/docs', '/docs/guides/mcp', '/docs/clients/python']);
  });

  it('The documentation site gives each page a title, a description and ids of its own', () => {
    const found = [...pages.values()].flatMap(({ path, html }) => [
      `title ${/<title>([^<]+)/.exec(html)?.[1] ?? path}`,
      `description ${/name="description" content="([^"]+)/.exec(html)?.[1] ?? path}`,
      ...[...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => `${path}#${id}`),
    ]);
    expect(found.length).toBeGreaterThan(1_000);
    expect(found.filter((one, index) => found.indexOf(one) !== index)).toEqual([]);
  });

  it('The documentation site has Markdown sources and lists of pages whose links lead somewhere', async () => {
    const sources = [...pages.keys()].map((path) =>
      path === '/docs' ? '/docs/index.md' : `${path}.md`,
    );
    const targets = new Map<string, string>();
    for (const source of [...sources, '/docs/llms.txt', '/docs/llms-full.txt']) {
      const text = await (await fetch(service.app.origin + source)).text();
      const prose = text.replace(/^ *```.*?^ *```|`[^`\n]+`/gms, '');
      for (const [, link = ''] of prose.matchAll(/\]\(([^)\s#]+)/g))
        if (!/^[a-z]+:/.test(link))
          targets.set(new URL(link, service.app.origin + source).href, source);
    }
    targets.delete(`${service.app.origin}/dashboard/`);
    const dead: string[] = [];
    for (const [target, source] of targets) {
      const { status } = await fetch(target, { method: 'HEAD' });
      if (status !== 200)
        dead.push(`${source} links to ${target}, which answers ${String(status)}`);
    }
    expect(targets.size).toBeGreaterThan(200);
    expect(dead).toEqual([]);
  }, 60_000);

  it('fits a phone on every page, without errors', async () => {
    const page = await openPage('/docs', 375);
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`);
    });
    for (const path of pages.keys()) {
      await page.goto(service.app.origin + path, { waitUntil: 'domcontentloaded' });
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width > 375) problems.push(`${path} is ${String(width)} pixels wide`);
    }
    expect(problems).toEqual([]);
  }, 120_000);

  it('The documentation site has no serious accessibility barrier in both themes', async () => {
    const page = await openPage('/docs');
    const findings: string[] = [];
    for (const path of LAYOUTS) {
      await page.goto(service.app.origin + path);
      for (const theme of ['light', 'dark'] as const) {
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        const found = await accessibilityFindings(page, theme === 'dark' ? COLOR_RULES : undefined);
        findings.push(...found.map((finding) => `${path} ${theme}: ${finding}`));
      }
    }
    expect(findings).toEqual([]);
  }, 120_000);

  it('The documentation site is searched with the keyboard', async () => {
    const page = await openPage('/docs/guides/search');
    await page.keyboard.press('/');
    const search = page.getByRole('combobox');
    expect(await search.evaluate('document.activeElement.id')).toBe('site-search');
    await page.keyboard.type('rotate webhook secret');
    await results(page).first().getByText('Rotate a webhook secret').waitFor();
    await page.locator('mark').first().waitFor();
    expect(await accessibilityFindings(page, undefined, '.search')).toEqual([]);
    await page.keyboard.press('ArrowDown');
    expect(await results(page).nth(1).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guides/rotate-a-webhook-secret*');
    await page.getByRole('combobox').fill('backup');
    await results(page).first().waitFor();
    await page.keyboard.press('Escape');
    await waitForCount(page.locator('.search-panel:visible'), 0);
    await page.getByRole('combobox').fill('qqqqxxxx');
    await page.getByText('Nothing matches').waitFor();
  });

  it('remembers the language of examples on other pages', async () => {
    const page = await openPage('/docs/quickstarts/documents');
    await page.getByRole('tab', { name: 'Python' }).first().click();
    await page.goto(`${service.app.origin}/docs/reference/operations/create-document`);
    const chosen = page.getByRole('tab', { name: 'Python', selected: true }).first();
    await chosen.waitFor();
    await page.locator('.tab[data-tab=python]').first().waitFor();
    expect(await page.locator('.tab[data-tab=ts]:visible, .tab[data-tab=sh]:visible').count()).toBe(
      0,
    );
    await chosen.focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator('.tab[data-tab=ts]:visible').first().waitFor();
  });

  it('follows the theme of the system until somebody chooses one', async () => {
    const page = await openPage('/docs');
    const background = () =>
      page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.getByRole('button', { name: 'Use the light theme' }).click();
    expect(await background()).toBe(light);
    await page.goto(`${service.app.origin}/docs/guides/search`);
    expect(await background()).toBe(light);
  });

  it('The documentation site has a menu on a phone, and copies code', async () => {
    const page = await openPage('/docs/quickstarts/documents', 375);
    const menu = page.getByRole('navigation', { name: 'Documentation' });
    await waitForCount(page.locator('#site-navigation:visible'), 0);
    await page.evaluate('scrollTo({ top: 2000, behavior: "instant" })');
    await page.getByRole('button', { name: 'Menu' }).click();
    const place = await menu.boundingBox();
    expect(place?.y).toBeGreaterThan(90);
    expect(place?.y).toBeLessThan(110);
    await menu.locator('summary', { hasText: 'Guides' }).click();
    await menu.locator('details[open] a[href^="/docs/guides"]').first().waitFor();
    await page.keyboard.press('Escape');
    await waitForCount(page.locator('#site-navigation:visible'), 0);
    const block = page
      .locator('.code:visible')
      .filter({ has: page.locator('.copy') })
      .first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
      await block.locator('code').textContent(),
    );
  });

  const openForm = async (page: Page, operation: string) => {
    await page.goto(`${service.app.origin}/docs/reference/operations/${operation}`);
    await page.getByText('Try it', { exact: true }).click();
  };
  const send = async (page: Page) => {
    await page.getByRole('button', { name: 'Send' }).click();
    const response = page.getByLabel('Response', { exact: true });
    await response.waitFor();
    return page.locator('.try [role=status]').textContent();
  };

  it('The documentation site sends the form of an operation, and fills the forms of the next ones with the new ID', async () => {
    const { key } = await service.app.account();
    const page = await openPage('/docs/reference/operations');
    await openForm(page, 'create-document');
    await page.getByLabel('API key').fill(key);
    expect(await send(page)).toContain('201');
    await page.getByLabel('Response', { exact: true }).getByText('"Quarterly report"').waitFor();
    await openForm(page, 'read-document');
    expect(await page.getByLabel('API key').inputValue()).toBe(key);
    expect(await send(page)).toContain('200');
    await openForm(page, 'patch-document');
    expect(await send(page)).toContain('200');
    await openForm(page, 'export-document');
    expect(await send(page)).toContain('200');
    await page.getByRole('link', { name: 'Save the file (application/pdf)' }).waitFor();
    await openForm(page, 'stream-events');
    expect(await send(page)).toContain('200');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    await openForm(page, 'list-documents');
    await page.getByText('Optional parameters').click();
    await page.getByLabel('metadata').fill('department=Sales');
    expect(await send(page)).toContain('200');
    await page.getByLabel('Response', { exact: true }).getByText('"total": 1').waitFor();
    for (const width of [WIDE, 768, 375]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForFunction(`document.documentElement.scrollWidth === ${String(width)}`);
      expect([width, await accessibilityFindings(page)]).toEqual([width, []]);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityFindings(page, COLOR_RULES)).toEqual([]);
    const other = await page.context().newPage();
    await openForm(other, 'list-documents');
    expect(await other.getByLabel('API key').inputValue()).toBe('');
  }, 60_000);

  it('The documentation site shows all languages and the whole navigation without scripts', async () => {
    const context = await service.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.app.origin}/docs/quickstarts/documents`);
    for (const language of ['sh', 'ts', 'python'])
      expect(await page.locator(`.tab[data-tab=${language}]`).first().isVisible()).toBe(true);
    expect(await page.locator('.search').isVisible()).toBe(false);
    expect(await page.locator('#site-navigation').isVisible()).toBe(true);
    await context.close();
  });
});

const pathOf = (link: string) => link.split('#')[0] ?? '';
const isPage = (path: string) => /^\/docs(\/|$)/.test(path) && !/\.[a-z]+$/.test(path);
