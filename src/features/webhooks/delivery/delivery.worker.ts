import { setTimeout as wait } from 'node:timers/promises';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { BackgroundWork } from '../../../platform/background/background-work.js';
import { pausedSince, TimeLimit } from '../../../platform/basics/clock/time-limit.js';
import { Config } from '../../../platform/config/config.js';
import { Notifications } from '../../../platform/database/notifications.js';
import { Log } from '../../../platform/operation/log.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import { ConcurrencyLimiter, MANY_IN_FLIGHT, type Acquired } from './concurrency-limiter.js';
import { DeliveryRepository, WORKER_NAME, type ClaimedDelivery } from './delivery.repository.js';
import { DeliverySender } from './send-delivery.js';

/** Poll interval in ms. Catches deliveries whose NOTIFY was lost. */
const POLL_EVERY_MS = 2_000;
/** Maximum time to wait for more webhooks before a claim, in ms. Claims of single deliveries are expensive. */
const GATHER_MS = 100;
/** Maximum webhooks and deliveries per claim. A claim takes about 0.2 ms per webhook, and should stay well under 10 ms. */
const MAX_WEBHOOKS = 16;
const MAX_CLAIMED = 100;
/** Deliveries of an inactive webhook that one statement cancels. */
const CANCEL_BATCH = 1_000;

/** Wait after a failed claim or poll, in ms. */
const RETRY_AFTER_MS = 500;
/** Time to read and record the responses that arrived during a pause of this process. */
const READ_FIRST_MS = 1_000;
/** How long deliveries in flight may take to end at shutdown, in ms. After that they are aborted and released. */
const FINISH_WITHIN_MS = 8_000;

export type AcquiredDelivery = Acquired<ClaimedDelivery>;

/** Deliveries that this process has just leased, in starting order. */
interface Claim {
  deliveries: AcquiredDelivery[];
  /** On the monotonic clock. */
  leasedUntil: number;
}

/**
 * Finds and leases due deliveries. Tracks the webhooks that may have some: those in notifications, those with a retry
 * that becomes due, those with a delivery that has just ended, and those found by the regular poll.
 */
