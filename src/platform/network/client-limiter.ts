import type { Clock } from '../basics/clock/clock.js';
import { AppError } from '../basics/errors/app-error.js';
import { clientNetwork } from './client-address.js';

/** Maximum number of tracked clients. The least recently seen ones are evicted first. */
const MAX_CLIENTS = 10_000;

interface ClientLimit {
  /** Maximum calls in a burst. */
  burst: number;
  /** Calls that become available each second. */
  perSecond: number;
  /** The error message over the limit. */
  message: string;
}

interface Bucket {
  tokens: number;
  /** Epoch milliseconds of the last refill. */
  at: number;
}

/** Limits expensive operations that need no valid credential: a token bucket for each client network, in this process. */
export class ClientLimiter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly limit: ClientLimit,
    private readonly clock: Clock,
  ) {}

  /** Counts a call. Returns an error if the client is over its limit. `null` stands for an unknown address. */
  take(address: string | null): AppError | undefined {
    const { burst, perSecond } = this.limit;
    const now = this.clock.now().getTime();
    const client = clientNetwork(address ?? 'unknown');
    const bucket = this.buckets.get(client) ?? { tokens: burst, at: now };
    const refilled = Math.min(
      burst,
      bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * perSecond,
    );
    const allowed = refilled >= 1;
    this.remember(client, { tokens: allowed ? refilled - 1 : refilled, at: now });
    return allowed ? undefined : this.rateLimited(now);
  }

  private rateLimited(now: number): AppError {
    const { perSecond, message } = this.limit;
    const resetAt = new Date(now + 1000).toISOString();
    return new AppError(
      'rate_limited',
      message,
      { window: 'second', limit: perSecond, resetAt, retryAfter: 1 },
      { retryAfterSeconds: 1 },
    );
  }

  private remember(client: string, bucket: Bucket): void {
    this.buckets.delete(client);
    this.buckets.set(client, bucket);
    if (this.buckets.size > MAX_CLIENTS) {
      const [oldest] = this.buckets.keys();
      if (oldest !== undefined) this.buckets.delete(oldest);
    }
  }
}
