import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { AppError } from '../errors/app-error.js';
import { clientNetwork } from '../network/client-address.js';

/** Wrong keys an address may try in one go, and how many more it may try each second after that. */
const BURST = 100;
const PER_SECOND = 10;
/** Addresses remembered at once; the longest unseen ones are forgotten first. */
const MAX_ADDRESSES = 10_000;

interface Bucket {
  tokens: number;
  /** Epoch milliseconds of the last refill. */
  at: number;
}

/**
 * Limits wrong keys per client address, in this process: a token bucket each. Only failures are counted, so a valid
 * key from the same address always passes.
 */
@Injectable()
export class FailedKeyLimiter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly clock: Clock) {}

  /** Records a wrong key; the error to answer instead of 401 when the address has tried too many. */
  recordFailure(address: string): AppError | undefined {
    const now = this.clock.now().getTime();
    const client = clientNetwork(address);
    const bucket = this.buckets.get(client) ?? { tokens: BURST, at: now };
    const refilled = Math.min(
      BURST,
      bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * PER_SECOND,
    );
    const allowed = refilled >= 1;
    this.remember(client, { tokens: allowed ? refilled - 1 : refilled, at: now });
    if (allowed) return undefined;
    return new AppError(
      'rate_limited',
      'Too many wrong API keys came from your address. Check the key and wait a moment.',
      {
        window: 'second',
        limit: PER_SECOND,
        resetAt: new Date(now + 1000).toISOString(),
        retryAfter: 1,
      },
      { retryAfterSeconds: 1 },
    );
  }

  private remember(client: string, bucket: Bucket): void {
    this.buckets.delete(client);
    this.buckets.set(client, bucket);
    if (this.buckets.size > MAX_ADDRESSES) {
      const [oldest] = this.buckets.keys();
      if (oldest !== undefined) this.buckets.delete(oldest);
    }
  }
}
