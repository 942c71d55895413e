import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Notifications } from '../../database/notifications.js';
import { Log } from '../../log/log.js';
import { ClaimedDeliveries, WORKER_NAME } from './claimed-deliveries.js';
import { UnowedDeliveries } from './unowed-deliveries.js';

/** How often the database is asked what is due: it finds what no notification told. */
const LOOK_EVERY_MS = 2_000;
/** What is asked for soon gathers for so long. */
const SOON_MS = 20;
/** Webhooks of one claim: it takes some 0.2 ms for each, and is to stay well under 10 ms. */
const MAX_TAKEN = 16;

/**
 * Knows which webhooks may have something due: those notified at a commit, those whose time comes, those of which a
 * delivery has just ended, and what the regular look finds.
 */
@Injectable()
export class DueWebhooks {
  private readonly waiting = new Set<string>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private soon: NodeJS.Timeout | undefined;
  private readonly notifications: Notifications;
  private lookAt = 0;
  /** Whether something was asked for that no sleep has ended for yet. */
  private asked = false;
  private wake: () => void = () => undefined;
  private cancelling: Promise<void> | undefined;
  private closed = false;
  /** Workers that share the webhooks, this one too. */
  workers = 1;

  constructor(
    private readonly claims: ClaimedDeliveries,
    private readonly unowed: UnowedDeliveries,
    private readonly log: Log,
    config: Config,
  ) {
    this.notifications = new Notifications({
      url: config.databaseUrl,
      channel: 'webhook_deliveries',
      applicationName: WORKER_NAME,
      onNotification: (payload) => {
        if (payload === '') this.lookNow();
        else this.ask(payload.split(','));
      },
      onConnected: () => {
        this.lookNow();
      },
    });
  }

  async open(): Promise<void> {
    await this.notifications.open();
    // When it gets lost, the others see it at their next look.
    await this.claims.announceWorker().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    clearTimeout(this.soon);
    this.lookNow();
    await this.notifications.close();
    await this.cancelling;
  }

  /** Has these webhooks taken again, now. */
  ask(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) this.waiting.add(id);
    this.asked = true;
    this.wake();
  }

  /** Has a webhook taken again within a few milliseconds, together with others: a claim costs much for one delivery. */
  askSoon(webhookId: string): void {
    this.waiting.add(webhookId);
    if (this.soon !== undefined || this.closed) return;
    this.soon = setTimeout(() => {
      this.soon = undefined;
      this.ask([]);
    }, SOON_MS);
  }

  /** Has a webhook taken when the time comes, to the millisecond; times beyond the next look are left to it. */
  askIn(webhookId: string, milliseconds: number): void {
    if (milliseconds <= 0) {
      this.ask([webhookId]);
      return;
    }
    if (milliseconds > LOOK_EVERY_MS || this.closed) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.ask([webhookId]);
    }, milliseconds);
    this.timers.add(timer);
  }

  /**
   * Takes webhooks that may have something due, those that waited longest first, with how much of each may begin; those
   * with an allowance of `undefined` go on waiting.
   */
  take(allowance: (webhookId: string) => number | undefined): Map<string, number> {
    const taken = new Map<string, number>();
    for (const id of this.waiting) {
      if (taken.size === MAX_TAKEN) break;
      const allowed = allowance(id);
      if (allowed === undefined) continue;
      this.waiting.delete(id);
      // Where nothing may begin, the end of a delivery asks again.
      if (allowed > 0) taken.set(id, allowed);
    }
    return taken;
  }

  /** Resolves when a webhook was asked for since the last sleep, or it is time to look. */
  async sleep(): Promise<void> {
    const milliseconds = this.lookAt - performance.now();
    if (!this.asked && milliseconds > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = () => undefined;
    }
    this.asked = false;
  }

  /** Asks the database what is due, when it is time to. Rejects with the pg error. */
  async look(): Promise<void> {
    if (performance.now() < this.lookAt) return;
    this.lookAt = performance.now() + LOOK_EVERY_MS;
    const [due, workers] = await Promise.all([
      this.claims.due(LOOK_EVERY_MS),
      this.claims.workers(),
    ]);
    this.workers = workers;
    for (const { webhookId, dueInMs, inactive } of due) {
      if (!inactive) this.askIn(webhookId, dueInMs);
    }
    this.cancel(due.filter(({ inactive }) => inactive).map(({ webhookId }) => webhookId));
  }

  private lookNow(): void {
    this.lookAt = 0;
    this.wake();
  }

  /** In the background: it may be much, and nobody waits for it. */
  private cancel(webhookIds: readonly string[]): void {
    this.cancelling ??= (async () => {
      for (const id of webhookIds) while (!this.closed && (await this.unowed.cancelBatch(id)));
    })()
      .catch((error: unknown) => {
        this.log.warn({ err: error }, 'Deliveries of a disabled webhook could not be cancelled.');
      })
      .finally(() => {
        this.cancelling = undefined;
      });
  }
}
