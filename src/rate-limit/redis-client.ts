import type { Redis } from 'ioredis';

/** Injection token of the Redis client; `null` where no Redis is configured. */
export const REDIS_CLIENT = Symbol('RedisClient');

const CONNECT_WITHIN_MS = 1_000;

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
    // Also bounds the handshake, which a hanging server would otherwise hold open for ever.
    commandTimeout: 2_000,
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
  return client;
}

/** Starts connecting and waits a moment for the outcome, whichever it is: Redis is never required for the start. */
export async function openRedisClient(client: Redis): Promise<void> {
  const connected = client.connect().catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CONNECT_WITHIN_MS);
  });
  await Promise.race([connected, patience]);
  clearTimeout(timer);
}
