import { setTimeout as wait } from 'node:timers/promises';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { pausedSince, TimeLimit } from '../../clock/time-limit.js';
import { Drain } from '../../http/drain.js';
import { Log } from '../../log/log.js';
import type { ClaimedDelivery } from './claimed-deliveries.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { DeliveryIntake } from './delivery-intake.js';
import { DueWebhooks } from './due-webhooks.js';
import type { BegunDelivery } from './slots.js';
import { UnderWay } from './under-way.js';

const PAUSE_AFTER_FAILURE_MS = 500;
/** After a pause of this process: time to read and write down the answers that came meanwhile. */
const READ_FIRST_MS = 1_000;
/** How long deliveries under way may take to end at a shutdown; what is left is given back. */
const FINISH_WITHIN_MS = 8_000;

/**
 * Sends what is due: claims for the webhooks that may have something, makes the attempts, and asks again for a webhook
 * whenever one of its deliveries has ended. Any number of workers may run.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly underWay = new UnderWay<Promise<void>>();
  private away = false;
  private running: Promise<void> = Promise.resolve();
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly due: DueWebhooks,
    private readonly intake: DeliveryIntake,
    private readonly attempts: DeliveryAttempts,
    private readonly drain: Drain,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.due.open();
    this.drain.onBegin(() => void this.stop());
    this.running = this.run();
  }

  /** Resolves when nothing is under way any more, while the database is still connected. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  private async run(): Promise<void> {
    while (this.stopping === undefined) {
      try {
        await this.due.look();
        if (pausedSince(performance.now() - READ_FIRST_MS)) await this.readFirst();
        const mayBeMore = await this.claim();
        this.away = false;
        if (!mayBeMore) await this.due.sleep();
      } catch (error) {
        if (!this.away) {
          this.log.warn({ err: error }, 'Deliveries wait until the database answers again.');
        }
        this.away = true;
        await wait(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }

  /** Claimed at once, deliveries whose leases ended in the pause would be sent again although they were answered. */
  private async readFirst(): Promise<void> {
    this.log.info({}, 'This process was paused; answers that came meanwhile are read first.');
    await wait(READ_FIRST_MS);
  }

  /** Begins what may begin of some webhooks; whether others may have something too. Rejects with the pg error. */
  private async claim(): Promise<boolean> {
    const claimed = await this.intake.next();
    if (!claimed) return false;
    for (const delivery of claimed.deliveries) this.begin(delivery, claimed.leasedUntil);
    return true;
  }

  private begin(delivery: BegunDelivery, leasedUntil: number): void {
    const attempt = this.attempt(delivery, leasedUntil).finally(() => {
      this.underWay.remove(place);
      this.intake.end(delivery);
    });
    const place = this.underWay.add(attempt);
  }

  /** Never rejects: what could not be written down is sent again when the lease has ended. */
  private async attempt(delivery: ClaimedDelivery, leasedUntil: number): Promise<void> {
    try {
      const next = await this.attempts.make(delivery, leasedUntil);
      if (next === 'released') await this.intake.release(delivery);
      else if (next !== undefined) this.intake.again(delivery, next);
    } catch (error) {
      this.log.warn(
        { err: error, deliveryId: delivery.deliveryId },
        'The end of an attempt could not be written; the delivery is made again.',
      );
    }
  }

  private stop(): Promise<void> {
    this.stopping ??= this.finish();
    return this.stopping;
  }

  private async finish(): Promise<void> {
    await this.due.close();
    await this.running;
    const patience = new TimeLimit(FINISH_WITHIN_MS, () => {
      this.attempts.cutAll();
    });
    await Promise.all(this.underWay);
    patience.clear();
    await this.attempts.close();
  }
}
