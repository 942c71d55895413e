import { createTestDatabase, databaseUrl, type TestDatabase } from '../support/postgres.js';
import { expectRefusal, runCli } from './run-cli.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a command that cannot be understood', () => {
  it.each([
    [['nonsense'], /unknown command 'nonsense'/],
    [['keys', 'crate'], /unknown command 'crate'/],
    [['keys', 'create'], /required option '--email <address>' not specified/],
    [['keys', 'create', '--email'], /'--email <address>' argument missing/],
    [['keys', 'create', '--email', 'ada'], /email is not an e-mail address/],
    [['keys', 'create', '--email', 'a@b.example', '--plan', 'gold'], /free, plus, pro, enterprise/],
    [['keys', 'create', '--email', 'a@b.example', '--scopes', 'documents:raed'], /documents:read/],
    [['keys', 'create', '--email', 'a@b.example', '--expires', 'soon'], /a duration such as 30d/],
    [['keys', 'create', '--email', 'a@b.example', '--name', ' '], /name must have 1 to 200/],
    [['keys', 'revoke'], /missing required argument 'id'/],
    [['keys', 'rotate', 'key_x', '--grace', '8d'], /at most 7d/],
    [['keys', 'list', 'all'], /too many arguments/],
    [['accounts', 'plan', 'acct_x'], /missing required argument 'plan'/],
    [['migrate', '--force'], /unknown option '--force'/],
  ])('is refused in one sentence: %j', async (args, sentence) => {
    expectRefusal(await runCli({ DATABASE_URL: database.url }, ...args), sentence);
  });
});

describe('a command without a database', () => {
  it.each([
    [
      'mysql://localhost/documents',
      /DATABASE_URL is not a server address; write it like postgres:/,
    ],
    ['postgres://localhost:1/documents', /cannot be reached .*correct DATABASE_URL/],
    ['postgres://no-such-host.invalid/documents', /cannot be reached .*correct DATABASE_URL/],
  ])('says what is wrong with %s', async (url, sentence) => {
    const run = await runCli({ DATABASE_URL: url }, 'keys', 'list');
    expect(run.stderr.trim().split('\n').at(-1)).toMatch(sentence);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it('says so when the server refuses, and never repeats the password', async () => {
    const wrong = new URL(database.url);
    wrong.password = 'hunter2';
    for (const url of [wrong.href, databaseUrl(database.url, 'missing')]) {
      const run = await runCli({ DATABASE_URL: url }, 'migrate');
      expectRefusal(run, /PostgreSQL refused: .*Correct DATABASE_URL/);
      expect(run.stderr).not.toContain('hunter2');
    }
  });

  it('says so when the data folder cannot be one', async () => {
    expectRefusal(await runCli({ DATA_DIR: 'package.json' }, 'keys', 'list'), /set DATA_DIR to/);
  });
});

describe('--help', () => {
  it('lists the commands, on standard output', async () => {
    const { exitCode, stdout } = await runCli({}, '--help');
    for (const command of ['keys', 'accounts', 'migrate', 'migrate:status', 'webhooks']) {
      expect(stdout).toContain(command);
    }
    expect(exitCode).toBe(0);
  });
});
