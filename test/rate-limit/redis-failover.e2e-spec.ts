import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { Database } from '../../src/platform/database/database.js';
import { FailoverRateLimitStorage } from '../../src/features/rate-limit/failover-rate-limit-storage.js';
import { PLAN_LIMITS } from '../../src/features/rate-limit/plan-limits.js';
import {
  PostgreSqlRateLimitStorage,
  RateLimitLedger,
} from '../../src/features/rate-limit/rate-limit.repository.js';
import type { Take } from '../../src/features/rate-limit/rate-limit-storage.js';
import { createRedisClient, openRedisClient } from '../../src/features/rate-limit/redis-client.js';
import { RedisRateLimitStorage } from '../../src/features/rate-limit/redis-rate-limit-storage.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { describeWithRedis, RedisServer } from './redis-server.js';
import { eventually } from '../support/eventually.js';

const ANSWER_WITHIN_MS = 500;

describeWithRedis('Rate limits when Redis comes and goes', () => {
  let database: TestDatabase;
  let source: DataSource;
  let server: RedisServer;
  let client: Redis;
  let storage: FailoverRateLimitStorage;
  let logged: string[];
  let reasons: string[];

  beforeAll(async () => {
    database = await createTestDatabase();
    source = await new DataSource(dataSourceOptions(database.url, 4, SCHEMA)).initialize();
  });

  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  beforeEach(async () => {
    server = await RedisServer.prepare();
    const made = await createRedisClient(server.url);
    if (made === null) throw new Error('A client needs a URL.');
    client = made;
    logged = [];
    reasons = [];
    storage = new FailoverRateLimitStorage(
      new RedisRateLimitStorage(
        client,
        new RateLimitLedger(new Database(source)),
        ANSWER_WITHIN_MS,
      ),
      new PostgreSqlRateLimitStorage(new Database(source)),
      {
        info: (_, message) => logged.push(message),
        warn: (fields, message) => {
          logged.push(message);
          reasons.push((fields as { reason: string }).reason);
        },
      },
      { retryAfterMs: 100 },
    );
  });

  afterEach(async () => {
    client.disconnect();
    server.resume();
    await server.kill();
  });

  async function serve(): Promise<void> {
    await server.start();
    await openRedisClient(client);
  }

  const takeHundred = (account: string): Promise<Take[]> =>
    Promise.all(Array.from({ length: 100 }, () => storage.take(account, PLAN_LIMITS.plus)));

  const countsInPostgreSql = async (account: string): Promise<boolean> => {
    await storage.take(account, PLAN_LIMITS.plus);
    const rows = await source.query<unknown[]>(
      'SELECT FROM rate_limit_windows WHERE account_id = $1',
      [account],
    );
    return rows.length === 1;
  };

  const untilRedisCounts = () => eventually(async () => !(await countsInPostgreSql(randomUUID())));

  const admitted = (takes: Take[]) => takes.filter((take) => take.admitted).length;

  it('counts in Redis while it responds', async () => {
    await serve();
    expect(await countsInPostgreSql(randomUUID())).toBe(false);
    expect(logged).toEqual([]);
  });

  it('fails no request in progress when Redis dies, and keeps limiting', async () => {
    await serve();
    await storage.take(randomUUID(), PLAN_LIMITS.plus);
    server.pause();
    const takes = takeHundred(randomUUID());
    await server.kill();
    expect(admitted(await takes)).toBe(60);
    expect(admitted(await takeHundred(randomUUID()))).toBe(60);
  });

  it('returns to Redis when it is back, with one log line per change', async () => {
    await serve();
    await server.kill();
    await eventually(() => countsInPostgreSql(randomUUID()));
    await takeHundred(randomUUID());
    await server.start();
    await untilRedisCounts();
    expect(logged).toEqual([
      'Redis is unavailable; PostgreSQL counts rate limits until it responds again.',
      'Redis responds again and counts rate limits.',
    ]);
  });

  it('does not make every request wait for a hanging Redis, and returns when it resumes', async () => {
    await serve();
    await storage.take(randomUUID(), PLAN_LIMITS.plus);
    server.pause();
    const account = randomUUID();
    const began = performance.now();
    for (let n = 0; n < 50; n += 1) await storage.take(account, PLAN_LIMITS.pro);
    expect(performance.now() - began).toBeLessThan(25 * ANSWER_WITHIN_MS);
    expect(await countsInPostgreSql(account)).toBe(true);

    server.resume();
    await untilRedisCounts();
  });

  it('does not mistake a busy moment of this process for a silent Redis', async () => {
    await serve();
    const account = randomUUID();
    const take = storage.take(account, PLAN_LIMITS.plus);
    const until = performance.now() + 2 * ANSWER_WITHIN_MS;
    while (performance.now() < until);
    expect((await take).admitted).toBe(true);
    expect(logged).toEqual([]);
  });

  it('starts without Redis and switches to it when it appears', async () => {
    await openRedisClient(client);
    expect(await countsInPostgreSql(randomUUID())).toBe(true);
    expect(reasons[0]).toContain('ECONNREFUSED');
    await server.start();
    await untilRedisCounts();
  });

  it('counts in PostgreSQL while Redis is a read-only replica', async () => {
    await serve();
    await client.call('REPLICAOF', '127.0.0.1', '1');
    expect(await countsInPostgreSql(randomUUID())).toBe(true);
    await client.call('REPLICAOF', 'NO', 'ONE');
    await untilRedisCounts();
  });
});
