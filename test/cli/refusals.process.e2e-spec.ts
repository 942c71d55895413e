import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledProgram } from '../support/compiled-program.js';
import { createTestDatabase, databaseUrl, type TestDatabase } from '../support/postgres.js';
import { expectRefusal, printed, runCli } from './run-cli.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it.each([
  [['nonsense'], /unknown command 'nonsense'/],
  [['keys', 'crate'], /unknown command 'crate'/],
  [['keys', 'create'], /Set the owner of the key: --email .* or --account/],
  [['keys', 'create', '--email'], /'--email <address>' argument missing/],
  [['keys', 'create', '--email', 'ada'], /^--email is not an e-mail address/],
  [['keys', 'create', '--email', 'a@b.example', '--plan', 'gold'], /free, plus, pro, enterprise/],
  [['keys', 'create', '--email', 'a@b.example', '--scopes', 'documents:raed'], /documents:read/],
  [['keys', 'create', '--email', 'a@b.example', '--expires', 'soon'], /a duration such as 30d/],
  [['keys', 'create', '--email', 'a@b.example', '--name', ' '], /^--name must have 1 to 200/],
  [
    ['keys', 'create', '--email', 'a@b.example', '--key-name', ' '],
    /^--key-name must have 1 to 100/,
  ],
  [['accounts', 'create'], /required option '--email <address>' not specified/],
  [['members', 'add', 'acct_x', 'ada'], /^<email> is not an e-mail address/],
  [['members', 'role', 'acct_x', 'a@b.example', 'boss'], /owner, admin, member, viewer/],
  [['keys', 'revoke'], /missing required argument 'id'/],
  [['keys', 'rotate', 'key_x', '--grace', '8d'], /at most 7d/],
  [['keys', 'list', 'all'], /too many arguments/],
  [['accounts', 'plan', 'acct_x'], /missing required argument 'plan'/],
  [['migrate', '--force'], /unknown option '--force'/],
])('a command that cannot be understood is refused in one sentence: %j', async (args, sentence) => {
  expectRefusal(await runCli({ DATABASE_URL: database.url }, ...args), sentence);
});

