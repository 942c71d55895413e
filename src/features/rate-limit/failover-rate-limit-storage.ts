import { reasonOf } from '../../platform/basics/errors/reason.js';
import type { Log } from '../../platform/operation/log.js';
import { WINDOWS, type WindowLimits } from '../auth/plan.js';
import type { RateLimitStorage, Take } from './rate-limit-storage.js';
import { RedisAwayError } from './redis-rate-limit-storage.js';

/** Below this limit, Redis would settle with PostgreSQL on each request, so PostgreSQL counts directly. */
const MIN_LIMIT_FOR_REDIS = 20;

interface FailoverOptions {
  /** Pause in ms after a failure before one request tries Redis again. */
  retryAfterMs: number;
}

/**
 * Counts in Redis, and in PostgreSQL while Redis is unavailable. No request fails because of an outage, and at most one
 * request per `retryAfterMs` waits for a dead Redis. Redis settles its counts with PostgreSQL, so a crash loses less than
 * a tenth of a window.
 */
export class FailoverRateLimitStorage implements RateLimitStorage {
  private isRedisDown = false;
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
    if (WINDOWS.some((window) => (limits[window] ?? Infinity) < MIN_LIMIT_FOR_REDIS)) {
      return this.postgresql[what](accountId, limits);
    }
    const isTrial = this.isRedisDown;
    if (isTrial && !this.claimTrial()) return this.postgresql[what](accountId, limits);
    let take: Take;
    try {
      take = await this.redis[what](accountId, limits);
    } catch (error) {
      if (!(error instanceof RedisAwayError)) throw error;
      this.leaveRedis(error);
      return this.postgresql[what](accountId, limits);
    }
    // A reply to a request sent before the failure proves nothing about Redis now.
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
    if (this.isRedisDown) return;
    this.isRedisDown = true;
    this.nextTryAt = performance.now() + this.options.retryAfterMs;
    this.log.warn(
      { reason: reasonOf(error) },
      'Redis is unavailable; PostgreSQL counts rate limits until it responds again.',
    );
  }

  private returnToRedis(): void {
    if (!this.isRedisDown) return;
    this.isRedisDown = false;
    this.log.info({}, 'Redis responds again and counts rate limits.');
  }
}
