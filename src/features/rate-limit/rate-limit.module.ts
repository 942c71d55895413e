import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { Log } from '../../platform/operation/log.js';
import { Metrics } from '../../platform/operation/metrics.js';
import { FailoverRateLimitStorage } from './failover-rate-limit-storage.js';
import { PlanRateLimitGuard } from './plan-rate-limit.guard.js';
import { PostgreSqlRateLimitStorage, RateLimitLedger } from './rate-limit.repository.js';
import { RATE_LIMIT_STORAGE, type RateLimitStorage } from './rate-limit-storage.js';
import {
  createRedisClient,
  openRedisClient,
  REDIS_CLIENT,
  registerRedisMetrics,
} from './redis-client.js';
import { RedisRateLimitStorage } from './redis-rate-limit-storage.js';

/** Rate limits by plan, counted in PostgreSQL, or in Redis backed by PostgreSQL if `REDIS_URL` is set. */
@Module({
  imports: [
    // The throttler named "default", which @SkipThrottle() skips. The guard uses the limits of the account's plan instead
    // of these. A limit of 0 refuses everything if the throttler's own guard is ever used by mistake.
    ThrottlerModule.forRoot([{ ttl: 60_000, limit: 0 }]),
  ],
  providers: [
    {
      provide: REDIS_CLIENT,
      inject: [Config],
      useFactory: (config: Config) => createRedisClient(config.redisUrl),
    },
    {
      provide: RATE_LIMIT_STORAGE,
      inject: [Database, Log, Metrics, REDIS_CLIENT],
      useFactory: chooseStorage,
    },
    PlanRateLimitGuard,
  ],
  exports: [REDIS_CLIENT, RATE_LIMIT_STORAGE, PlanRateLimitGuard],
})
export class RateLimitModule implements OnModuleInit, OnApplicationShutdown {
  constructor(@Inject(REDIS_CLIENT) private readonly redis: Redis | null) {}

  async onModuleInit(): Promise<void> {
    if (this.redis !== null) await openRedisClient(this.redis);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}

function chooseStorage(
  database: Database,
  log: Log,
  { registry }: Metrics,
  redis: Redis | null,
): RateLimitStorage {
  const postgresql = new PostgreSqlRateLimitStorage(database);
  if (redis === null) return postgresql;
  const counting = new RedisRateLimitStorage(redis, new RateLimitLedger(database));
  registerRedisMetrics(registry, redis, counting);
  return new FailoverRateLimitStorage(counting, postgresql, log);
}
