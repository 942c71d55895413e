import { readFileSync } from 'node:fs';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { addChecksums, checksumProblems } from '../../scripts/migration-checksums.js';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import {
  FIRST_SCHEMA,
  migrate,
  migrationStatus,
} from '../../src/platform/database/migrations/migrations.js';
import { FirstSchema1770000000000 } from '../../src/migrations/1770000000000-first-schema.js';
import { schemaObjects } from '../../src/platform/database/migrations/schema-fingerprint.js';
import { createTestDatabase, runOn, type TestDatabase } from '../support/postgres.js';

const CHECKSUMS_FILE = 'src/migrations/checksums.json';
const committed = () => JSON.parse(readFileSync(CHECKSUMS_FILE, 'utf8')) as Record<string, string>;

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

type Migrations = (new () => MigrationInterface)[];

async function connect(url: string, migrations?: Migrations): Promise<DataSource> {
  const options = dataSourceOptions(url, 3, SCHEMA);
  const dataSource = new DataSource({ ...options, ...(migrations && { migrations }) });
  await dataSource.initialize();
  cleanUp.push(() => dataSource.destroy());
  return dataSource;
}

async function migrated(): Promise<string> {
  const database = await createTestDatabase();
  cleanUp.push(() => database.drop());
  return database.url;
}

/** A database where a build before 1.0.0 created the first schema, using TypeORM alone. */
let before100: TestDatabase;
beforeAll(async () => {
  before100 = await createTestDatabase('template0');
  const options = dataSourceOptions(before100.url, 1, SCHEMA);
  const old = new DataSource({ ...options, migrations: [FirstSchema1770000000000] });
  await old.initialize();
  await old.runMigrations();
  await old.destroy();
});
afterAll(() => before100.drop());

/** Returns the address of a copy of that database. */
async function madeBefore100(): Promise<string> {
  const database = await createTestDatabase(new URL(before100.url).pathname.slice(1));
  cleanUp.push(() => database.drop());
  return database.url;
}

async function stored(dataSource: DataSource): Promise<Record<string, string | null>> {
  const rows = await dataSource.query<{ name: string; checksum: string | null }[]>(
    'SELECT name, checksum FROM migrations ORDER BY timestamp',
  );
  return Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]));
}

describe('The checksums of migrations', () => {
  it('are stored in the database as committed', async () => {
    const dataSource = await connect(await migrated());
    expect(await stored(dataSource)).toEqual(committed());
  });

  it('stop a build whose migration has different SQL from the one that ran', async () => {
    const url = await migrated();
    await runOn(url, `UPDATE migrations SET checksum = 'other' WHERE name = '${FIRST_SCHEMA}'`);
    const dataSource = await connect(url);
    expect(await migrationStatus(dataSource)).toContainEqual(
      expect.objectContaining({ name: FIRST_SCHEMA, state: 'changed' }),
    );
    await expect(migrate(dataSource)).rejects.toThrow(
      /^The database of DATABASE_URL ran the migration FirstSchema1770000000000 with SQL that differs from this build: start the build/,
    );
  });

  it('are missing if a different tool ran a migration, which also stops a build', async () => {
    const url = await migrated();
    class Later1999000000000 {
      up = (runner: QueryRunner) => runner.query('SELECT 1') as Promise<void>;
      down = () => Promise.resolve();
    }
    const migrations = dataSourceOptions(url, 1, SCHEMA).migrations as Migrations;
    const dataSource = await connect(url, [...migrations, Later1999000000000]);
    await dataSource.runMigrations();
    await expect(migrate(dataSource)).rejects.toThrow(
      /has no checksum for the migration Later1999000000000, .* revert it with/,
    );
    await dataSource.undoLastMigration();
    expect(await migrate(dataSource)).toEqual(['Later1999000000000']);
    expect(await migrate(dataSource)).toEqual([]);
  });
});

describe('A table of migrations that was edited by hand', () => {
  const later = 'LongJobs1795520000000';

  it.each([
    ['lacks a row between others', `DELETE FROM migrations WHERE name = '${later}'`, later],
    ['lacks the first row', `DELETE FROM migrations WHERE name = '${FIRST_SCHEMA}'`, FIRST_SCHEMA],
    ['is empty', 'DELETE FROM migrations', FIRST_SCHEMA],
    ['is gone', 'DROP TABLE migrations', FIRST_SCHEMA],
  ])('stops a build when it %s', async (_, statement, name) => {
    const url = await migrated();
    await runOn(url, statement);
    const dataSource = await connect(url);
    expect(await migrationStatus(dataSource)).toContainEqual(
      expect.objectContaining({ name, state: 'missing' }),
    );
    await expect(migrate(dataSource)).rejects.toThrow(
      new RegExp(`^The database of DATABASE_URL does not list the migration ${name} .*: restore`),
    );
  });

  it('stops migrate when it lacks the last row although its tables exist', async () => {
    const url = await migrated();
    await runOn(
      url,
      'DELETE FROM migrations WHERE timestamp = (SELECT max(timestamp) FROM migrations)',
    );
    const last = SCHEMA.migrations.at(-1)?.name ?? '';
    await expect(migrate(await connect(url))).rejects.toThrow(
      new RegExp(
        `^The database of DATABASE_URL already contains objects of the migration ${last} \\(.*already exists.*\\), .*: restore`,
      ),
    );
  });

  it.each([
    ['of the first migration', `WHERE name = '${FIRST_SCHEMA}'`, FIRST_SCHEMA],
    ['of one between others', `WHERE name = '${later}'`, later],
  ])('stops a build when it lacks the checksum %s', async (_, condition, name) => {
    const url = await migrated();
    await runOn(url, `UPDATE migrations SET checksum = NULL ${condition}`);
    await expect(migrate(await connect(url))).rejects.toThrow(
      new RegExp(
        `has lost the checksum of the migration ${name}, although later ones ran: restore`,
      ),
    );
  });

  it('stops a build when it lists a migration twice with different checksums, in any order', async () => {
    const url = await migrated();
    await runOn(
      url,
      `INSERT INTO migrations (timestamp, name, checksum)
       SELECT timestamp + step, name, 'other' FROM migrations, unnest(ARRAY[-1, 1]) AS step WHERE name = '${later}'`,
    );
    await expect(migrate(await connect(url))).rejects.toThrow(
      /ran the migration .* with SQL that differs/,
    );
  });
});

