import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { Database } from '../../../platform/database/database.js';
import { Notifications } from '../../../platform/database/notifications.js';
import { Log } from '../../../platform/operation/log.js';
import { cancelPending } from '../pending-deliveries.js';
import { ConcurrencyLimiter, MANY_IN_FLIGHT } from './concurrency-limiter.js';
import type { AcquiredDelivery } from './delivery.repository.js';
import { DeliveryRepository, WORKER_NAME, type ClaimedDelivery } from './delivery.repository.js';

/** How often the database is asked what is due: it finds what no notification told. */
const POLL_EVERY_MS = 2_000;
/** How long webhooks gather for one claim: a claim costs much for one delivery. */
const GATHER_MS = 100;
/** Webhooks and deliveries of one claim: it takes some 0.2 ms for each webhook, and is to stay well under 10 ms. */
const MAX_WEBHOOKS = 16;
const MAX_CLAIMED = 100;
/** Deliveries of an inactive webhook that are cancelled at once. */
const CANCELLED_AT_ONCE = 1_000;

/** Deliveries that this process has just leased, in the order they are to begin. */
interface Claim {
  deliveries: AcquiredDelivery[];
  /** Of the monotonic clock. */
  leasedUntil: number;
}

/**
 * Finds and leases what is due. Knows which webhooks may have something due: those notified at a commit, those whose time
 * comes, those of which a delivery has just ended, and what the regular poll finds.
 */
