import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
} from 'playwright-core';
import { startTestApp, type TestApp } from '../../support/app.js';
import { describeWith } from '../../support/describe-with.js';
import type { Plan } from '../../../src/features/auth/plan.js';
import { decodeId } from '../../../src/platform/basics/identifiers/identifiers.js';
import { eventually } from '../../support/eventually.js';

/** Uses the first one that is installed. The shell is Chromium without windows, so it takes less CPU time. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = PROGRAMS.find((program) => existsSync(program));
const CHROMIUM_SWITCHES = [
  // Chromium refuses to start its sandbox for root, and CI runs the tests as root.
  '--no-sandbox',
  // Replaces the list that Playwright passes.
  `--disable-features=${[
    // Two pages of Chromium's address bar, which it loads for each browser context: 0.9 s of CPU time.
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    // From Playwright's list.
    'AimEnabled',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsFirstBalancedModeAutoEnable',
    'HttpsUpgrades',
    'LensOverlay',
    'MediaRouter',
    'NetworkTimeServiceQuerying',
    'OptimizationHints',
    'PaintHolding',
    'PreconnectToSearch',
    'ThirdPartyStoragePartitioning',
  ].join(',')}`,
];
/** Long enough for a busy machine. Something that never appears still fails. */
const STEP_WITHIN_MS = 60_000;
/** The first analysis loads dictionaries and a grammar checker, which takes a while on a busy machine. */
export const ANALYZED_WITHIN_MS = 120_000;
const PASSWORD = 'correct horse battery staple';

/** `describe` if Chromium is installed; otherwise one skipped test that says so. */
export function describeInBrowser(title: string, tests: () => void): void {
  const programs = 'the program chromium-headless-shell, or chromium,';
  describeWith(programs, CHROMIUM !== undefined, title, tests);
}

/** A person with a separate browser context. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  name: string;
  email: string;
  password: string;
  /** Public id of the account that was created at sign-up. */
  accountId: string;
  /** Opens a page of the account, such as `keys`. */
  open: (path: string) => Promise<void>;
}

/** A browser, and the contexts of the current test. */
export interface BrowserUnderTest {
  browser: Browser;
  /** Opens a context whose pages may send requests to this origin only. */
  newContext: (origin: string) => Promise<BrowserContext>;
  /** Keeps the pages that are open now until the end. Later ones are closed after their test. */
  keepPages: () => void;
  /**
   * Closes the pages of a test, so that they send no requests during the next one or a second try. Returns what pages must
   * not do but did: policy violations, script errors, requests to other hosts.
   */
  endTest: () => Promise<string[]>;
}

export interface DashboardUnderTest extends Omit<BrowserUnderTest, 'newContext'> {
  app: TestApp;
  /** Opens a browser in which nobody is signed in. */
  stranger(): Promise<Page>;
  /** Signs up somebody new in a separate browser context. */
  visitor(name?: string, plan?: Plan): Promise<Visitor>;
  close(): Promise<void>;
}

/** Starts a browser without a service. */
export async function startBrowser(): Promise<BrowserUnderTest> {
  const browser = await chromium.launch({
    ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }),
    args: CHROMIUM_SWITCHES,
  });
  const problems: string[] = [];
  const contexts: BrowserContext[] = [];
  return {
    browser,
    newContext: async (origin) => {
      const context = await browser.newContext({
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        // axe-core would check the colors of elements that are still fading in.
        reducedMotion: 'reduce',
      });
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
      context.setDefaultTimeout(STEP_WITHIN_MS);
      await watch(context, origin, problems);
      contexts.push(context);
      return context;
    },
    keepPages: () => {
      contexts.length = 0;
    },
    endTest: async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      return problems.splice(0);
    },
  };
}

