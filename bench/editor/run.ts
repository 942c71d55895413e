/**
 * `npm run bench:editor`: what a key costs in the editor of the dashboard, in Chromium, with texts of three sizes. Prints a
 * table in Markdown. `--keys 50` types fewer keys.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type APIRequestContext, type CDPSession, type Page } from 'playwright-core';
import { NodeProcess, PROJECT_FOLDER } from '../servers.js';
import { percentile } from '../statistics.js';
import { markdownOf } from './texts.js';

const CHROMIUM = '/usr/bin/chromium';
/** Name, UTF-16 units, and what p95 must not be above on an idle machine, in ms. */
const SIZES = [
  ['20 KB', 20_000, 16],
  ['200 KB', 200_000, 32],
  ['1 MB', 1_000_000, 60],
] as const;
/** As fast as a quick typist, in ms. */
const BETWEEN_KEYS = 80;

/** Runs in the page: from the event of a key to the first task after the frame that shows it. */
const MEASURE = `
  window.keyTimes = [];
  document.addEventListener('keydown', ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.keyTimes.push(performance.now() - timeStamp);
      port2.postMessage(null);
    });
  }, true);
`;

interface Result {
  size: string;
  /** For p95, in ms. */
  goal: number;
  /** From the address to the text, in ms. */
  opened: number;
  times: number[];
  /** Time of the main thread for a key, in ms. It depends less on what else the machine does. */
  busy: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { keys: { type: 'string', default: '200' } } });
  if (!existsSync(path.join(PROJECT_FOLDER, 'dist', 'main.js'))) {
    throw new Error('The service is not built; run `npm run build` first.');
  }
  const parent = path.join(PROJECT_FOLDER, '.tmp');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, 'bench-editor-'));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const service = await NodeProcess.start({
      args: ['dist/main.js'],
      env: {
        NODE_ENV: 'production',
        EMBEDDED_DATABASE: 'true',
        HOST: '127.0.0.1',
        SIGNUP: 'open',
        WARM_UP: 'false',
        DATA_DIR: path.join(folder, 'data'),
      },
      logFile: path.join(folder, 'service.log'),
    });
    const load = os.loadavg()[0] ?? NaN;
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const account = await signUp(context.request, service.origin);
    const results: Result[] = [];
    for (const [size, length, goal] of SIZES) {
      const page = await context.newPage();
      const devTools = await context.newCDPSession(page);
      const address = await createDocument(context.request, service.origin, account, length);
      results.push(
        await measure(page, devTools, { size, goal, address, keys: Number(values.keys) }),
      );
      await page.close();
    }
    console.log(render(results, load));
  } finally {
    await browser.close();
    await NodeProcess.stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

const headersOf = (origin: string) => ({ Origin: origin, 'X-Dashboard-Request': '1' });

async function signUp(request: APIRequestContext, origin: string): Promise<string> {
  const data = { name: 'Bench', email: 'bench@example.com', password: 'correct horse battery' };
  const response = await request.post(`${origin}/dashboard/api/users`, {
    headers: headersOf(origin),
    data,
  });
  const { data: created } = (await response.json()) as { data: { accounts: { id: string }[] } };
  return created.accounts[0]?.id ?? '';
}

/** Returns the address of the document's page. */
async function createDocument(
  request: APIRequestContext,
  origin: string,
  account: string,
  length: number,
): Promise<string> {
  const response = await request.post(`${origin}/dashboard/api/accounts/${account}/v1/documents`, {
    headers: headersOf(origin),
    data: { title: 'Bench', content: markdownOf(length) },
  });
  const { data } = (await response.json()) as { data: { id: string } };
  return `${origin}/dashboard/${account}/documents/${data.id}`;
}

interface Case {
  size: string;
  goal: number;
  address: string;
  keys: number;
}

async function measure(
  page: Page,
  devTools: CDPSession,
  { size, goal, address, keys }: Case,
): Promise<Result> {
  const startedAt = performance.now();
  await page.goto(address);
  const content = page.getByLabel('Content');
  await content.getByText('First section').waitFor();
  const opened = performance.now() - startedAt;
  // The rest of the text is parsed in the background.
  await page.waitForTimeout(3_000);
  await page.evaluate(MEASURE);
  await content.getByText('Somebody writes here').click();
  await page.keyboard.press('End');
  await devTools.send('Performance.enable');
  const before = await busyMs(devTools);
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press(key % 6 === 5 ? 'Space' : 'abcde'.charAt(key % 6));
    await page.waitForTimeout(BETWEEN_KEYS);
  }
  const busy = ((await busyMs(devTools)) - before) / keys;
  const times = await page.evaluate<number[]>('window.keyTimes');
  return { size, goal, opened, times: times.sort((one, other) => one - other), busy };
}

/** Returns how long the main thread of the page has worked, in ms. */
async function busyMs(devTools: CDPSession): Promise<number> {
  const { metrics } = await devTools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1_000;
}

function render(results: Result[], load: number): string {
  const rows = results.map(({ size, goal, opened, times, busy }) => {
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    const cells = [size, opened.toFixed(0), p50.toFixed(1), p95.toFixed(1), busy.toFixed(1)];
    return `| ${[...cells, String(goal), p95 <= goal ? 'yes' : 'no'].join(' | ')} |`;
  });
  return [
    `${String(os.cpus().length)} cores, load ${load.toFixed(1)}. Times in ms.`,
    '',
    '| Text | Open | Key to paint p50 | p95 | Main thread a key | Goal of p95 | Reached |',
    '| --- | ---: | ---: | ---: | ---: | ---: | --- |',
    ...rows,
  ].join('\n');
}

await main();
