import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { Database } from '../../src/platform/database/database.js';
import { PLAN_LIMITS } from '../../src/features/rate-limit/plan-limits.js';
import { PostgreSqlRateLimitStorage } from '../../src/features/rate-limit/rate-limit.repository.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { ageWindows } from './age-windows.js';
import { eventually } from '../support/eventually.js';
import { itCountsExactly, type StorageUnderTest } from './storage-conformance.js';

describe('Rate limits counted in PostgreSQL', () => {
  itCountsExactly(openPostgreSql);

  describe('waiting for a lock', () => {
    let database: TestDatabase;
    let source: DataSource;

    beforeAll(async () => {
      database = await createTestDatabase();
      source = await new DataSource(dataSourceOptions(database.url, 4, SCHEMA)).initialize();
    });

    afterAll(async () => {
      await source.destroy();
      await database.drop();
    });

    it('count a request that waited for another one at the time it runs', async () => {
      const storage = new PostgreSqlRateLimitStorage(new Database(source));
      const account = randomUUID();
      await storage.take(account, PLAN_LIMITS.free);

      const other = source.createQueryRunner();
      await other.startTransaction();
      await other.query('SELECT FROM rate_limit_windows WHERE account_id = $1 FOR UPDATE', [
        account,
      ]);
      const waiting = storage.take(account, PLAN_LIMITS.free);
      await eventually(() => somebodyWaits(source));
      const [{ turn }] = await source.query<[{ turn: Date }]>('SELECT clock_timestamp() AS turn');
      await other.commitTransaction();
      await other.release();

      expect((await waiting).now).toBeGreaterThanOrEqual(turn.getTime());
    });
  });
});

async function somebodyWaits(source: DataSource): Promise<boolean> {
  const waiting = await source.query<unknown[]>(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

async function openPostgreSql(): Promise<StorageUnderTest> {
  const database = await createTestDatabase();
  const sources: DataSource[] = [];
  const connect = async () => {
    const source = await new DataSource(dataSourceOptions(database.url, 4, SCHEMA)).initialize();
    sources.push(source);
    return source;
  };
  const clock = await connect();
  return {
    openReplica: async () => new PostgreSqlRateLimitStorage(new Database(await connect())),
    age: (milliseconds) => ageWindows(clock, milliseconds),
    close: async () => {
      await Promise.all(sources.map((source) => source.destroy()));
      await database.drop();
    },
  };
}
