import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase } from '../support/postgres.js';
import { expectRefusal, printed, runCliProcess, type CliRun } from './run-cli.js';

/** Each command starts a new process. */
jest.setTimeout(240_000);

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let folder: string;
let accountId: string;
let environment: Record<string, string>;
const cli = (...args: string[]): Promise<CliRun> => runCliProcess(environment, ...args);
beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'document-service-commands-'));
  environment = { DATABASE_URL: database.url, SECRETS_KEY: randomBytes(32).toString('base64') };
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

describe('the program of the command line runs', () => {
  it('the program of the command line runs accounts', async () => {
    const made = printed(await cli('accounts', 'create', '--email', 'ada@example.com', '--json'));
    accountId = (made as { id: string }).id;
    expect(accountId).toMatch(/^acct_/);
  });

  it('the program of the command line runs demo', async () => {
    const made = printed(await cli('demo', '--documents', '3', '--json'));
    expect(made).toMatchObject({ documents: 3, email: 'demo@example.com' });
    const released = await database.dataSource.query<object[]>(
      `SELECT release.status, release.publish_at > clock_timestamp() AS ahead, settings.rules -> 0 -> 'checks' AS checks,
              item.version = document.version AS current, document.status AS document,
              (SELECT sum((counts ->> 'open')::integer)::integer FROM enhancements WHERE document_id = document.id) AS suggestions
         FROM releases AS release JOIN release_items AS item ON item.release_id = release.id
         JOIN documents AS document ON document.id = item.document_id
         JOIN publishing_settings AS settings ON settings.account_id = release.account_id ORDER BY position`,
    );
    const checks = { errors: null, minScore: null, openSuggestions: 0 };
    const common = { status: 'scheduled', ahead: true, current: true, checks };
    expect(released).toEqual([
      { ...common, document: 'published', suggestions: null },
      { ...common, document: 'draft', suggestions: 1 },
    ]);
  });

  it.each<[string, () => string[], RegExp]>([
    ['members', () => ['members', 'list', accountId], /ada@example\.com +yes/],
    ['keys', () => ['keys', 'create', '--account', accountId], /\nds_live_\w{38}\n$/],
    ['users', () => ['users', 'list'], /ada@example\.com/],
    ['webhooks', () => ['webhooks', 'list'], /^ID /],
    ['secrets', () => ['secrets', 'status'], /secret_encrypted/],
    ['doctor', () => ['doctor'], /0 failures, \d+ warnings?\.\n$/],
    ['migrate', () => ['migrate'], /^The database is up to date\.\n$/],
    ['migrate:status', () => ['migrate:status'], /^applied /],
    [
      'backup',
      () => ['backup', join(folder, 'one.backup')],
      /^3 documents of 2 accounts backed up/,
    ],
    [
      'restore',
      () => ['restore', join(folder, 'one.backup'), '--replace'],
      /^3 documents of 2 accounts restored/,
    ],
  ])('%s', async (_, args, output) => {
    const run = await cli(...args());
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(output) as string });
  });

  it('the program of the command line runs mcp, which needs a key', async () => {
    expectRefusal(await cli('mcp'), /^Set DOCUMENT_SERVICE_KEY/);
  });

  it('no unknown command, and exits with 1', async () => {
    expectRefusal(await cli('nonsense'), /unknown command 'nonsense'/);
  });
});
