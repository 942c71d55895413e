import { runningTime } from '../../../platform/basics/clock/time-limit.js';

/** Most deliveries of this process in flight at once, and bytes of their bodies. */
const MAX_ROWS = 1_000;
const MAX_BYTES = 32 * 1024 ** 2;
/** With fewer in flight, claims and writes wait a moment to form larger batches. */
export const MANY_IN_FLIGHT = 32;
/** A delivery that takes longer makes its webhook slow, in milliseconds. */
const SLOW_MS = 2_000;
/** How long the duration of the last delivery counts, in milliseconds. */
const REMEMBERED_MS = 60_000;
/** Webhooks whose usage is tracked; beyond that number, idle ones are evicted. */
const MAX_REMEMBERED = 10_000;

/**
 * A webhook may start a delivery while less than `scope` of the capacity is in use. It may hold `share` of the free rest of
 * that scope, and always one delivery (a "dynamic threshold", as switches share their buffers): the more receivers hang,
 * the less each of them holds. The last quarter of the capacity is reserved for webhooks known to answer quickly.
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

/** The deliveries of one webhook in flight, and the duration of its last one. */
interface WebhookUsage extends Usage {
  /** When each delivery in flight was acquired, the earliest first. */
  readonly acquiredAt: number[];
  endedAt: number;
  wasSlow: boolean;
}

/** Limits the deliveries in flight, so that memory stays bounded and hanging receivers cannot starve others. */
export class ConcurrencyLimiter {
  private readonly total: Usage = { rows: 0, bytes: 0 };
  private readonly webhooks = new Map<string, WebhookUsage>();

  constructor(private readonly now: () => number = runningTime) {}

  /** The number of deliveries that were acquired and not released. */
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
   * Returns how many more deliveries of a webhook may start, if `maxInFlight` of them may be in flight in this process;
   * `undefined` if it has none in flight and must wait until others have ended.
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
