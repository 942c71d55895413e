import { Injectable } from '@nestjs/common';
import { ClaimedDeliveries, type ClaimedDelivery } from './claimed-deliveries.js';
import { DueWebhooks } from './due-webhooks.js';
import { Slots, type BegunDelivery } from './slots.js';

/** A claim stays short. */
const MAX_CLAIMED = 100;

/** Deliveries that this process has just leased, in the order they are to begin. */
export interface Claimed {
  deliveries: BegunDelivery[];
  /** Of the monotonic clock. */
  leasedUntil: number;
}

/** Takes in as many deliveries as there is room for, and asks again for a webhook when one of its own has ended. */
@Injectable()
export class DeliveryIntake {
  /** When only so many are under way it is time for more. */
  private lowWater = 0;

  constructor(
    private readonly due: DueWebhooks,
    private readonly claims: ClaimedDeliveries,
    private readonly slots: Slots,
  ) {}

  /**
   * Leases what may begin of some webhooks; `undefined` when there is no room, or nothing was asked for. Each is to be
   * given back by {@link end}. Rejects with the pg error.
   */
  async next(): Promise<Claimed | undefined> {
    const { rows, bytes } = this.slots.claimable;
    // The end of any delivery wakes the worker.
    if (rows === 0 || bytes <= 0) return undefined;
    const share = this.claims.shareOf(this.due.workers);
    const allowances = this.due.take((id) => this.slots.allowance(id, share));
    if (allowances.size === 0) return undefined;
    const most = Math.min(MAX_CLAIMED, rows);
    const claimedAt = performance.now();
    const claimed = await this.claims
      .claim({ allowances, rows: most, bytes })
      .catch((error: unknown) => {
        this.due.ask(allowances.keys());
        throw error;
      });
    const deliveries = claimed.map((delivery) => this.slots.take(delivery));
    this.lowWater = Math.floor(this.slots.underWay / 2);
    // It ended before all webhooks had their turn.
    if (deliveries.length === most || bytesOf(deliveries) >= bytes) this.due.ask(allowances.keys());
    return { deliveries, leasedUntil: claimedAt + this.claims.leaseMs };
  }

  /** Makes room for others of the webhook: at once when half have ended, otherwise within some milliseconds. */
  end(delivery: BegunDelivery): void {
    this.slots.give(delivery);
    if (this.slots.underWay > this.lowWater) this.due.askSoon(delivery.webhookId);
    else this.due.ask([delivery.webhookId]);
  }

  /** Has a delivery that ended taken again in so many milliseconds. */
  again({ webhookId }: ClaimedDelivery, inMs: number): void {
    this.due.askIn(webhookId, inMs);
  }

  /** Gives back a delivery that was not attempted, to whichever worker is first. Rejects with the pg error. */
  release(delivery: ClaimedDelivery): Promise<void> {
    return this.claims.release(delivery);
  }
}

function bytesOf(deliveries: readonly ClaimedDelivery[]): number {
  return deliveries.reduce((sum, { body }) => sum + Buffer.byteLength(body ?? ''), 0);
}
