import type { ClaimedDelivery } from './claimed-deliveries.js';

/** Most deliveries of this process under way at once, and bytes of their bodies. */
const MAX_ROWS = 400;
const MAX_BYTES = 32 * 1024 ** 2;
/** Of the bytes, for one webhook; a single larger body may always go. */
const MAX_BYTES_OF_ONE = MAX_BYTES / 16;

interface Use {
  rows: number;
  bytes: number;
}

/** Counts what this process has under way, so that no receiver can take all of it and memory stays flat. */
export class Slots {
  private readonly total: Use = { rows: 0, bytes: 0 };
  private readonly byWebhook = new Map<string, Use>();

  get free(): Use {
    return { rows: MAX_ROWS - this.total.rows, bytes: MAX_BYTES - this.total.bytes };
  }

  /** How many more deliveries of a webhook may begin when `share` of them may be under way in this process. */
  allowance(webhookId: string, share: number): number {
    const use = this.byWebhook.get(webhookId);
    if (use === undefined) return share;
    return use.bytes >= MAX_BYTES_OF_ONE ? 0 : Math.max(0, share - use.rows);
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
