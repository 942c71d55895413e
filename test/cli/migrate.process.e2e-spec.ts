import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, databaseUrl, runOn, type TestDatabase } from '../support/postgres.js';
import { spawnService } from '../support/service-process.js';
import { expectRefusal, printed, runCli, runCliProcess } from './run-cli.js';

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
  it('migrations on the command line are pending on an empty database, run once, and are then applied', async () => {
    expect(new Set(await states())).toEqual(new Set(['pending']));
    const first = await runCli(environment, 'migrate');
    expect(first.stdout).toMatch(/^(applied {2}\w+\n)+$/);
    expect((await runCli(environment, 'migrate')).stdout).toBe('The database is up to date.\n');
    expect(new Set(await states())).toEqual(new Set(['applied']));
  });

  it('migrations on the command line run automatically when the first key is created in an empty database, even twice at once', async () => {
    const runs = await Promise.all(
      ['ada@example.com', 'grace@example.com'].map((email) =>
        runCliProcess(environment, 'keys', 'create', '--email', email, '--json'),
      ),
    );
    for (const run of runs) expect(printed(run)).toHaveProperty('key');
    expect(new Set(await states())).toEqual(new Set(['applied']));
  });

  it.each<[string, string, RegExp]>([
    [
      'made before release 1.0.0',
      `INSERT INTO migrations (timestamp, name) VALUES (1760000001000, 'FirstTables1760000001000')`,
      /^The database of DATABASE_URL was created by a build from before release 1\.0\.0 \(migration FirstTables1760000001000\), .*: export its accounts.* empty database/,
    ],
    [
      'migrated by a newer release',
      `INSERT INTO migrations (timestamp, name) VALUES (1999000000000, 'Later1999000000000')`,
      /^The database of DATABASE_URL was migrated by a newer release, whose migration Later1999000000000 .*: start that release/,
    ],
  ])(
    'stop every command and startup with one sentence on a database %s',
    async (_, sql, sentence) => {
      environment = { DATABASE_URL: database.url };
      const folder = await mkdtemp(join(tmpdir(), 'migrate-'));
      const [backup, other] = [join(folder, 'good.backup'), join(folder, 'other.backup')];
      expect((await runCli(environment, 'backup', backup)).exitCode).toBe(0);
      await runOn(database.url, sql);
      expectRefusal(await runCli(environment, 'migrate'), sentence);
      expectRefusal(await runCli(environment, 'backup', other), sentence);
      expectRefusal(await runCli(environment, 'restore', backup, '--replace'), sentence);
      expectRefusal(
        await runCli(environment, 'keys', 'create', '--email', 'a@b.example'),
        sentence,
      );
      const status = await runCli(environment, 'migrate:status');
      expect(status).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(sentence) as string,
      });
      expect(status.stdout).toMatch(/^(older|newer) +\w+$/m);
      const doctor = await runCli(environment, 'doctor', '--json');
      expect(doctor.exitCode).toBe(1);
      expect(doctor.stdout).toMatch(new RegExp(sentence.source.slice(1)));
      for (const MIGRATE_ON_START of ['true', 'false']) {
        const key = Buffer.alloc(32).toString('base64');
        const service = spawnService({ ...environment, SECRETS_KEY: key, MIGRATE_ON_START });
        await once(service.child, 'close');
        expect(service.child.exitCode).toBe(1);
        const said = service
          .output()
          .split('\n')
          .filter((line) => !line.startsWith('{'));
        expect(said).toEqual([expect.stringMatching(sentence)]);
      }
      await rm(folder, { recursive: true });
    },
  );
});