@Injectable()
export class DeliveryPoller {
  /** Webhooks to claim from, longest waiting first. */
  private readonly waiting = new Set<string>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly notifications: Notifications;
  /** When to poll and when to claim, on the monotonic clock. `claimAt` is infinite while all waiting webhooks need capacity. */
  private pollAt = 0;
  private claimAt = Infinity;
  private wake: () => void = () => undefined;
  private cancelling: Promise<void> | undefined;
  private closed = false;
  /** Number of workers, including this one. */
  private workers = 1;
  /** When the last claim was made, on the monotonic clock. */
  private claimedAt = -Infinity;
  /** Below this many deliveries in flight, claim immediately. */
  private lowWater = 0;

  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly limiter: ConcurrencyLimiter,
    private readonly log: Log,
    config: Config,
  ) {
    this.notifications = new Notifications({
      url: config.directUrl,
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
    // If this is lost, the other workers count again on their next poll.
    await this.deliveries.announceWorker().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.pollNow();
    await this.notifications.close();
    await this.cancelling;
  }

  /** Queries due webhooks when it is time to. Rejects with the pg error. */
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
   * Leases due deliveries of some webhooks. Returns `undefined` if it is not time to, if there is no capacity, or if no
   * webhook is waiting. Call {@link ended} for each delivery. Rejects with the pg error.
   */
  async claim(): Promise<Claim | undefined> {
    if (performance.now() < this.claimAt) return undefined;
    this.claimAt = Infinity;
    const { rows, bytes } = this.limiter.claimable;
    // The worker wakes when any delivery ends.
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

  /** Frees the capacity of a delivery. Claims immediately if half of many in flight have ended. */
  ended(delivery: AcquiredDelivery): void {
    this.limiter.release(delivery);
    if (this.limiter.inFlight < this.lowWater) this.queue([delivery.webhookId]);
    else this.queueSoon(delivery.webhookId);
  }

  /** Schedules a claim from a webhook, to the millisecond. Leaves times after the next poll to that poll. */
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

  /** Queues webhooks for an immediate claim. */
  private queue(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) this.waiting.add(id);
    this.claimBy(0);
  }

  /** Queues a webhook for a claim immediately, or {@link GATHER_MS} after the last claim. */
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

  /** Takes webhooks from the queue, with the number of deliveries each may start. Leaves those that must wait for capacity. */
  private takeWaiting(): Map<string, number> {
    const maxInFlight = this.deliveries.maxInFlightPerWebhook(this.workers);
    const taken = new Map<string, number>();
    for (const id of this.waiting) {
      if (taken.size === MAX_WEBHOOKS) break;
      const allowed = this.limiter.allowance(id, maxInFlight);
      if (allowed === undefined) continue;
      this.waiting.delete(id);
      // If 0 are allowed, the webhook is queued again when one of its deliveries ends.
      if (allowed > 0) taken.set(id, allowed);
    }
    return taken;
  }

  /** Cancels pending deliveries of inactive webhooks in the background, because there may be many. */
  private cancel(webhookIds: readonly string[]): void {
    this.cancelling ??= this.cancelAll(webhookIds)
      .catch((error: unknown) => {
        this.log.warn(
          { err: error },
          'Pending deliveries of a disabled webhook could not be cancelled.',
        );
      })
      .finally(() => {
        this.cancelling = undefined;
      });
  }

  private async cancelAll(webhookIds: readonly string[]): Promise<void> {
    for (const id of webhookIds) {
      while (!this.closed && (await this.webhooks.cancelPending(id, CANCEL_BATCH)) > 0);
    }
  }
}

function bytesOf(deliveries: readonly ClaimedDelivery[]): number {
  return deliveries.reduce((sum, { body }) => sum + Buffer.byteLength(body ?? ''), 0);
}

/** Sends due deliveries: claims, sends, and claims again when a delivery has ended. Any number of workers may run. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private inFlight = 0;
  private onIdle: () => void = () => undefined;
  private isDatabaseDown = false;
  private running: Promise<void> = Promise.resolve();
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly poller: DeliveryPoller,
    private readonly deliveries: DeliveryRepository,
    private readonly sender: DeliverySender,
    private readonly work: BackgroundWork,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.work.run(
      () => (this.running = this.run()),
      () => this.stop(),
    );
  }

  /** Resolves when nothing is in flight, while the database is still connected. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  private async run(): Promise<void> {
    await this.poller.open();
    while (this.stopping === undefined) {
      try {
        await this.poller.poll();
        if (this.inFlight > 0 && pausedSince(performance.now() - READ_FIRST_MS)) {
          await this.readResponsesFirst();
        }
        const mayHaveMore = await this.claim();
        this.isDatabaseDown = false;
        if (!mayHaveMore) await this.poller.wait();
      } catch (error) {
        if (!this.isDatabaseDown) {
          this.log.warn({ err: error }, 'Deliveries wait until the database is available again.');
        }
        this.isDatabaseDown = true;
        await wait(RETRY_AFTER_MS);
      }
    }
  }

  /**
   * Without this wait, deliveries whose leases ended during the pause would be sent again, although their responses have
   * arrived.
   */
  private async readResponsesFirst(): Promise<void> {
    this.log.info(
      {},
      'This process was paused; it first reads responses that arrived in the meantime.',
    );
    await wait(READ_FIRST_MS);
  }

  /** Claims due deliveries of some webhooks. Returns true if more webhooks may have due deliveries. Rejects with the pg error. */
  private async claim(): Promise<boolean> {
    const claim = await this.poller.claim();
    if (!claim) return false;
    for (const delivery of claim.deliveries) void this.deliver(delivery, claim.leasedUntil);
    return true;
  }

  /** Never rejects. If the outcome of an attempt could not be recorded, the attempt is repeated when the lease has ended. */
  private async deliver(delivery: AcquiredDelivery, leasedUntil: number): Promise<void> {
    this.inFlight += 1;
    try {
      const end = await this.sender.send(delivery, leasedUntil);
      if (end === 'released') await this.deliveries.release(delivery);
      else if (end.retryInMs !== undefined) this.poller.retryIn(delivery.webhookId, end.retryInMs);
    } catch (error) {
      this.log.warn(
        { err: error, deliveryId: delivery.deliveryId },
        'The outcome of an attempt could not be recorded; the delivery is sent again.',
      );
    } finally {
      this.poller.ended(delivery);
      this.inFlight -= 1;
      if (this.inFlight === 0) this.onIdle();
    }
  }

  private stop(): Promise<void> {
    this.stopping ??= this.finish();
    return this.stopping;
  }

  private async finish(): Promise<void> {
    await this.poller.close();
    await this.running;
    const limit = new TimeLimit(FINISH_WITHIN_MS, () => {
      this.sender.abortAll();
    });
    await this.idle();
    limit.clear();
    await this.sender.close();
  }

  private async idle(): Promise<void> {
    if (this.inFlight === 0) return;
    await new Promise<void>((resolve) => {
      this.onIdle = resolve;
    });
  }
}
