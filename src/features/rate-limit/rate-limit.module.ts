import { Module } from '@nestjs/common';
import { getStorageToken, ThrottlerModule } from '@nestjs/throttler';
import { Database } from '../../platform/database/database.js';
import { WINDOWS } from '../auth/plan.js';
import { WINDOW_SECONDS } from './plan-limits.js';
import { PlanRateLimitGuard } from './plan-rate-limit.guard.js';
import { RateLimitObservers } from './rate-limit-observers.js';
import { RateLimitStorage } from './rate-limit-storage.js';
import { rateLimitIn, hashedUuid } from './request-rate-limit.js';

/** Rate limits by plan, key and token, counted in PostgreSQL. */
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [Database],
      useFactory: (database: Database) => ({
        storage: new RateLimitStorage(database),
        throttlers: WINDOWS.map((window) => ({
          name: window,
          ttl: WINDOW_SECONDS[window] * 1000,
          limit: (context) => rateLimitIn(context)?.buckets[0].limits[window] ?? Infinity,
        })),
        getTracker: (_, context) => String(rateLimitIn(context)?.buckets[0].id),
        generateKey: (_, tracker, window) => hashedUuid(`${window} ${tracker}`),
      }),
    }),
  ],
  providers: [
    { provide: RateLimitStorage, useExisting: getStorageToken() },
    PlanRateLimitGuard,
    RateLimitObservers,
  ],
  exports: [RateLimitObservers, RateLimitStorage, PlanRateLimitGuard],
})
export class RateLimitModule {}
