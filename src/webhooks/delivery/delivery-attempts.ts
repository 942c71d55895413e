import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { Config } from '../../config/config.js';
import { SecretUnreadableError } from '../../secrets/secret-box.js';
import type { Attempt } from './attempt-record.js';
import { AttemptRecords } from './attempt-records.js';
import type { ClaimedDelivery } from './claimed-deliveries.js';
import { DeliveryRequests, type DeliveryRequest } from './delivery-request.js';
import { failure, type FailureClass } from './failure.js';
import { nothingSent, ReceiverClient } from './receiver-client.js';

/** For what comes after the exchange. */
const SETTLING_MS = 500;

/** Makes one attempt of a delivery: sign, send, and have the end written down. No transaction is open meanwhile. */
@Injectable()
export class DeliveryAttempts {
  constructor(
    private readonly requests: DeliveryRequests,
    private readonly client: ReceiverClient,
    private readonly records: AttemptRecords,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Resolves with the milliseconds until the next attempt, if there is one, when the end is written down, or with
   * `'released'` when there was none that counts: it was cut or paused, or `leasedUntil` (of the monotonic clock) was too near to begin.
   */
  async make(
    delivery: ClaimedDelivery,
    leasedUntil: number,
  ): Promise<number | 'released' | undefined> {
    const latestStart = leasedUntil - this.config.webhookTimeLimitMs - SETTLING_MS;
    // After a pause of this process another one may hold the delivery by now.
    if (performance.now() > latestStart) return 'released';
    const attempt = await this.send(delivery);
    return attempt === undefined ? 'released' : this.records.write(attempt, leasedUntil);
  }

  /** Cuts the exchanges under way; their attempts are released. */
  cutAll(): void {
    this.client.cutAll();
  }

  /** Writes what is left to write, and closes all connections. */
  async close(): Promise<void> {
    await this.records.flush();
    await this.client.close();
  }

  private async send(delivery: ClaimedDelivery): Promise<Attempt | undefined> {
    const startedAt = this.clock.now();
    const request = this.requestOf(delivery, startedAt);
    const number = delivery.attempts + 1;
    if (typeof request === 'string') {
      return {
        delivery,
        number,
        startedAt,
        requestHeaders: {},
        result: nothingSent(failure(request)),
      };
    }
    const result = await this.client.post(delivery.url, request.headers, request.body);
    return result && { delivery, number, startedAt, requestHeaders: request.headers, result };
  }

  private requestOf(delivery: ClaimedDelivery, at: Date): DeliveryRequest | FailureClass {
    if (delivery.body === null) return 'event_purged';
    try {
      return this.requests.build(delivery, delivery.body, at);
    } catch (error) {
      if (error instanceof SecretUnreadableError) return 'secret_unreadable';
      throw error;
    }
  }
}
