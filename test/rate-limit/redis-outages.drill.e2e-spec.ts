import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { Database } from '../../src/platform/database/database.js';
import { FailoverRateLimitStorage } from '../../src/features/rate-limit/failover-rate-limit-storage.js';
import {
  PostgreSqlRateLimitStorage,
  RateLimitLedger,
} from '../../src/features/rate-limit/rate-limit.repository.js';
import type { RateLimitStorage } from '../../src/features/rate-limit/rate-limit-storage.js';
import { createRedisClient, openRedisClient } from '../../src/features/rate-limit/redis-client.js';
import { RedisRateLimitStorage } from '../../src/features/rate-limit/redis-rate-limit-storage.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { describeWithRedis, RedisServer } from './redis-server.js';
import { drillCount } from '../support/drills.js';

const LIMITS = { minute: 200, hour: 5_000, day: 50_000 };
/** Maximum number of requests that may be forgotten each time Redis is lost. */
const TENTH = 20;

/** A slow machine must not look like a Redis outage. */
const PATIENCE_MS = 1_000;

/** How Redis can be lost and return. */
type Outage = 'dies and comes back empty' | 'dies and comes back with its data' | 'hangs';

describeWithRedis('Limits over the loss and the return of Redis', () => {
  let database: TestDatabase;
  let source: DataSource;
  let dataDir: string;
  let server: RedisServer;
  let clients: Redis[];
  let replicas: RateLimitStorage[];
  let replicasAway = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    source = await new DataSource(dataSourceOptions(database.url, 8, SCHEMA)).initialize();
    dataDir = await mkdtemp(join(tmpdir(), 'redis-outages-'));
    server = await RedisServer.prepare(dataDir);
    await server.start();
    clients = [];
    replicas = [];
    for (let replica = 0; replica < 3; replica += 1) {
      const client = await createRedisClient(server.url);
      if (client === null) throw new Error('A client needs a URL.');
      await openRedisClient(client);
      clients.push(client);
      replicas.push(newReplica(client));
    }
  });

  afterAll(async () => {
    for (const client of clients) client.disconnect();
    await server.kill();
    await rm(dataDir, { recursive: true });
    await source.destroy();
    await database.drop();
  });

  function newReplica(client: Redis): RateLimitStorage {
    const connections = new Database(source);
    return new FailoverRateLimitStorage(
      new RedisRateLimitStorage(client, new RateLimitLedger(connections), PATIENCE_MS),
      new PostgreSqlRateLimitStorage(connections),
      { info: () => (replicasAway -= 1), warn: () => (replicasAway += 1) },
      { retryAfterMs: 50 },
    );
  }

  const replicaFor = (n: number) => replicas[n % 3] as RateLimitStorage;

  /** Sends requests concurrently to all replicas in turn. Returns the number that were admitted. */
  async function take(account: string, count: number): Promise<number> {
    const takes = await Promise.all(
      Array.from({ length: count }, (_, n) => replicaFor(n).take(account, LIMITS)),
    );
    return takes.filter(({ admitted }) => admitted).length;
  }

  /** Sends requests of another account, which tell every replica about the outage. */
  async function lose(outage: Outage): Promise<void> {
    if (outage === 'hangs') server.pause();
    else await server.kill();
    await take(randomUUID(), 3);
  }

  async function bringBack(outage: Outage): Promise<void> {
    if (outage === 'dies and comes back empty') {
      await rm(dataDir, { recursive: true });
      dataDir = await mkdtemp(join(tmpdir(), 'redis-outages-'));
      const empty = await RedisServer.prepare(dataDir);
      server = Object.assign(empty, { port: Number(new URL(server.url).port) });
    }
    if (outage === 'hangs') server.resume();
    else await server.start();
    // Each replica returns to Redis with one of its next requests.
    const other = randomUUID();
    await eventually(async () => {
      await take(other, 3);
      return replicasAway === 0;
    });
  }

  it.each<Outage>(['dies and comes back empty', 'dies and comes back with its data', 'hangs'])(
    'admits 200 to 220 for a limit of 200 a minute when Redis %s in between, with requests in progress',
    async (outage) => {
      const account = randomUUID();
      let admitted = await take(account, 95);
      const underWay = take(account, 12);
      await lose(outage);
      admitted += await underWay;
      admitted += await take(account, 30);
      await bringBack(outage);
      for (let round = 0; round < 6; round += 1) admitted += await take(account, 30);
      admitted += await take(account, 30);
      expect(admitted).toBeGreaterThanOrEqual(LIMITS.minute);
      expect(admitted).toBeLessThanOrEqual(LIMITS.minute + TENTH);
    },
  );

  it('transfers all counts that PostgreSQL has received, in both directions', async () => {
    const account = randomUUID();
    // Nine settlements of 20. The rest is less than a tenth.
    expect(await take(account, 185)).toBe(185);
    await lose('dies and comes back empty');
    expect(await take(account, 10)).toBe(10);
    await bringBack('dies and comes back empty');
    const next = await replicaFor(0).take(account, LIMITS);
    expect(next.windows.minute.used).toBe(191);
    expect(next.windows.hour.used).toBe(191);
  });

  it('holds for any sequence of requests and outages', async () => {
    const requests = fc.integer({ min: 1, max: 60 });
    const outage = fc.constantFrom<Outage>(
      'dies and comes back empty',
      'dies and comes back with its data',
      'hangs',
    );
    const steps = fc.array(fc.oneof({ weight: 3, arbitrary: requests }, outage), {
      minLength: 3,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const account = randomUUID();
        let asked = 0;
        let admitted = 0;
        let outages = 0;
        let lost: Outage | undefined;
        for (const step of [...sequence, 240]) {
          if (typeof step === 'number') {
            asked += step;
            admitted += await take(account, step);
          } else if (lost === undefined) {
            await lose((lost = step));
            outages += 1;
          } else {
            await bringBack(lost);
            lost = undefined;
          }
        }
        if (lost !== undefined) await bringBack(lost);
        expect(admitted).toBeGreaterThanOrEqual(Math.min(asked, LIMITS.minute));
        expect(admitted).toBeLessThanOrEqual(LIMITS.minute + outages * TENTH);
      }),
      { numRuns: drillCount({ small: 2, full: 8 }), endOnFailure: true },
    );
  }, 120_000);
});
