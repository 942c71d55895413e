import { DataSource, type QueryRunner } from 'typeorm';
import { requireSchema } from '../../src/entrypoints/cli/database-session.js';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import {
  migrate,
  migrationStatus,
  pendingMigrations,
  schemaProblem,
} from '../../src/platform/database/migrations.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
const open: DataSource[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const dataSource of open) await dataSource.destroy();
  await database.drop();
});

/** A migration of a later build. */
class Later1999000000000 {
  up = () => Promise.resolve();
  down = () => Promise.resolve();
}

async function connect(later: NewableFunction[] = []): Promise<DataSource> {
  const options = dataSourceOptions(database.url, 3, SCHEMA);
  const migrations = [...(options.migrations as NewableFunction[]), ...later];
  const dataSource = await new DataSource({
    ...options,
    migrations,
  }).initialize();
  open.push(dataSource);
  return dataSource;
}

async function states(dataSource: DataSource): Promise<Set<string>> {
  return new Set((await migrationStatus(dataSource)).map(({ state }) => state));
}

async function revertAll(dataSource: DataSource): Promise<void> {
  const { migrations } = dataSource;
  while ((await pendingMigrations(dataSource)).length < migrations.length)
    await dataSource.undoLastMigration();
}

interface Object {
  kind: string;
  name: string;
}

/** Returns the service's tables, columns, indexes, functions and triggers by name. */
function schemaOf(dataSource: DataSource): Promise<Object[]> {
  return dataSource.query(`
    SELECT 'column' AS kind, table_name || '.' || column_name || ' ' || data_type AS name
      FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
    UNION ALL
    SELECT 'index', indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations'
    UNION ALL
    SELECT 'function', pg_get_functiondef(oid) FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND prokind <> 'a'
    UNION ALL
    SELECT 'aggregate', aggfnoid::regprocedure || ' ' || aggtransfn FROM pg_aggregate
     WHERE aggfnoid::oid IN (SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace)
    UNION ALL
    SELECT 'trigger', pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    ORDER BY 1, 2`);
}