@Injectable()
export class DeliveryPoller {
  /** Webhooks to claim of, those that have waited longest first. */
  private readonly waiting = new Set<string>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly notifications: Notifications;
  /** When to poll, and when to claim, on the monotonic clock; never to claim while all that wait need room. */
  private pollAt = 0;
  private claimAt = Infinity;
  private wake: () => void = () => undefined;
  private cancelling: Promise<void> | undefined;
  private closed = false;
  /** Workers that share the webhooks, this one too. */
  private workers = 1;
  /** When the last claim was made, on the monotonic clock. */
  private claimedAt = -Infinity;
  /** With fewer in flight it is time to claim at once. */
  private lowWater = 0;

  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly limiter: ConcurrencyLimiter,
    private readonly database: Database,
    private readonly log: Log,
    config: Config,
  ) {
    this.notifications = new Notifications({
      url: config.databaseUrl,
      channel: 'webhook_deliveries',
      applicationName: WORKER_NAME,
      onNotification: (payload) => {
        if (payload === '') this.pollNow();
        else for (const id of payload.split(',')) this.queueSoon(id);
      },
      onConnected: () => {
        this.pollNow();
      },
    });
  }

  async open(): Promise<void> {
    await this.notifications.open();
    // When it gets lost, the other workers see it at their next poll.
    await this.deliveries.announceWorker().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.pollNow();
    await this.notifications.close();
    await this.cancelling;
  }

  /** Asks the database what is due, when it is time to. Rejects with the pg error. */
  async poll(): Promise<void> {
    if (performance.now() < this.pollAt) return;
    this.pollAt = performance.now() + POLL_EVERY_MS;
    const [due, workers] = await Promise.all([
      this.deliveries.due(POLL_EVERY_MS),
      this.deliveries.workers(),
    ]);
    this.workers = workers;
    for (const { webhookId, dueInMs, inactive } of due) {
      if (!inactive) this.retryIn(webhookId, dueInMs);
    }
    this.cancel(due.filter(({ inactive }) => inactive).map(({ webhookId }) => webhookId));
  }

  /**
   * Leases what may begin of some webhooks; `undefined` when it is not time to, there is no room, or no webhook waits.
   * Each delivery is to be given back by {@link ended}. Rejects with the pg error.
   */
  async claim(): Promise<Claim | undefined> {
    if (performance.now() < this.claimAt) return undefined;
    this.claimAt = Infinity;
    const { rows, bytes } = this.limiter.claimable;
    // The end of any delivery wakes the worker.
    if (rows === 0 || bytes <= 0) return undefined;
    const allowances = this.takeWaiting();
    if (allowances.size === 0) return undefined;
    if (this.waiting.size > 0) this.claimAt = 0;
    const limits = { allowances, rows: Math.min(MAX_CLAIMED, rows), bytes };
    const claimedAt = performance.now();
    this.claimedAt = claimedAt;
    const claimed = await this.deliveries.claim(limits).catch((error: unknown) => {
      this.queue(allowances.keys());
      throw error;
    });
    const deliveries = claimed.map((delivery) => this.limiter.acquire(delivery));
    this.lowWater =
      this.limiter.inFlight < MANY_IN_FLIGHT ? 0 : Math.floor(this.limiter.inFlight / 2);
    // The batch was full before every webhook got its share.
    if (claimed.length === limits.rows || bytesOf(claimed) >= bytes) this.queue(allowances.keys());
    return { deliveries, leasedUntil: claimedAt + this.deliveries.leaseMs };
  }

  /** Makes room for other deliveries, which are claimed at once when half of many in flight have ended. */
  ended(delivery: AcquiredDelivery): void {
    this.limiter.release(delivery);
    if (this.limiter.inFlight < this.lowWater) this.queue([delivery.webhookId]);
    else this.queueSoon(delivery.webhookId);
  }

  /** Has a webhook claimed of when the time comes, to the millisecond; times beyond the next poll are left to it. */
  retryIn(webhookId: string, milliseconds: number): void {
    if (milliseconds <= 0) {
      this.queue([webhookId]);
      return;
    }
    if (milliseconds > POLL_EVERY_MS || this.closed) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.queue([webhookId]);
    }, milliseconds);
    this.timers.add(timer);
  }

  /** Resolves when it may be time to claim or to poll. */
  async wait(): Promise<void> {
    const milliseconds = Math.min(this.pollAt, this.claimAt) - performance.now();
    if (milliseconds <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = () => undefined;
  }

  /** For a claim at once. */
  private queue(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) this.waiting.add(id);
    this.claimBy(0);
  }

  /** For a claim at once, unless there was one just now. */
  private queueSoon(webhookId: string): void {
    this.waiting.add(webhookId);
    this.claimBy(this.claimedAt + GATHER_MS);
  }

  private claimBy(time: number): void {
    if (time >= this.claimAt) return;
    this.claimAt = time;
    this.wake();
  }

  private pollNow(): void {
    this.pollAt = 0;
    this.wake();
  }

  /** Some of the waiting webhooks, with how many deliveries of each may begin; those that must wait for room stay. */
  private takeWaiting(): Map<string, number> {
    const share = this.deliveries.shareOf(this.workers);
    const taken = new Map<string, number>();
    for (const id of this.waiting) {
      if (taken.size === MAX_WEBHOOKS) break;
      const allowed = this.limiter.allowance(id, share);
      if (allowed === undefined) continue;
      this.waiting.delete(id);
      // Where nothing may begin, the end of one of its deliveries queues the webhook again.
      if (allowed > 0) taken.set(id, allowed);
    }
    return taken;
  }

  /** Cancels what is pending for inactive webhooks. In the background: it may be much, and nobody waits for it. */
  private cancel(webhookIds: readonly string[]): void {
    this.cancelling ??= this.cancelAll(webhookIds)
      .catch((error: unknown) => {
        this.log.warn({ err: error }, 'Deliveries of a disabled webhook could not be cancelled.');
      })
      .finally(() => {
        this.cancelling = undefined;
      });
  }

  private async cancelAll(webhookIds: readonly string[]): Promise<void> {
    for (const id of webhookIds) {
      while (!this.closed && (await cancelPending(this.database, id, CANCELLED_AT_ONCE)) > 0);
    }
  }
}

function bytesOf(deliveries: readonly ClaimedDelivery[]): number {
  return deliveries.reduce((sum, { body }) => sum + Buffer.byteLength(body ?? ''), 0);
}