describe('a command without a database', () => {
  it.each([
    [
      'mysql://localhost/documents',
      /DATABASE_URL is not a server address; write it like postgres:/,
    ],
    ['postgres://localhost:1/documents', /cannot be reached .*correct DATABASE_URL/],
    ['postgres://no-such-host.invalid/documents', /cannot be reached .*correct DATABASE_URL/],
  ])('a command without a database reports the problem with %s', async (url, sentence) => {
    const run = await runCli({ DATABASE_URL: url }, 'keys', 'list');
    expect(run.stderr.trim().split('\n').at(-1)).toMatch(sentence);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it('a command without a database reports when the server refuses it, and never repeats the password', async () => {
    const wrong = new URL(database.url);
    wrong.password = 'hunter2';
    for (const url of [wrong.href, databaseUrl(database.url, 'missing')]) {
      const run = await runCli({ DATABASE_URL: url }, 'migrate');
      expectRefusal(run, /PostgreSQL refused: .*Correct DATABASE_URL/);
      expect(run.stderr).not.toContain('hunter2');
    }
  });

  it('a command without a database reports an impossible data folder', async () => {
    for (const command of ['keys', 'accounts']) {
      const run = await runCli({ DATA_DIR: 'package.json' }, command, 'list');
      expectRefusal(
        run,
        /^There is no database in the data folder .*\. Set DATA_DIR to the folder/,
      );
    }
  });
});

it('a data folder without a database is named, and nothing is created there by any command', async () => {
  const folder = join(tmpdir(), `no-database-${crypto.randomUUID()}`);
  for (const command of [
    ['accounts', 'list'],
    ['keys', 'create', '--email', 'ada@example.com'],
    ['migrate'],
    ['migrate:status'],
    ['secrets', 'status'],
  ]) {
    expectRefusal(
      await runCli({ DATA_DIR: folder, DATABSE_URL: '' }, ...command),
      new RegExp(`^There is no database in the data folder ${folder}\\. Set DATA_DIR .* npm start`),
    );
  }
  expect(existsSync(folder)).toBe(false);
});

it('a misspelled variable is refused with the likely name, because the command would use another database', async () => {
  const run = await runCli({ DATABSE_URL: 'x', DATA_DIR: '/nowhere' }, 'keys', 'list');
  expect(run.exitCode).toBe(1);
  expect(run.stderr).toMatch(
    / {2}- DATABSE_URL is not a setting; rename it to DATABASE_URL, or remove it\.\n$/,
  );
});

describe('--json', () => {
  it('--json reports every kind of failure as one JSON document on standard error', async () => {
    for (const [args, message] of [
      [['nonsense'], /unknown command 'nonsense'/],
      [['keys', 'revoke'], /missing required argument 'id'/],
      [['keys', 'revoke', 'key_x'], /^No such key\./],
      [['keys', 'create', '--email', 'ada'], /^--email is not an e-mail address/],
    ] as const) {
      const run = await runCli({ DATABASE_URL: database.url }, ...args, '--json');
      expect(run).toMatchObject({ exitCode: 1, stdout: '' });
      const { error } = JSON.parse(run.stderr) as { error: { message: string } };
      expect(error.message).toMatch(message);
    }
  });

  it('--json is an option of every command, and docs/operate/command-line.md lists all commands', async () => {
    const documented = readFileSync('docs/operate/command-line.md', 'utf8');
    const { stdout } = await runCli({}, '--help');
    const commands = [...stdout.matchAll(/^ {2}([a-z:]+) {2,}/gm)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(8);
    for (const command of commands) {
      const help = (await runCli({}, command, '--help')).stdout;
      const leaves = [...help.matchAll(/^ {2}([a-z-]+) \[options\]/gm)].map(
        ([, name = '']) => name,
      );
      expect(help).toMatch(leaves.length > 0 ? /Commands:/ : /--json/);
      const written = leaves.length > 0 ? leaves.map((leaf) => `${command} ${leaf}`) : [command];
      for (const one of written) {
        expect(documented).toMatch(new RegExp(`^npm run -s cli -- ${one}( |$)`, 'm'));
      }
      const helps = await Promise.all(leaves.map((leaf) => runCli({}, command, leaf, '--help')));
      expect(helps.filter(({ stdout }) => !stdout.includes('--json'))).toEqual([]);
    }
  });
});

it('--version prints the release, with --json as JSON', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await runCli({}, '--version')).toEqual({
    exitCode: 0,
    stdout: `${version}\n`,
    stderr: '',
  });
  expect(printed(await runCli({}, '--version', '--json'))).toMatchObject({ version });
});

it('--help lists the commands, on standard output', async () => {
  const { exitCode, stdout } = await runCli({}, '--help');
  for (const command of ['keys', 'accounts', 'migrate', 'migrate:status', 'webhooks']) {
    expect(stdout).toContain(command);
  }
  expect(exitCode).toBe(0);
});

describe('a command whose output nobody reads', () => {
  /** Runs the program with its output redirected by a shell. Returns the exit code and standard error. */
  function runTo(
    redirection: string,
    ...args: string[]
  ): { exitCode: number | null; stderr: string } {
    const script = `"$0" "$@" ${redirection}`;
    const words = ['-c', script, process.execPath, bundledProgram('cli'), ...args];
    const { status, stderr } = spawnSync('bash', words, {
      env: { ...process.env, DATABASE_URL: database.url, SECRETS_KEY: '' },
      encoding: 'utf8',
    });
    return { exitCode: status, stderr };
  }

  it.each([
    ['--version', ['> >(exit)', '>&-', '>&- 2>&-']],
    ['users list', ['> >(exit)', '>&-', '>&- 2>&-']],
    // Prints many lines.
    ['doctor', ['> >(exit)']],
  ])(
    'a command whose output nobody reads ends normally when the reader of %s has left or there is none',
    (command, redirections) => {
      const words = command.split(' ');
      const { exitCode } = runTo('', ...words);
      for (const redirection of redirections) {
        expect(runTo(redirection, ...words)).toEqual({ exitCode, stderr: '' });
      }
    },
  );

  it('a command whose output nobody reads reports in one sentence that a full disk accepted no output', () => {
    expect(runTo('> /dev/full', 'users', 'list', '--json')).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^\{"error":\{"message":"The output is incomplete.*\}\n$/,
      ) as string,
    });
  });
});