describe('migrations', () => {
  it('can be reverted to an empty database and applied again to the same schema', async () => {
    const dataSource = await connect();
    const before = await schemaOf(dataSource);
    expect(before.length).toBeGreaterThan(100);
    await revertAll(dataSource);
    expect(await schemaOf(dataSource)).toEqual([]);
    expect(await states(dataSource)).toEqual(new Set(['pending']));
    await migrate(dataSource);
    expect(await schemaOf(dataSource)).toEqual(before);
    expect(await states(dataSource)).toEqual(new Set(['applied']));
  });

  it('run once when many replicas start at the same time', async () => {
    const first = await connect();
    await revertAll(first);
    const replicas = await Promise.all(Array.from({ length: 4 }, () => connect()));
    const done = await Promise.all(replicas.map((replica) => migrate(replica)));
    expect(done.filter((names) => names.length > 0)).toHaveLength(1);
    expect(done.flat()).toHaveLength(first.migrations.length);
  });

  it('that a database lacks are left to the operator by other commands', async () => {
    const ahead = await connect([Later1999000000000]);
    await expect(requireSchema(ahead)).rejects.toThrow(
      /lacks 1 migration of this release. Migrate it first: npm run -s cli -- migrate$/,
    );
    expect(await migrate(ahead)).toEqual(['Later1999000000000']);
    await requireSchema(ahead);
    await ahead.undoLastMigration();
  });

  it('wait for another process that migrates, say so once, and give up with a sentence', async () => {
    const [busy, waiting] = [await connect(), await connect()];
    const holder = busy.createQueryRunner();
    await holder.query('SELECT pg_advisory_lock($1)', [4_711_001]);
    const onWait = jest.fn();
    try {
      await expect(migrate(waiting, { limitMs: 50, onWait })).rejects.toThrow(
        /^Another process has been migrating this database for over 0.05 seconds\. Start again/,
      );
    } finally {
      await holder.query('SELECT pg_advisory_unlock($1)', [4_711_001]);
      await holder.release();
    }
    expect(onWait).toHaveBeenCalledTimes(1);
    expect(await migrate(waiting, { onWait })).toEqual([]);
    expect(onWait).toHaveBeenCalledTimes(1);
  });

  it('let requests pass while they wait for a table that a long transaction uses', async () => {
    class AddsColumn1999000000001 {
      up = (runner: QueryRunner) => runner.query('ALTER TABLE documents ADD COLUMN note text');
      down = (runner: QueryRunner) => runner.query('ALTER TABLE documents DROP COLUMN note');
    }
    const [holder, reader] = (await Promise.all([connect(), connect()])).map((dataSource) =>
      dataSource.createQueryRunner(),
    ) as [QueryRunner, QueryRunner];
    await holder.startTransaction();
    await holder.query('SELECT FROM documents LIMIT 0');
    const migrating = await connect([AddsColumn1999000000001]);
    const done = migrate(migrating);
    await eventually(
      () =>
        holder.query(
          `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
            WHERE datname = current_database() AND relation = 'documents'::regclass AND NOT granted`,
        ) as Promise<unknown[]>,
      (waiting) => waiting.length > 0,
    );
    // The lock timeout of a request.
    await reader.query('SET lock_timeout = 3000');
    await reader.query('SELECT FROM documents LIMIT 0');
    await holder.rollbackTransaction();
    expect(await done).toEqual(['AddsColumn1999000000001']);
    await migrating.undoLastMigration();
    await Promise.all([holder.release(), reader.release()]);
  });

  it('that only a newer build has end this one with a sentence', async () => {
    const newer = await connect([Later1999000000000]);
    await migrate(newer);
    const dataSource = await connect();
    expect(await states(dataSource)).toEqual(new Set(['applied', 'newer']));
    await expect(migrate(dataSource)).rejects.toThrow(
      'The database of DATABASE_URL was migrated by a newer release, whose migration Later1999000000000 is unknown to this build: start that release, or downgrade as docs/operate/upgrade.md describes.',
    );
    await newer.undoLastMigration();
    expect(await migrate(dataSource)).toEqual([]);
  });

  it('that fails leaves nothing behind, and earlier ones stay', async () => {
    class Fails1999000000002 {
      up = async (runner: QueryRunner) => {
        await runner.query('ALTER TABLE documents ADD COLUMN note text');
        await runner.query('SELECT 1 / 0');
      };
      down = () => Promise.resolve();
    }
    const before = await schemaOf(await connect());
    const failing = await connect([Later1999000000000, Fails1999000000002]);
    await expect(migrate(failing)).rejects.toThrow('division by zero');
    expect(await schemaOf(failing)).toEqual(before);
    expect(await pendingMigrations(failing)).toEqual(['Fails1999000000002']);
    await failing.undoLastMigration();
  });

  it('that fails in an empty database leaves it empty, so that an installation can be repeated', async () => {
    class Fails1999000000003 {
      up = (runner: QueryRunner) => runner.query('SELECT 1 / 0') as Promise<void>;
      down = () => Promise.resolve();
    }
    const failing = await connect([Fails1999000000003]);
    await revertAll(failing);
    await expect(migrate(failing)).rejects.toThrow('division by zero');
    expect(await schemaOf(failing)).toEqual([]);
    await migrate(await connect());
  });

  it('of a build from before 1.0.0 end this one with a sentence, and change nothing', async () => {
    const dataSource = await connect();
    const before = await schemaOf(dataSource);
    const rows = await dataSource.query<object[]>('SELECT * FROM migrations ORDER BY id');
    await dataSource.query(`DELETE FROM migrations WHERE name <> 'FirstSchema1770000000000'`);
    await expect(migrate(dataSource)).rejects.toThrow(
      /^The database of DATABASE_URL was created by a build from before release 1\.0\.0 .*: export its accounts/,
    );
    expect(await schemaOf(dataSource)).toEqual(before);
    await dataSource.query(
      `INSERT INTO migrations SELECT * FROM json_populate_recordset(NULL::migrations, $1) ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
    );
  });

  it('name the folder of an embedded database in their messages', () => {
    const older = { name: 'FirstTables1760000001000', state: 'older' as const };
    expect(schemaProblem([older], '/srv/data')).toMatch(
      /^The database in \/srv\/data was created by a build from before release 1\.0\.0/,
    );
  });
});
