import type { Redis } from 'ioredis';
import { createRedisClient, openRedisClient } from '../../src/rate-limit/redis-client.js';
import { RedisRateLimitStorage } from '../../src/rate-limit/redis-rate-limit-storage.js';
import { describeWithRedis, RedisServer } from './redis-server.js';
import { itCountsExactly, type StorageUnderTest } from './storage-conformance.js';

describeWithRedis('Rate limits counted in Redis', () => {
  itCountsExactly(openRedis);
});

async function openRedis(): Promise<StorageUnderTest> {
  const server = await RedisServer.start();
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
    openReplica: async () => new RedisRateLimitStorage(await connect()),
    age: async (milliseconds) => {
      for (const key of await clock.keys('rate-limit:*')) {
        for (const window of ['minute', 'hour', 'day']) {
          await clock.hincrby(key, `${window}_start`, -milliseconds);
        }
      }
    },
    close: async () => {
      for (const client of clients) client.disconnect();
      await server.kill();
    },
  };
}
