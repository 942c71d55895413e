import { Injectable } from '@nestjs/common';
import type { ClaimedDelivery } from './claimed-deliveries.js';

/** Most deliveries of this process under way at once, and bytes of their bodies. */
const MAX_ROWS = 1_000;
const MAX_BYTES = 32 * 1024 ** 2;
/**
 * One webhook may have this part of what is free, and one delivery always: the more receivers hang, the less each of
 * them holds, and something is left for the next one (a "dynamic threshold", as switches share their buffers).
 */
const PART_OF_FREE = 32;

/** Deliveries, and bytes of their bodies. */
interface Use {
  rows: number;
  bytes: number;
}

/** Counts what this process has under way, so that receivers that hang cannot take all of it and memory stays flat. */
@Injectable()
export class Slots {
  private readonly total: Use = { rows: 0, bytes: 0 };
  private readonly byWebhook = new Map<string, Use>();

  /** Deliveries that were claimed and not settled yet. */
  get underWay(): number {
    return this.total.rows;
  }

  get free(): Use {
    return { rows: MAX_ROWS - this.total.rows, bytes: MAX_BYTES - this.total.bytes };
  }

  /** What one claim may take: half of what is free, so that the next webhooks find what these left. */
  get claimable(): Use {
    const { rows, bytes } = this.free;
    return { rows: Math.ceil(rows / 2), bytes: Math.ceil(bytes / 2) };
  }

  /** How many more deliveries of a webhook may begin when `share` of them may be under way in this process. */
  allowance(webhookId: string, share: number): number {
    const { rows, bytes } = this.free;
    const most = Math.min(share, Math.max(1, Math.floor(rows / PART_OF_FREE)));
    const use = this.byWebhook.get(webhookId);
    if (use === undefined) return most;
    return use.bytes >= bytes / PART_OF_FREE ? 0 : Math.max(0, most - use.rows);
  }

  take(delivery: ClaimedDelivery): void {
    const use = this.byWebhook.get(delivery.webhookId) ?? { rows: 0, bytes: 0 };
    this.byWebhook.set(delivery.webhookId, use);
    change(use, delivery, 1);
    change(this.total, delivery, 1);
  }

  give(delivery: ClaimedDelivery): void {
    const use = this.byWebhook.get(delivery.webhookId);
    if (use === undefined) return;
    change(use, delivery, -1);
    change(this.total, delivery, -1);
    if (use.rows === 0) this.byWebhook.delete(delivery.webhookId);
  }
}

function change(use: Use, { body }: ClaimedDelivery, by: 1 | -1): void {
  use.rows += by;
  use.bytes += by * (body?.length ?? 0);
}
