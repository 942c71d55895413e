import { setTimeout as wait } from 'node:timers/promises';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { pausedSince, TimeLimit } from '../../../platform/basics/clock/time-limit.js';
import { Drain } from '../../../platform/http/drain.js';
import { Log } from '../../../platform/operation/log/log.js';
import type { AcquiredDelivery } from './delivery.repository.js';
import { DeliveryPoller } from './delivery-poller.js';
import { DeliverySender } from './send-delivery.js';
import { DeliveryRepository } from './delivery.repository.js';

const RETRY_AFTER_MS = 500;
/** After a pause of this process: time to read and record the answers that came meanwhile. */
const READ_FIRST_MS = 1_000;
/** How long deliveries in flight may take to end at a shutdown; then they are cut and released. */
const FINISH_WITHIN_MS = 8_000;

/** Sends what is due: claims, sends, and claims again whenever a delivery has ended. Any number of workers may run. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private inFlight = 0;
  private onIdle: () => void = () => undefined;
  private databaseIsAway = false;
  private running: Promise<void> = Promise.resolve();
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly poller: DeliveryPoller,
    private readonly deliveries: DeliveryRepository,
    private readonly sender: DeliverySender,
    private readonly drain: Drain,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.poller.open();
    this.drain.onBegin(() => void this.stop());
    this.running = this.run();
  }

  /** Resolves when nothing is in flight any more, while the database is still connected. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  private async run(): Promise<void> {
    while (this.stopping === undefined) {
      try {
        await this.poller.poll();
        if (pausedSince(performance.now() - READ_FIRST_MS)) await this.readFirst();
        const mayBeMore = await this.claim();
        this.databaseIsAway = false;
        if (!mayBeMore) await this.poller.wait();
      } catch (error) {
        if (!this.databaseIsAway) {
          this.log.warn({ err: error }, 'Deliveries wait until the database answers again.');
        }
        this.databaseIsAway = true;
        await wait(RETRY_AFTER_MS);
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
    const claim = await this.poller.claim();
    if (!claim) return false;
    for (const delivery of claim.deliveries) void this.deliver(delivery, claim.leasedUntil);
    return true;
  }

  /** Never rejects: an attempt whose end could not be recorded is made again when the lease has ended. */
  private async deliver(delivery: AcquiredDelivery, leasedUntil: number): Promise<void> {
    this.inFlight += 1;
    try {
      const end = await this.sender.send(delivery, leasedUntil);
      if (end === 'released') await this.deliveries.release(delivery);
      else if (end.retryInMs !== undefined) this.poller.retryIn(delivery.webhookId, end.retryInMs);
    } catch (error) {
      this.log.warn(
        { err: error, deliveryId: delivery.deliveryId },
        'The end of an attempt could not be written; the delivery is made again.',
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
    const patience = new TimeLimit(FINISH_WITHIN_MS, () => {
      this.sender.cutAll();
    });
    await this.idle();
    patience.clear();
    await this.sender.close();
  }

  private async idle(): Promise<void> {
    if (this.inFlight === 0) return;
    await new Promise<void>((resolve) => {
      this.onIdle = resolve;
    });
  }
}
