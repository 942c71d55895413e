import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { migrate, migrationStatus, revertLastMigration } from '../../src/database/migrations.js';
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

async function connect(): Promise<DataSource> {
  const dataSource = await new DataSource(dataSourceOptions(database.url, 3)).initialize();
  open.push(dataSource);
  return dataSource;
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
    while ((await revertLastMigration(dataSource)) !== undefined);
    expect(await schemaOf(dataSource)).toEqual([]);
    expect((await migrationStatus(dataSource)).some(({ applied }) => applied)).toBe(false);
    await migrate(dataSource);
    expect(await schemaOf(dataSource)).toEqual(before);
    expect((await migrationStatus(dataSource)).every(({ applied }) => applied)).toBe(true);
  });

  it('run once when many replicas start at the same moment', async () => {
    const first = await connect();
    while ((await revertLastMigration(first)) !== undefined);
    const replicas = await Promise.all(Array.from({ length: 4 }, connect));
    const done = await Promise.all(replicas.map((replica) => migrate(replica)));
    expect(done.filter((names) => names.length > 0)).toHaveLength(1);
    expect(done.flat()).toHaveLength(first.migrations.length);
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
});
