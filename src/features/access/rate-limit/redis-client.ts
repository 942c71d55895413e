import type { Redis } from 'ioredis';
import { TimeLimit, within } from '../../../platform/basics/clock/time-limit.js';

/** Injection token of the Redis client; `null` where no Redis is configured. */
export const REDIS_CLIENT = Symbol('RedisClient');

const CONNECT_WITHIN_MS = 1_000;
const HANDSHAKE_WITHIN_MS = 2_000;

/**
 * A client that fails at once instead of waiting: who uses it has another way to go on. It reconnects by itself.
 *
 * @param url `redis://` or `rediss://`, credentials included; undefined gives null.
 */
export async function createRedisClient(url: string | undefined): Promise<Redis | null> {
  if (url === undefined) return null;
  // Only here: it takes memory where no Redis is used.
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_WITHIN_MS,
    disconnectTimeout: 500,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
    enableOfflineQueue: false,
    // A command cut off by a lost connection is answered elsewhere, so it must not run again later.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  });
  // Each failed attempt to reconnect emits an error, and one without a listener ends the process. Users of the client
  // see the failure of their own command and report the change of state once.
  client.on('error', () => undefined);
  limitHandshake(client);
  return client;
}

/** Starts connecting and waits a moment for the outcome, whichever it is: Redis is never required for the start. */
export async function openRedisClient(client: Redis): Promise<void> {
  const connected = client.connect().catch(() => undefined);
  await within(CONNECT_WITHIN_MS, connected, () => new Error('late')).catch(() => undefined);
}

/** ioredis limits how long connecting takes, and not what follows: a server that hangs would be waited for for ever. */
function limitHandshake(client: Redis): void {
  let limit: TimeLimit | undefined;
  client.on('connect', () => {
    limit = new TimeLimit(HANDSHAKE_WITHIN_MS, () => {
      client.disconnect(true);
    });
  });
  for (const event of ['ready', 'close']) client.on(event, () => limit?.clear());
}
