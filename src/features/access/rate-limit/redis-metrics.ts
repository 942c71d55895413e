import type { Redis } from 'ioredis';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { RedisRateLimitStorage } from './redis-rate-limit-storage.js';

/** What Prometheus reads of Redis. A request only adds to numbers; they are put together when they are read. */
export function registerRedisMetrics(
  registry: Registry,
  client: Redis,
  { commands }: RedisRateLimitStorage,
): void {
  const registers = [registry];
  new Gauge({
    name: 'redis_up',
    help: '1 while this process is connected to Redis; 0: limits are counted in PostgreSQL.',
    registers,
    collect() {
      this.set(client.status === 'ready' ? 1 : 0);
    },
  });
  new Counter({
    name: 'redis_commands_total',
    help: 'Commands to Redis, by whether it answered in time.',
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
    help: 'Time that commands to Redis took in all; divided by their number it is their mean.',
    registers,
    collect() {
      this.reset();
      this.inc(commands.seconds);
    },
  });
}