describe('A database from before release 1.0.0', () => {
  it('is adopted, even by several replicas at once, if it has the tables of 1.0.0', async () => {
    const url = await madeBefore100();
    const replicas = await Promise.all([connect(url), connect(url), connect(url)]);
    const done = await Promise.all(replicas.map((replica) => migrate(replica)));
    const others = Object.keys(committed()).filter((name) => name !== FIRST_SCHEMA);
    expect(done.flat()).toEqual(others);
    expect(await stored(replicas[0])).toEqual(committed());
  });

  it.each([
    ['lacks a column', 'ALTER TABLE webhooks DROP COLUMN headers_encrypted'],
    ['lacks an index', 'DROP INDEX documents_type_idx'],
    ['has another type', 'ALTER TABLE accounts ALTER COLUMN name TYPE varchar(99)'],
    ['has another function', 'ALTER FUNCTION uuid_v7() STABLE'],
    ['lacks a trigger', 'DROP TRIGGER index_added ON documents'],
    ['has another constraint', 'ALTER TABLE documents ADD CONSTRAINT extra CHECK (title <> $$ $$)'],
  ])('is refused when it %s', async (_, statement) => {
    const url = await madeBefore100();
    await runOn(url, statement);
    const dataSource = await connect(url);
    const before = await schemaObjects(dataSource);
    await expect(migrate(dataSource)).rejects.toThrow(
      /^The database of DATABASE_URL was created by a build from before release 1\.0\.0 .*: export its accounts/,
    );
    expect(await schemaObjects(dataSource)).toEqual(before);
  });

  it('is compared and served by a role that can only read the tables', async () => {
    const url = await madeBefore100();
    // The role of the tests may not create roles. It is a member of this one, which owns nothing.
    await runOn(url, 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO pg_checkpoint');
    const asReader = new URL(url);
    asReader.searchParams.set('options', '-c role=pg_checkpoint');
    const reader = await connect(asReader.href, [FirstSchema1770000000000]);
    expect(await migrate(reader)).toEqual([]);
    await migrate(await connect(url, [FirstSchema1770000000000]));
    expect(await migrationStatus(reader)).toMatchObject([{ name: FIRST_SCHEMA, state: 'applied' }]);
    expect(await migrate(reader)).toEqual([]);
    await runOn(url, `UPDATE migrations SET checksum = 'other'`);
    await expect(migrate(reader)).rejects.toThrow(/with SQL that differs from this build/);
  });
});

describe('npm run check:migrations', () => {
  const landed = () =>
    (dataSourceOptions('', 1, SCHEMA).migrations as Migrations).map((Migration) => new Migration());
  const edited = {
    name: FIRST_SCHEMA,
    up: async (runner: QueryRunner) => {
      await new FirstSchema1770000000000().up(runner);
      await runner.query('ALTER TABLE documents ADD COLUMN note text');
    },
    down: () => Promise.resolve(),
  };
  const unlanded = {
    name: 'Later1999000000000',
    up: (runner: QueryRunner) => runner.query('SELECT 1') as Promise<void>,
    down: () => Promise.resolve(),
  };

  it('accepts unchanged migrations', async () => {
    expect(await checksumProblems(landed())).toEqual([]);
  });

  it('names an edited migration, and no command replaces its checksum', async () => {
    const before = readFileSync(CHECKSUMS_FILE, 'utf8');
    const migrations = [edited, ...landed().slice(1), unlanded];
    expect((await checksumProblems(migrations)).join('\n')).toMatch(
      /^The SQL of FirstSchema1770000000000 differs from the committed SQL .* Undo the edit and write a new migration/m,
    );
    expect(await addChecksums(migrations)).toMatchObject({ added: [] });
    expect(readFileSync(CHECKSUMS_FILE, 'utf8')).toBe(before);
  });

  it('names a migration without a checksum and the command that adds it', async () => {
    expect(await checksumProblems([...landed(), unlanded])).toEqual([
      expect.stringMatching(/^Later1999000000000 has no checksum .* npm run migrations:checksum$/),
    ]);
  });

  it('names a migration that was removed', async () => {
    expect((await checksumProblems(landed().slice(1))).join('\n')).toMatch(
      /^FirstSchema1770000000000 is in .*checksums\.json, but SCHEMA\.migrations .* Put it back/m,
    );
  });
});
