import type { Redis } from 'ioredis';
import { Counter, Gauge, type Registry } from 'prom-client';
import { TimeLimit, within } from '../../platform/basics/clock/time-limit.js';
import type { RedisRateLimitStorage } from './redis-rate-limit-storage.js';

/** Injection token of the Redis client; `null` if Redis is not configured. */
export const REDIS_CLIENT = Symbol('RedisClient');

const CONNECT_WITHIN_MS = 1_000;
const HANDSHAKE_WITHIN_MS = 2_000;

/**
 * Creates a client that fails immediately instead of queueing, because PostgreSQL can take over. It reconnects
 * automatically.
 *
 * @param url `redis://` or `rediss://`, with credentials; `undefined` returns null
 */
export async function createRedisClient(url: string | undefined): Promise<Redis | null> {
  if (url === undefined) return null;
  // Load lazily: the library uses memory even when Redis is not configured.
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_WITHIN_MS,
    disconnectTimeout: 500,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
    enableOfflineQueue: false,
    // If a connection is lost, PostgreSQL takes over the command, so the command must not run again later.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  });
  // Each failed reconnect emits an error, and an unhandled error event would end the process. Callers notice the failure
  // of their own command and log the outage once.
  client.on('error', () => undefined);
  limitHandshake(client);
  return client;
}

/** Starts connecting and waits briefly for the outcome. Startup never requires Redis. */
export async function openRedisClient(client: Redis): Promise<void> {
  const connected = client.connect().catch(() => undefined);
  await within(CONNECT_WITHIN_MS, connected, () => new Error('late')).catch(() => undefined);
}

/** Limits the handshake. ioredis limits only connecting, so it would wait forever for a server that hangs. */
function limitHandshake(client: Redis): void {
  let limit: TimeLimit | undefined;
  client.on('connect', () => {
    limit = new TimeLimit(HANDSHAKE_WITHIN_MS, () => {
      client.disconnect(true);
    });
  });
  for (const event of ['ready', 'close']) client.on(event, () => limit?.clear());
}

/** Registers the Prometheus metrics of Redis. Values are collected when Prometheus scrapes them. */
export function registerRedisMetrics(
  registry: Registry,
  client: Redis,
  { commands }: RedisRateLimitStorage,
): void {
  const registers = [registry];
  new Gauge({
    name: 'redis_up',
    help: '1 if this process is connected to Redis; 0 if PostgreSQL counts the rate limits.',
    registers,
    collect() {
      this.set(client.status === 'ready' ? 1 : 0);
    },
  });
  new Counter({
    name: 'redis_commands_total',
    help: 'Redis commands, by whether Redis responded in time.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      this.inc({ result: 'answered' }, commands.answered);
      this.inc({ result: 'failed' }, commands.failed);
    },
  });
  new Counter({
    name: 'redis_command_seconds_total',
    help: 'Total time of Redis commands. Divide by redis_commands_total for the mean.',
    registers,
    collect() {
      this.reset();
      this.inc(commands.seconds);
    },
  });
}
