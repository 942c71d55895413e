import { randomBytes } from 'node:crypto';
import { createTestDatabase, databaseUrl, runOn, type TestDatabase } from '../support/postgres.js';
import { expectRefusal, printed, runCli } from './run-cli.js';

let database: TestDatabase;
let emptyName: string;
let environment: { DATABASE_URL: string };
beforeEach(async () => {
  database = await createTestDatabase();
  emptyName = `test_${randomBytes(8).toString('hex')}`;
  await runOn(database.url, `CREATE DATABASE ${emptyName}`);
  environment = { DATABASE_URL: databaseUrl(database.url, emptyName) };
});
afterEach(async () => {
  await runOn(database.url, `DROP DATABASE ${emptyName} WITH (FORCE)`);
  await database.drop();
});

const states = async () => {
  const { stdout } = await runCli(environment, 'migrate:status');
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0]);
};

describe('migrations on the command line', () => {
  it('are pending on an empty database, run once, and are applied then', async () => {
    expect(new Set(await states())).toEqual(new Set(['pending']));
    const first = await runCli(environment, 'migrate');
    expect(first.stdout).toMatch(/^(applied {2}\w+\n)+$/);
    expect((await runCli(environment, 'migrate')).stdout).toBe('The database is up to date.\n');
    expect(new Set(await states())).toEqual(new Set(['applied']));
  });

  it('run by themselves when the first key is made in an empty database, also twice at once', async () => {
    const runs = await Promise.all(
      ['ada@example.com', 'grace@example.com'].map((email) =>
        runCli(environment, 'keys', 'create', '--email', email, '--json'),
      ),
    );
    for (const run of runs) expect(printed(run)).toHaveProperty('key');
    expect(new Set(await states())).toEqual(new Set(['applied']));
  });

  it('are refused in one sentence on a database of an older build, whatever the command', async () => {
    environment = { DATABASE_URL: database.url };
    await runOn(
      database.url,
      `INSERT INTO migrations (timestamp, name) VALUES (1760000001000, 'FirstTables1760000001000')`,
    );
    const sentence =
      /^The database of DATABASE_URL was made by an older build: .*FirstTables1760000001000.* Set DATABASE_URL to an empty database/;
    expectRefusal(await runCli(environment, 'migrate'), sentence);
    expectRefusal(
      await runCli(environment, 'keys', 'create', '--email', 'ada@example.com'),
      sentence,
    );
    const status = await runCli(environment, 'migrate:status');
    expect(status.exitCode).toBe(0);
    expect(status.stdout).toMatch(/^older {4}FirstTables1760000001000\napplied {2}FirstSchema/);
    expect(status.stderr).toMatch(sentence);
  });

  it('of a newer build are shown, and this build goes on beside it', async () => {
    environment = { DATABASE_URL: database.url };
    await runOn(
      database.url,
      `INSERT INTO migrations (timestamp, name) VALUES (1999000000000, 'Later1999000000000')`,
    );
    expect(new Set(await states())).toEqual(new Set(['applied', 'newer']));
    expect((await runCli(environment, 'migrate')).stdout).toBe('The database is up to date.\n');
    printed(await runCli(environment, 'keys', 'create', '--email', 'ada@example.com', '--json'));
  });
});
