import type { Clock } from '../basics/clock/clock.js';
import { AppError } from '../basics/errors/app-error.js';
import { clientNetwork } from './client-address.js';

/** Clients remembered at once; the longest unseen ones are forgotten first. */
const MAX_CLIENTS = 10_000;

export interface ClientLimit {
  /** What a client may do in one go. */
  burst: number;
  /** How much more each second after that. */
  perSecond: number;
  /** What is told to who does more. */
  sentence: string;
}

interface Bucket {
  tokens: number;
  /** Epoch milliseconds of the last refill. */
  at: number;
}

/** Limits what costs something and needs no valid credential, by client network and in this process: a token bucket each. */
export class ClientLimiter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly limit: ClientLimit,
    private readonly clock: Clock,
  ) {}

  /** Counts one of a client; the error to answer when it was too much. `null` is the address that no proxy tells. */
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
    return allowed ? undefined : this.refusal(now);
  }

  private refusal(now: number): AppError {
    const { perSecond, sentence } = this.limit;
    const resetAt = new Date(now + 1000).toISOString();
    return new AppError(
      'rate_limited',
      sentence,
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
