import { runningTime } from '../../../platform/basics/clock/time-limit.js';

/** Most deliveries of this process in flight at once, and bytes of their bodies. */
const MAX_ROWS = 1_000;
const MAX_BYTES = 32 * 1024 ** 2;
/** With fewer in flight there is nothing to keep busy: what is to be claimed or written waits a moment for more. */
export const MANY_IN_FLIGHT = 32;
/** An exchange that takes longer makes its webhook a slow one, in milliseconds. */
const SLOW_MS = 2_000;
/** How long the duration of the last exchange counts, in milliseconds. */
const REMEMBERED_MS = 60_000;
/** Webhooks whose usage is kept; beyond, those that are idle are forgotten. */
const MAX_REMEMBERED = 10_000;

/**
 * A webhook may begin another delivery while no more than `reach` of the whole capacity is in use, and may hold `part`
 * of what is free of that, and one delivery always (a "dynamic threshold", as switches share their buffers): the more
 * receivers hang, the less each of them holds. The last quarter is for those that are known to answer quickly.
 */
const THRESHOLDS = {
  quick: { reach: 1, part: 1 / 32 },
  unknown: { reach: 3 / 4, part: 1 / 128 },
  slow: { reach: 1 / 2, part: 1 / 32 },
};

/** What the limiter looks at. */
interface LimitedDelivery {
  webhookId: string;
  body: string | null;
}

/** A delivery that counts as in flight until it is released. `acquiredAt` is on the limiter's clock. */
export type Acquired<Delivery> = Delivery & { acquiredAt: number };

interface Usage {
  rows: number;
  /** Of the bodies. */
  bytes: number;
}

/** What one webhook has in flight, and how its last exchange went. */
interface EndpointUsage extends Usage {
  /** When each delivery in flight was acquired, the earliest first. */
  readonly acquiredAt: number[];
  endedAt: number;
  wasSlow: boolean;
}

/** Bounds what this process has in flight, so that memory stays flat and receivers that hang leave room for others. */
export class ConcurrencyLimiter {
  private readonly total: Usage = { rows: 0, bytes: 0 };
  private readonly endpoints = new Map<string, EndpointUsage>();

  constructor(private readonly now: () => number = runningTime) {}

  /** Deliveries that were acquired and not released yet. */
  get inFlight(): number {
    return this.total.rows;
  }

  get free(): Usage {
    return this.freeOf(1);
  }

  /** What one claim may take: half of what is free, so that the next webhooks find room too. */
  get claimable(): Usage {
    const { rows, bytes } = this.free;
    return { rows: Math.ceil(rows / 2), bytes: Math.ceil(bytes / 2) };
  }

  /**
   * How many more deliveries of a webhook may begin when `share` of them may be in flight in this process; `undefined`
   * when it has none and must wait until others have ended.
   */
  allowance(webhookId: string, share: number): number | undefined {
    const usage = this.endpoints.get(webhookId);
    const { reach, part } = THRESHOLDS[this.speedOf(usage)];
    const free = this.freeOf(reach);
    const { rows, bytes } = usage ?? { rows: 0, bytes: 0 };
    if (free.rows <= 0 || free.bytes <= 0) return rows === 0 ? undefined : 0;
    const most = Math.min(share, Math.max(1, Math.floor(free.rows * part)));
    return rows > 0 && bytes >= free.bytes * part ? 0 : Math.max(0, most - rows);
  }

  acquire<Delivery extends LimitedDelivery>(delivery: Delivery): Acquired<Delivery> {
    this.forgetIdle();
    const usage = this.endpoints.get(delivery.webhookId) ?? {
      rows: 0,
      bytes: 0,
      acquiredAt: [],
      endedAt: -Infinity,
      wasSlow: false,
    };
    this.endpoints.set(delivery.webhookId, usage);
    const acquiredAt = this.now();
    usage.acquiredAt.push(acquiredAt);
    change(usage, delivery, 1);
    change(this.total, delivery, 1);
    return { ...delivery, acquiredAt };
  }

  release(delivery: Acquired<LimitedDelivery>): void {
    const usage = this.endpoints.get(delivery.webhookId);
    if (usage === undefined) return;
    usage.acquiredAt.splice(usage.acquiredAt.indexOf(delivery.acquiredAt), 1);
    usage.endedAt = this.now();
    usage.wasSlow = usage.endedAt - delivery.acquiredAt > SLOW_MS;
    change(usage, delivery, -1);
    change(this.total, delivery, -1);
  }

  private speedOf(usage: EndpointUsage | undefined): keyof typeof THRESHOLDS {
    if (usage === undefined) return 'unknown';
    const now = this.now();
    const [oldest = now] = usage.acquiredAt;
    if (now - oldest > SLOW_MS) return 'slow';
    if (now - usage.endedAt > REMEMBERED_MS) return 'unknown';
    return usage.wasSlow ? 'slow' : 'quick';
  }

  private freeOf(reach: number): Usage {
    return {
      rows: MAX_ROWS * reach - this.total.rows,
      bytes: MAX_BYTES * reach - this.total.bytes,
    };
  }

  private forgetIdle(): void {
    if (this.endpoints.size < MAX_REMEMBERED) return;
    const old = this.now() - REMEMBERED_MS;
    for (const [id, { rows, endedAt }] of this.endpoints) {
      if (rows === 0 && endedAt < old) this.endpoints.delete(id);
    }
  }
}

function change(usage: Usage, { body }: LimitedDelivery, by: 1 | -1): void {
  usage.rows += by;
  usage.bytes += by * (body?.length ?? 0);
}
