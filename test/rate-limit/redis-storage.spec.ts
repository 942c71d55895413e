import type { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { Database } from '../../src/platform/database/database.js';
import { RateLimitLedger } from '../../src/features/rate-limit/rate-limit.repository.js';
import { createRedisClient, openRedisClient } from '../../src/features/rate-limit/redis-client.js';
import { RedisRateLimitStorage } from '../../src/features/rate-limit/redis-rate-limit-storage.js';
import { createTestDatabase } from '../support/postgres.js';
import { ageRedisWindows, ageWindows } from './age-windows.js';
import { describeWithRedis, RedisServer } from './redis-server.js';
import { itCountsExactly, type StorageUnderTest } from './storage-conformance.js';

describeWithRedis('Rate limits counted in Redis', () => {
  itCountsExactly(openRedis);
});

/** A slow machine must not look like a Redis outage. */
const PATIENCE_MS = 30_000;

async function openRedis(): Promise<StorageUnderTest> {
  const server = await RedisServer.start();
  const database = await createTestDatabase();
  const source = await new DataSource(dataSourceOptions(database.url, 8, SCHEMA)).initialize();
  const clients: Redis[] = [];
  const connect = async () => {
    const client = await createRedisClient(server.url);
    if (client === null) throw new Error('A client needs a URL.');
    await openRedisClient(client);
    clients.push(client);
    return client;
  };
  const clock = await connect();
  return {
    openReplica: async () =>
      new RedisRateLimitStorage(
        await connect(),
        new RateLimitLedger(new Database(source)),
        PATIENCE_MS,
      ),
    age: async (milliseconds) => {
      await ageWindows(source, milliseconds);
      await ageRedisWindows(clock, milliseconds);
    },
    close: async () => {
      for (const client of clients) client.disconnect();
      await server.kill();
      await source.destroy();
      await database.drop();
    },
  };
}
