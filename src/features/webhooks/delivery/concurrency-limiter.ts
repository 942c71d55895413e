import { runningTime } from '../../../platform/basics/clock/time-limit.js';

/** Maximum deliveries in flight in this process, and maximum bytes of their bodies. */
const MAX_ROWS = 1_000;
const MAX_BYTES = 32 * 1024 ** 2;
/** Below this, claims and writes do not wait to form larger batches. */
export const MANY_IN_FLIGHT = 32;
/** A delivery that takes longer than this makes its webhook slow, in milliseconds. */
const SLOW_MS = 2_000;
/** How long the duration of the last delivery counts, in milliseconds. */
const REMEMBERED_MS = 60_000;
/** Maximum webhooks whose usage is tracked. Beyond that, idle ones are evicted. */
const MAX_REMEMBERED = 10_000;

/**
 * A webhook may start a delivery while less than `scope` of the capacity is in use. It may hold `share` of what is free
 * in that scope, and always one delivery. This is a "dynamic threshold", as used for switch buffers: the more receivers
 * hang, the less each of them holds. The last quarter of the capacity is reserved for webhooks known to respond quickly.
 */
const THRESHOLDS = {
  quick: { scope: 1, share: 1 / 32 },
  unknown: { scope: 3 / 4, share: 1 / 128 },
  slow: { scope: 1 / 2, share: 1 / 32 },
};

interface LimitedDelivery {
  webhookId: string;
  body: string | null;
}

/** A delivery that counts as in flight until it is released. `acquiredAt` is on the limiter's clock. */
export type Acquired<Delivery> = Delivery & { acquiredAt: number };

interface Usage {
  rows: number;
  /** Bytes of bodies. */
  bytes: number;
}

/** The deliveries of one webhook in flight, and how long its last one took. */
interface WebhookUsage extends Usage {
  /** When each delivery in flight was acquired, earliest first. */
  readonly acquiredAt: number[];
  endedAt: number;
  wasSlow: boolean;
}

/** Limits the deliveries in flight, so that memory stays bounded and hanging receivers cannot starve others. */
export class ConcurrencyLimiter {
  private readonly total: Usage = { rows: 0, bytes: 0 };
  private readonly webhooks = new Map<string, WebhookUsage>();

  constructor(private readonly now: () => number = runningTime) {}

  /** Number of deliveries that were acquired and not yet released. */
  get inFlight(): number {
    return this.total.rows;
  }

  get free(): Usage {
    return this.freeWithin(1);
  }

  /** The limits of one claim: half of the free capacity, so that the next webhooks find some too. */
  get claimable(): Usage {
    const { rows, bytes } = this.free;
    return { rows: Math.ceil(rows / 2), bytes: Math.ceil(bytes / 2) };
  }

  /**
   * Returns how many more deliveries of a webhook may start if `maxInFlight` of them may be in flight in this process.
   * Returns `undefined` if none is in flight and it must wait until others have ended.
   */
  allowance(webhookId: string, maxInFlight: number): number | undefined {
    const usage = this.webhooks.get(webhookId);
    const { scope, share } = THRESHOLDS[this.speedOf(usage)];
    const free = this.freeWithin(scope);
    const { rows, bytes } = usage ?? { rows: 0, bytes: 0 };
    if (free.rows <= 0 || free.bytes <= 0) return rows === 0 ? undefined : 0;
    const limit = Math.min(maxInFlight, Math.max(1, Math.floor(free.rows * share)));
    return rows > 0 && bytes >= free.bytes * share ? 0 : Math.max(0, limit - rows);
  }

  acquire<Delivery extends LimitedDelivery>(delivery: Delivery): Acquired<Delivery> {
    this.evictIdle();
    const usage = this.webhooks.get(delivery.webhookId) ?? {
      rows: 0,
      bytes: 0,
      acquiredAt: [],
      endedAt: -Infinity,
      wasSlow: false,
    };
    this.webhooks.set(delivery.webhookId, usage);
    const acquiredAt = this.now();
    usage.acquiredAt.push(acquiredAt);
    add(usage, delivery, 1);
    add(this.total, delivery, 1);
    return { ...delivery, acquiredAt };
  }

  release(delivery: Acquired<LimitedDelivery>): void {
    const usage = this.webhooks.get(delivery.webhookId);
    if (usage === undefined) return;
    usage.acquiredAt.splice(usage.acquiredAt.indexOf(delivery.acquiredAt), 1);
    usage.endedAt = this.now();
    usage.wasSlow = usage.endedAt - delivery.acquiredAt > SLOW_MS;
    add(usage, delivery, -1);
    add(this.total, delivery, -1);
  }

  private speedOf(usage: WebhookUsage | undefined): keyof typeof THRESHOLDS {
    if (usage === undefined) return 'unknown';
    const now = this.now();
    const [oldest = now] = usage.acquiredAt;
    if (now - oldest > SLOW_MS) return 'slow';
    if (now - usage.endedAt > REMEMBERED_MS) return 'unknown';
    return usage.wasSlow ? 'slow' : 'quick';
  }

  private freeWithin(scope: number): Usage {
    return {
      rows: MAX_ROWS * scope - this.total.rows,
      bytes: MAX_BYTES * scope - this.total.bytes,
    };
  }

  private evictIdle(): void {
    if (this.webhooks.size < MAX_REMEMBERED) return;
    const cutoff = this.now() - REMEMBERED_MS;
    for (const [id, { rows, endedAt }] of this.webhooks) {
      if (rows === 0 && endedAt < cutoff) this.webhooks.delete(id);
    }
  }
}

function add(usage: Usage, { body }: LimitedDelivery, sign: 1 | -1): void {
  usage.rows += sign;
  usage.bytes += sign * (body?.length ?? 0);
}