/** Starts the whole service with its worker and the real clock, and a browser. */
async function startDashboard(
  environment: Record<string, string> = {},
): Promise<DashboardUnderTest> {
  const app = await startTestApp({
    environment: {
      PROCESS_ROLE: 'all',
      SIGNUP: 'open',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
      WEBHOOK_ALLOW_HTTP: 'true',
      ...environment,
    },
    stopClock: false,
    runTasks: true,
  });
  const { browser, newContext, keepPages, endTest } = await startBrowser();
  let visitors = 0;
  return {
    app,
    browser,
    keepPages,
    endTest,
    stranger: async () => (await newContext(app.origin)).newPage(),
    visitor: async (name, plan = 'free') => {
      visitors += 1;
      const person = {
        name: name ?? `Visitor ${String(visitors)}`,
        email: `visitor-${String(visitors)}@example.com`,
        password: PASSWORD,
      };
      const context = await newContext(app.origin);
      const response = await context.request.post(`${app.origin}/dashboard/api/users`, {
        headers: { Origin: app.origin, 'X-Dashboard-Request': '1' },
        data: person,
      });
      if (!response.ok()) throw new Error(`Signing up failed: ${await response.text()}`);
      const { data } = (await response.json()) as { data: { accounts: { id: string }[] } };
      const accountId = data.accounts[0]?.id ?? '';
      await app.dataSource.query('UPDATE accounts SET plan = $2 WHERE id = $1', [
        decodeId('account', accountId),
        plan,
      ]);
      const page = await context.newPage();
      const open = async (path: string) => {
        await page.goto(`${app.origin}/dashboard/${accountId}/${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
      };
      return { ...person, page, context, accountId, open };
    },
    close: async () => {
      await browser.close();
      await app.close();
    },
  };
}

/**
 * Starts a dashboard for the tests of a `describe`, and closes it after them. A test fails if one of its pages did what pages
 * must not do.
 */
export function useDashboard(environment?: Record<string, string>): DashboardUnderTest {
  const dashboard = {} as DashboardUnderTest;
  beforeAll(async () => {
    Object.assign(dashboard, await startDashboard(environment));
  });
  afterEach(async () => {
    expect(await dashboard.endTest()).toEqual([]);
  });
  afterAll(() => dashboard.close());
  return dashboard;
}

const begun = new Set<string>();

/** For `beforeEach`, once per test. True if this test has begun before: a second try needs a clean state. */
export function isSecondTry(): boolean {
  const { currentTestName = '' } = expect.getState();
  const isSecond = begun.has(currentTestName);
  begun.add(currentTestName);
  return isSecond;
}

/** For {@link Page.evaluate}. Acts as if somebody switched to another tab, or came back. */
export const setVisibility = (state: 'hidden' | 'visible') => `
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
  document.dispatchEvent(new Event('visibilitychange'));
`;

/** For {@link Page.evaluate}. Goes to an address of the dashboard as a button does, without reloading the page. */
export const openInApp = (address: string, state: Record<string, unknown> = {}) => `{
  const { __TSR_index: index = 0 } = history.state;
  const state = { __TSR_index: index + 1, __TSR_key: 'opened', ...${JSON.stringify(state)} };
  history.pushState(state, '', '${address}');
}`;

/**
 * Looks until `isSo`, while time passes quickly in the pages of a context, whose clock must be installed. What a page does
 * by itself after some seconds then happens immediately.
 */
export async function timePassesUntil<Value>(
  { clock }: Pick<BrowserContext, 'clock'>,
  look: () => Value | Promise<Value>,
  isSo?: (value: Value) => boolean,
): Promise<Value> {
  return eventually(async () => {
    await clock.fastForward(250);
    return look();
  }, isSo);
}

/** Waits until the text can be written: the editor loads its tools when the pointer comes near. */
export async function editorReady(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Content', exact: true }).hover();
  await page.locator('[data-tools=ready]').waitFor();
}

/** Runs in the page. The editor looks at the selection 20 ms after it got the focus. */
const FOCUS_IS_HANDLED = `new Promise((resolve) => {
  setTimeout(() => requestAnimationFrame(resolve), 30);
})`;

/** Waits until the editor knows the caret after a click. Keys that move the caret before would have no effect. */
export async function caretSettled(page: Page): Promise<void> {
  await page.evaluate(FOCUS_IS_HANDLED);
}

/** Waits until this many are shown. A list shows its old rows until the new ones arrive. */
export async function waitForCount(locator: Locator, count: number): Promise<void> {
  await eventually(
    () => locator.count(),
    (found) => found === count,
  );
}

/** Waits until texts are checked while somebody types. The first check of a process loads the engine. */
export async function checkerReady(
  { app: { origin } }: Pick<DashboardUnderTest, 'app'>,
  { context, accountId }: Visitor,
): Promise<void> {
  const url = `${origin}/dashboard/api/accounts/${accountId}/v1/analyze`;
  const headers = { Origin: origin, 'X-Dashboard-Request': '1' };
  const data = { content: 'It is warm.', store: false };
  await eventually(
    () => context.request.post(url, { headers, data, timeout: ANALYZED_WITHIN_MS }),
    (response) => response.ok(),
    ANALYZED_WITHIN_MS * 2,
  );
}

/** Waits until a field contains this. It may appear before its value. */
export async function waitForValue(field: Locator, expected: string | RegExp): Promise<string> {
  return eventually(
    () => field.inputValue(),
    (value) => (typeof expected === 'string' ? value.includes(expected) : expected.test(value)),
  );
}

/** Filters a list by a value of the menu, or by a typed value if the menu has none. */
export async function filterBy(page: Page, filter: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click();
  const menu = page.getByRole('dialog', { name: 'Add filter' });
  const choice = menu.getByRole('button', { name: filter, exact: true });
  const option = menu.getByRole('button', { name: value, exact: true });
  const field = menu.getByRole('textbox', { name: filter, exact: true });
  await choice.or(option).or(field).first().waitFor();
  if (await choice.isVisible()) await choice.click();
  await option.or(field).first().waitFor();
  if (await option.isVisible()) {
    await option.click();
  } else {
    await field.fill(value);
    await field.press('Enter');
  }
}

/** Returns the copied text. Copying finishes after the click. */
export async function clipboardWith(page: Page, expected: string): Promise<string> {
  return eventually(
    () => page.evaluate<string>('navigator.clipboard.readText()'),
    (text) => text.includes(expected),
  );
}

/** Runs in the page. A string, because this program has no browser types. */
const REPORT_VIOLATIONS = `
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
    window.reportViolation('policy: ' + [violatedDirective, blockedURI, sample].join(' '));
  });
`;

/** Adds everything that a page of this context must not do to `problems`. */
async function watch(context: BrowserContext, origin: string, problems: string[]): Promise<void> {
  await context.exposeFunction('reportViolation', (what: string) => problems.push(what));
  await context.addInitScript({ content: REPORT_VIOLATIONS });
  context.on('weberror', (error) => problems.push(`script: ${String(error.error())}`));
  context.on('request', (request) => {
    const url = request.url();
    if (url.startsWith(origin) || /^(data|blob|about):/.test(url)) return;
    problems.push(`foreign request: ${url}`);
  });
}

/** Adds axe-core to each document that the page loads from now on. Sending it to a loaded page takes a second. */
export async function loadAxe(page: Page): Promise<void> {
  await page.addInitScript({ content: AXE });
}

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs some rules, or all if `undefined`, on what a selector matches. */
const runAxe = (rules: readonly string[] | undefined, within: string) => `axe.run('${within}', {
  ${rules === undefined ? '' : `runOnly: ${JSON.stringify(rules)},`} resultTypes: ['violations'],
}).then(({ violations }) => violations.map(({ id, nodes }) => (
  { id, nodes: nodes.map(({ target }) => ({ target })) })))`;

/** Returns everything that axe-core finds on the page or within a selector, one per line. Includes best practices. */
export async function accessibilityFindings(
  page: Page,
  rules?: readonly string[],
  within = 'html',
): Promise<string[]> {
  const isLoaded = await page.evaluate<boolean>('window.axe !== undefined');
  if (!isLoaded) await page.evaluate(`(() => { ${AXE} })()`);
  const violations = await page.evaluate<AxeFinding[]>(runAxe(rules, within));
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(', ')}`,
  );
}

interface AxeFinding {
  id: string;
  nodes: { target: unknown }[];
}

/** The rules of axe-core whose findings depend on colors. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns axe-core's findings in the light and dark color schemes. */
export async function accessibilityFindingsInBothSchemes(
  page: Page,
  within?: string,
): Promise<string[]> {
  const findings: string[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    await page.evaluate(
      `document.documentElement.setAttribute('data-mantine-color-scheme', '${scheme}')`,
    );
    const found = await accessibilityFindings(
      page,
      scheme === 'dark' ? COLOR_RULES : undefined,
      within,
    );
    findings.push(...found.map((line) => `${scheme}: ${line}`));
  }
  return findings;
}
