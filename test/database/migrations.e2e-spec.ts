import { DataSource } from 'typeorm';
import { requireSchema } from '../../src/cli/database-session.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { foreignSchema, migrate, migrationStatus } from '../../src/database/migrations.js';
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

async function connect(later: (typeof Later1999000000000)[] = []): Promise<DataSource> {
  const options = dataSourceOptions(database.url, 3);
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
  while ((await states(dataSource)).has('applied')) await dataSource.undoLastMigration();
}

interface Object {
  kind: string;
  name: string;
}

/** Tables, columns, indexes, functions and triggers of the service, by name. */
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
  it('go down to an empty database and up again to the same schema', async () => {
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

  it('run once when many replicas start at the same moment', async () => {
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

  it('wait for another process that migrates, say so once, and give up in a sentence', async () => {
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

  it('of a build with other tables are refused, whichever is newer, and those of the next build are not', async () => {
    const dataSource = await connect();
    const older = { name: 'FirstTables1760000001000', state: 'older' as const };
    const newer = { name: 'Later1999000000000', state: 'newer' as const };
    const own = (state: 'applied' | 'pending') => ({ name: 'FirstSchema1770000000000', state });
    expect(foreignSchema([older, own('pending')], '/srv/data')).toBe(
      'The database in the data folder /srv/data was made by an older build: this one does not know its migration FirstTables1760000001000 and cannot take its tables over. Move the folder away, or set DATA_DIR to another one, to begin anew; the build that made it can still open it.',
    );
    expect(foreignSchema([own('pending'), newer])).toBe(
      'The database of DATABASE_URL was made by a newer build: this one does not know its migration Later1999000000000 and cannot take its tables over. Set DATABASE_URL to an empty database to begin anew; the build that made it can still open it.',
    );
    expect(foreignSchema([own('applied'), newer])).toBeUndefined();
    expect(foreignSchema(await migrationStatus(dataSource))).toBeUndefined();
  });
});
