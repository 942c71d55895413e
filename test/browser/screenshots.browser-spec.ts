import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { describeInBrowser, useDashboard } from './support/dashboard.js';
import { realisticAccount, type RealisticAccount } from './support/realistic-account.js';

/** Pictures of the documentation. `npm run screenshots` writes them. */
const IMAGES = join(__dirname, '../../docs/images');
const WRITES = process.env.SCREENSHOTS === 'write';

const MOST_BYTES = 150_000;

interface Picture {
  path: (account: RealisticAccount) => string;
  width?: number;
  height?: number;
  scheme?: 'dark';
  /** A text that is there when the page is complete. */
  shows: string;
}

const PICTURES: Readonly<Record<string, Picture>> = {
  documents: { path: () => 'documents?status=published', shows: 'Status: Published' },
  editor: { path: ({ documents }) => `documents/${documents[0] ?? ''}`, shows: 'Next steps' },
  webhooks: { path: () => 'webhooks', height: 480, shows: 'attempts' },
  delivery: {
    path: ({ webhooks, delivery }) =>
      `webhooks/${webhooks[2] ?? ''}/deliveries/${delivery}?attempt=1`,
    shows: 'upstream unavailable',
  },
  keys: { path: ({ keys }) => `keys?open=${keys[0] ?? ''}`, shows: 'Allowed addresses' },
  settings: { path: () => 'settings', shows: 'Your plan' },
  phone: { path: () => 'documents', width: 390, height: 844, shows: 'Published' },
  dark: { path: () => 'overview', scheme: 'dark', shows: 'Delivery success' },
};

/** Runs in the page. */
const IS_COMPLETE = `document.querySelector('h1, [role=dialog]') !== null &&
  document.querySelector('[aria-busy=true]') === null`;
/** Runs in the page. A focus ring in a picture has no meaning. */
const REMOVE_FOCUS = `document.activeElement?.blur()`;

/** Values that differ in each run: IDs, times, durations, counters, ports and keys. */
const CHANGING: readonly [RegExp, string][] = [
  // A slow machine may make another attempt, or one less, before the picture.
  [/\n *- tab "Attempt \d+"(?=\n)/g, ''],
  [/\b1 attempt\b/g, '0 attempts'],
  [/\bv1,[\w+/]+=*/g, 'SIGNATURE'],
  [/…\w{4}\b/g, '…LAST'],
  [/\b[a-z]{2,6}_[0-9a-hjkmnp-tv-z]{26}\b/g, 'ID'],
  [/\b[0-9A-HJKMNP-TV-Z]{26}\b/gi, 'ID'],
  [
    /\b(January|February|March|April|May|June|July|August|September|October|November|December|(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b\.?)/g,
    'MONTH',
  ],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun),/g, 'WEEKDAY,'],
  [/\b(today|yesterday|just now|now|(an?|\d+) (second|minute)s? ago)\b/gi, 'MOMENT'],
  [/\ba moment\b|\b(an?|\d+) (second|minute|hour|day|week|month|year)s?\b/g, 'DURATION'],
  [/\b[0-9a-f]{16,}\b/g, 'HEX'],
  [/\b(AM|PM)\b/g, ''],
  [/\d[\d.,:]*/g, '0'],
];

/** What a screen reader reads on the page, in a form that is the same on every machine. */
async function contentsOf(page: Page): Promise<string> {
  const snapshot = await page.locator('body').ariaSnapshot();
  return CHANGING.reduce((text, [value, name]) => text.replaceAll(value, name), `${snapshot}\n`);
}

/** Pictures of other programs, taken by hand. */
const OF_OTHER_PROGRAMS = ['libreoffice-check'];

describeInBrowser('The pictures of the documentation', () => {
  const dashboard = useDashboard();
  let account: RealisticAccount;
  beforeAll(async () => {
    account = await realisticAccount(dashboard);
    // Otherwise the pictures show a retry that is due now, or one more attempt, depending on how long this took.
    await dashboard.app.dataSource.query(
      `UPDATE webhook_deliveries SET next_attempt_at = now() + interval '3 hours'
        WHERE status = 'pending' AND last_error_class IS NOT NULL`,
    );
    dashboard.keepPages();
  });
  afterAll(() => {
    account.close();
  });

  const take = async (page: Page, { path, shows, scheme, ...size }: Picture) => {
    const { width = 1_280, height = 720 } = size;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme ?? 'light', reducedMotion: 'reduce' });
    await account.open(path(account));
    await page.getByText(shows).first().waitFor({ state: 'attached' });
    await eventually(
      () => page.evaluate<boolean>(IS_COMPLETE),
      (isComplete) => isComplete,
    );
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
    await page.evaluate(REMOVE_FOCUS);
    return { image: await page.screenshot(), contents: await contentsOf(page) };
  };

  /** Pixels differ by machine, so that the picture is compared by the contents of its page. */
  const expectUnchanged = (name: string, contents: string) => {
    const file = join(IMAGES, `${name}.aria.yaml`);
    if (WRITES) writeFileSync(file, contents);
    const stored = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (stored === contents) return;
    const lines = new Set(stored.split('\n'));
    const added = contents.split('\n').filter((line) => !lines.has(line));
    throw new Error(
      `The page in docs/images/${name}.png has changed. Run \`npm run screenshots\`, look at the picture, and commit both files. New lines:\n${added.join('\n')}`,
    );
  };

  it.each(Object.entries(PICTURES))(
    'The pictures of the documentation include %s, in less than 150 KB',
    async (name, picture) => {
      const { image, contents } = await take(account.page, picture);
      expectUnchanged(name, contents);
      if (WRITES) writeFileSync(join(IMAGES, `${name}.png`), image);
      expect(image.length).toBeLessThan(MOST_BYTES);
      expect(await account.page.getByRole('alert').getByText('Something went wrong').count()).toBe(
        0,
      );
    },
  );

  it('The pictures of the documentation are all used, and are the only ones', () => {
    const root = join(__dirname, '../..');
    const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => join('docs', file));
    const pages = ['README.md', ...guides].map((path) => readFileSync(join(root, path), 'utf8'));
    const used = pages.flatMap((text) => [...text.matchAll(/images\/([a-z-]+)\.png/g)]);
    const names = [...Object.keys(PICTURES), ...OF_OTHER_PROGRAMS].sort();
    expect([...new Set(used.map(([, name]) => name))].sort()).toEqual(names);
    const files = names.map((name) => `${name}.png`);
    const contents = Object.keys(PICTURES).map((name) => `${name}.aria.yaml`);
    expect(readdirSync(IMAGES).sort()).toEqual([...files, ...contents].sort());
  });
});
