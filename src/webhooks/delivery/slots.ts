import { runningTime } from '../../clock/time-limit.js';
import type { ClaimedDelivery } from './claimed-deliveries.js';

/** Most deliveries of this process under way at once, and bytes of their bodies. */
const MAX_ROWS = 1_000;
const MAX_BYTES = 32 * 1024 ** 2;
/** An exchange that takes longer holds its place against the others. */
const SLOW_MS = 2_000;
/** How long the end of an exchange tells what is to be expected of the next one. */
const NEWS_MS = 60_000;
/** Webhooks that are remembered, or a few more. */
const MAX_REMEMBERED = 10_000;

/**
 * A webhook may begin another delivery while no more than `reach` of all places are in use, by whomever, and may have
 * one in `part` of what is free of them, and one always (a "dynamic threshold", as switches share their buffers): the
 * more receivers hang, the less each of them holds, and something is left for the next one. The last places are for
 * those that are known to answer: a receiver gives its place back before others wait for it.
 */
const TERMS = {
  quick: { reach: 1, part: 32 },
  unknown: { reach: 3 / 4, part: 128 },
  slow: { reach: 1 / 2, part: 32 },
};

/** A delivery that has a place. */
export interface BegunDelivery extends ClaimedDelivery {
  /** Of the clock of {@link Slots}. */
  begunAt: number;
}

/** Deliveries, and bytes of their bodies. */
interface Use {
  rows: number;
  bytes: number;
}

/** What one webhook has under way, and what its last exchange told. */
interface Account extends Use {
  /** When each began, the earliest first. */
  readonly begun: number[];
  endedAt: number;
  wasSlow: boolean;
}

/** Counts what this process has under way, so that receivers that hang cannot take all of it and memory stays flat. */
export class Slots {
  private readonly total: Use = { rows: 0, bytes: 0 };
  private readonly byWebhook = new Map<string, Account>();

  constructor(private readonly now: () => number = runningTime) {}

  /** Deliveries that were claimed and not settled yet. */
  get underWay(): number {
    return this.total.rows;
  }

  get free(): Use {
    return this.freeOf(1);
  }

  /** What one claim may take: half of what is free, so that the next webhooks find what these left. */
  get claimable(): Use {
    const { rows, bytes } = this.free;
    return { rows: Math.ceil(rows / 2), bytes: Math.ceil(bytes / 2) };
  }

  /**
   * How many more deliveries of a webhook may begin when `share` of them may be under way in this process; `undefined`
   * when it has none and must wait for a place.
   */
  allowance(webhookId: string, share: number): number | undefined {
    const account = this.byWebhook.get(webhookId);
    const { reach, part } = TERMS[this.standingOf(account)];
    const free = this.freeOf(reach);
    const rows = account?.rows ?? 0;
    const bytes = account?.bytes ?? 0;
    if (free.rows <= 0 || free.bytes <= 0) return rows === 0 ? undefined : 0;
    const most = Math.min(share, Math.max(1, Math.floor(free.rows / part)));
    return rows > 0 && bytes >= free.bytes / part ? 0 : Math.max(0, most - rows);
  }

  take(delivery: ClaimedDelivery): BegunDelivery {
    this.forgetOld();
    const account = this.byWebhook.get(delivery.webhookId) ?? {
      rows: 0,
      bytes: 0,
      begun: [],
      endedAt: -Infinity,
      wasSlow: false,
    };
    this.byWebhook.set(delivery.webhookId, account);
    const begunAt = this.now();
    account.begun.push(begunAt);
    change(account, delivery, 1);
    change(this.total, delivery, 1);
    return { ...delivery, begunAt };
  }

  give(delivery: BegunDelivery): void {
    const account = this.byWebhook.get(delivery.webhookId);
    if (account === undefined) return;
    account.begun.splice(account.begun.indexOf(delivery.begunAt), 1);
    account.endedAt = this.now();
    account.wasSlow = account.endedAt - delivery.begunAt > SLOW_MS;
    change(account, delivery, -1);
    change(this.total, delivery, -1);
  }

  private standingOf(account: Account | undefined): keyof typeof TERMS {
    if (account === undefined) return 'unknown';
    const now = this.now();
    const [oldest = now] = account.begun;
    if (now - oldest > SLOW_MS) return 'slow';
    if (now - account.endedAt > NEWS_MS) return 'unknown';
    return account.wasSlow ? 'slow' : 'quick';
  }

  private freeOf(reach: number): Use {
    return {
      rows: MAX_ROWS * reach - this.total.rows,
      bytes: MAX_BYTES * reach - this.total.bytes,
    };
  }

  private forgetOld(): void {
    if (this.byWebhook.size < MAX_REMEMBERED) return;
    const old = this.now() - NEWS_MS;
    for (const [id, { rows, endedAt }] of this.byWebhook) {
      if (rows === 0 && endedAt < old) this.byWebhook.delete(id);
    }
  }
}

function change(use: Use, { body }: ClaimedDelivery, by: 1 | -1): void {
  use.rows += by;
  use.bytes += by * (body?.length ?? 0);
}
