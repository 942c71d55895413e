import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printed, runCli } from '../cli/run-cli.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { blocksOf, type Block, type Language, type PageBlocks } from './run/blocks.js';
import { differenceIn, Reader, type World } from './run/reader.js';
import { TypescriptPages } from './run/typescript-pages.js';

// Runs the examples of the documentation as a reader does. How to write them: docs/contribute/test.md. One page:
// npx jest --config jest.process.config.mjs test/documentation/examples -t 'webhooks.md'

/** Decisions are records, not instructions. */
const PAGES = [
  'README.md',
  ...markdownIn('docs').filter((file) => !file.startsWith('docs/adr/')),
  'packages/client/README.md',
  'sdk-python/README.md',
].filter((file) => existsSync(file));

/** Commands that install, build or test the software, or that run other programs of the reader's machine. */
const ON_THE_READERS_MACHINE = [
  /^npm (ci|install|start|test|pack)\b/,
  /^npm run (?!-s cli\b)/,
  /^npx /,
  /^(python3 -m )?pip install /,
  /^python3 -m venv /,
  /^\. \.venv\//,
  /^git clone /,
  /^cd [\w/-]+$/,
];

/** Examples that other tests compile: `test/documents/add-a-field` and others by name. */
const COMPILED_BY_OTHER_TESTS = /^docs\/contribute\//;

/** Pages whose commands start, stop or replace the service or its data. They get a service of their own. */
const OWN_SERVICE = /^README\.md$|^docs\/operate\//;

/** The first analysis loads dictionaries. On a busy machine, that takes longer than a request waits. */
const LOADED_WITHIN_MS = 120_000;

interface Page extends PageBlocks {
  /** The block that starts the service, if the page has one. */
  start: Block | undefined;
}

function pageOf(file: string): Page {
  const page = blocksOf(file);
  const isElsewhere = (block: Block) =>
    block.language === 'sh'
      ? commandsOf(block).every((line) => ON_THE_READERS_MACHINE.some((one) => one.test(line)))
      : COMPILED_BY_OTHER_TESTS.test(file);
  return {
    ...page,
    blocks: page.blocks.filter((block) => !isElsewhere(block)),
    start: page.blocks.find(({ code }) => code.includes('npm start')),
  };
}

const commandsOf = ({ code }: Block) =>
  code
    .split(/\n|&&/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const pages = PAGES.map(pageOf);
/** In CI, a missing Python fails the test. */
const runsPython = Boolean(process.env['CI']) || spawnSync('python3', ['--version']).status === 0;
const blocksIn = (page: Page, language: Language) =>
  page.blocks.filter((block) => block.language === language);
const pagesWith = (language: Language) =>
  pages.filter((page) => blocksIn(page, language).length > 0);

describe('the examples of the documentation', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let world: World;
  let folder: string;
  let compiled: TypescriptPages | undefined;
  const typescript = () => (compiled ??= new TypescriptPages(folder, pagesWith('ts')));

  beforeAll(async () => {
    folder = mkdtempSync('.tmp/examples-');
    database = await createTestDatabase();
    const environment = {
      NODE_ENV: 'development',
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
    };
    service = await startService(environment);
    world = { origin: service.origin, environment, newKey: (email) => newKey(environment, email) };
    await firstAnalysis(world);
  }, 2 * LOADED_WITHIN_MS);

  afterAll(async () => {
    await service.end();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('include none that escapes this test', () => {
    expect(pages.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it.each(pagesWith('sh'))('$file: commands run, with the shown output', async (page) => {
    const own = OWN_SERVICE.test(page.file) ? await OwnService.start() : undefined;
    const reader = await Reader.of(page, own?.world ?? world);
    try {
      own?.expectStart(reader, page);
      if (own && blocksIn(page, 'sh').some(({ code }) => code.includes('/v1/analyze'))) {
        await firstAnalysis(own.world);
      }
      await reader.followCommands(blocksIn(page, 'sh'), own?.key);
    } finally {
      await reader.end();
      await own?.end();
    }
  });

  it.each(pagesWith('ts'))('$file: TypeScript compiles and runs', async (page) => {
    const reader = await Reader.of(page, world);
    try {
      await reader.runTypescript(typescript());
    } finally {
      await reader.end();
    }
  });

  for (const page of pagesWith('python')) {
    const title = `${page.file}: Python ${runsPython ? 'runs' : 'is skipped, because python3 is missing'}`;
    (runsPython ? it : it.skip)(title, async () => {
      const reader = await Reader.of(page, world);
      try {
        await reader.runPython();
      } finally {
        await reader.end();
      }
    });
  }
});

async function newKey(environment: Readonly<Record<string, string>>, email: string) {
  const words = ['keys', 'create', '--json', '--email', email, '--name', 'Owner', '--plan', 'pro'];
  const made = printed(await runCli(environment, ...words)) as { key: string };
  return made.key;
}

async function firstAnalysis({ origin, newKey: keyOf }: World): Promise<void> {
  const headers = { Authorization: `Bearer ${await keyOf('first@example.com')}` };
  const body = JSON.stringify({ content: 'I recieved teh letter.' });
  const init = {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  };
  const analyze = async () => {
    const { status } = await fetch(`${origin}/v1/analyze`, init);
    expect([200, 202]).toContain(status);
    return status === 200;
  };
  await eventually(analyze, Boolean, LOADED_WITHIN_MS);
}

/** A service as `npm start` starts it, for one page. */
class OwnService {
  private constructor(
    private readonly service: ServiceProcess,
    private readonly folder: string,
    private readonly banner: string,
  ) {}

  static async start(): Promise<OwnService> {
    const folder = mkdtempSync(join(tmpdir(), 'reader-service-'));
    const environment = { NODE_ENV: 'development', EMBEDDED_DATABASE: '', DATA_DIR: folder };
    const service = await startService(environment);
    const banner = await eventually(
      () => /The Document Service is running[^]*?\}'/.exec(service.output())?.[0] ?? '',
    );
    return new OwnService(service, folder, banner);
  }

  get world(): World {
    const environment = { DATA_DIR: this.folder };
    const { origin } = this.service;
    return { origin, environment, newKey: (email) => newKey(environment, email) };
  }

  get key(): string {
    return /ds_live_\w+/.exec(this.banner)?.[0] ?? '';
  }

  /** Compares the output of the start with the page, if it shows it, and runs the command in it. */
  expectStart(reader: Reader, { start }: Page): void {
    const here = this.banner.replaceAll(`:${String(this.service.port)}`, ':3000');
    if (start?.shown) expect(differenceIn(start.shown, here)).toBeUndefined();
    const command = reader.adapted(here.slice(here.indexOf('curl')));
    expect(spawnSync('bash', ['-c', command]).status).toBe(0);
  }

  async end(): Promise<void> {
    await this.service.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
