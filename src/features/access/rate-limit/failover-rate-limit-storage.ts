import { reasonOf } from '../../../platform/basics/errors/reason.js';
import type { Log } from '../../../platform/operation/log.js';
import { WINDOWS, type WindowLimits } from '../auth/plan.js';
import type { RateLimitStorage, Take } from './rate-limit-storage.js';
import { RedisAwayError } from './redis-rate-limit-storage.js';

/** A tenth of less is one request, of which PostgreSQL would be told each time: it counts by itself. */
const FEWEST_IN_REDIS = 20;

interface FailoverOptions {
  /** How long nobody asks Redis after it failed, in milliseconds; then one request tries. */
  retryAfterMs: number;
}

/**
 * Counts in Redis and, while Redis is away, in PostgreSQL: no request fails for it, and at most one request in
 * `retryAfterMs` waits for a dead Redis. Redis settles its counts with PostgreSQL, so what is forgotten when it dies is
 * less than a tenth of a window.
 */
export class FailoverRateLimitStorage implements RateLimitStorage {
  private redisIsAway = false;
  private nextTryAt = 0;

  constructor(
    private readonly redis: RateLimitStorage,
    private readonly postgresql: RateLimitStorage,
    private readonly log: Pick<Log, 'info' | 'warn'>,
    private readonly options: FailoverOptions = { retryAfterMs: 3_000 },
  ) {}

  take(accountId: string, limits: WindowLimits): Promise<Take> {
    return this.ask('take', accountId, limits);
  }

  look(accountId: string, limits: WindowLimits): Promise<Take> {
    return this.ask('look', accountId, limits);
  }

  private async ask(what: 'take' | 'look', accountId: string, limits: WindowLimits): Promise<Take> {
    if (WINDOWS.some((window) => (limits[window] ?? Infinity) < FEWEST_IN_REDIS)) {
      return this.postgresql[what](accountId, limits);
    }
    const isTrial = this.redisIsAway;
    if (isTrial && !this.claimTrial()) return this.postgresql[what](accountId, limits);
    let take: Take;
    try {
      take = await this.redis[what](accountId, limits);
    } catch (error) {
      if (!(error instanceof RedisAwayError)) throw error;
      this.leaveRedis(error);
      return this.postgresql[what](accountId, limits);
    }
    // An answer asked for before the failure proves nothing about Redis now.
    if (isTrial) this.returnToRedis();
    return take;
  }

  private claimTrial(): boolean {
    const now = performance.now();
    if (now < this.nextTryAt) return false;
    this.nextTryAt = now + this.options.retryAfterMs;
    return true;
  }

  private leaveRedis(error: unknown): void {
    if (this.redisIsAway) return;
    this.redisIsAway = true;
    this.nextTryAt = performance.now() + this.options.retryAfterMs;
    this.log.warn(
      { reason: reasonOf(error) },
      'Redis is away; rate limits are counted in PostgreSQL until it answers again.',
    );
  }

  private returnToRedis(): void {
    if (!this.redisIsAway) return;
    this.redisIsAway = false;
    this.log.info({}, 'Redis answers again; rate limits are counted there.');
  }
}
