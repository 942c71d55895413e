import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { revertLastMigration } from '../../src/database/migrations.js';
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

  it('are left to the operator on a database of an older release', async () => {
    const older = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
    await revertLastMigration(older).finally(() => older.destroy());
    environment = { DATABASE_URL: database.url };
    expectRefusal(
      await runCli(environment, 'keys', 'create', '--email', 'ada@example.com'),
      /lacks 1 migration of this release. Migrate it first: npm run -s cli -- migrate$/m,
    );
    await runCli(environment, 'migrate');
    printed(await runCli(environment, 'keys', 'create', '--email', 'ada@example.com', '--json'));
  });
});
