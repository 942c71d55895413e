import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Window, WindowLimits } from '../auth/plan.js';
import { UNLIMITED } from './plan-limits.js';

/** The state of one window. */
export interface WindowUsage {
  /** Requests counted in the running window. */
  used: number;
  /** When the window ends, or would end if it began now. UTC epoch milliseconds of the storage's clock. */
  resetAt: number;
}

/** The state of the windows of one bucket. */
export interface RateLimitUsage {
  /** The storage's clock when it read the windows, UTC epoch milliseconds. */
  now: number;
  windows: Record<Window, WindowUsage>;
}

/** The windows after a request, which they include if it was admitted. */
export interface RateLimitResult extends RateLimitUsage {
  admitted: boolean;
}

/**
 * Counts requests per bucket, such as an account, in fixed windows that start at the first request. A bucket is a UUID.
 */
export abstract class RateLimitStorage implements ThrottlerStorage {
  /**
   * Atomically counts one request in all three windows, or in none if any is full. A refused request is not counted and
   * starts no window. Rejects if the storage is unavailable.
   */
  abstract consume(bucket: string, limits: WindowLimits): Promise<RateLimitResult>;

  /** Reads the counts without counting a request or starting a window. Rejects if the storage is unavailable. */
  abstract currentUsage(bucket: string, limits: WindowLimits): Promise<RateLimitUsage>;

  /**
   * Counts one request in the window `name`, as Nest's own `ThrottlerGuard` does it. `PlanRateLimitGuard` calls `consume`
   * instead, because a request that one window refuses must not use up the others.
   */
  async increment(
    bucket: string,
    _ttl: number,
    limit: number,
    _blockDuration: number,
    name: string,
  ): ReturnType<ThrottlerStorage['increment']> {
    const limits = { ...UNLIMITED, [name]: Number.isFinite(limit) ? limit : null };
    const { admitted, now, windows } = await this.consume(bucket, limits);
    const { used, resetAt } = windows[name as Window];
    const timeToExpire = Math.ceil((resetAt - now) / 1000);
    return {
      totalHits: used,
      timeToExpire,
      isBlocked: !admitted,
      timeToBlockExpire: admitted ? 0 : timeToExpire,
    };
  }
}
