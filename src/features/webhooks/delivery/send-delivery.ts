import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Config } from '../../../platform/config/config.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { SecretBox, SecretUnreadableError } from '../../../platform/secrets/secret-box.js';
import { maskHeaders, openHeaders, type CustomHeaders } from '../settings/webhook-headers.js';
import { traced } from '../../../platform/operation/tracing/tracing.js';
import { AttemptRecorder } from './attempt-recorder.js';
import type { Attempt, ClaimedDelivery } from './delivery.repository.js';
import { failure, type FailureClass } from './failure.js';
import { DeliveryTransport, type DeliveryRequest } from './delivery-transport.js';
import { nothingSent } from '../../../platform/network/guarded-client.js';
import { signatureHeaders } from '../signing/signature.js';

/** Time kept back from the lease to record the attempt, in milliseconds. */
const RECORDING_MS = 500;

/** Makes one attempt of a delivery: sign, send, and have the end recorded. No transaction is open meanwhile. */
@Injectable()
export class DeliverySender {
  constructor(
    private readonly secretBox: SecretBox,
    private readonly transport: DeliveryTransport,
    private readonly recorder: AttemptRecorder,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Resolves when the end is recorded, with the milliseconds until the next attempt if there is one. Resolves with
   * `'released'` when there was no attempt that counts: it was cut or paused, or outlived its lease, or `leasedUntil` (of the monotonic clock)
   * was too near to begin.
   */
  async send(
    delivery: ClaimedDelivery,
    leasedUntil: number,
  ): Promise<'released' | { retryInMs: number | undefined }> {
    const latestStart = leasedUntil - this.config.webhookTimeLimitMs - RECORDING_MS;
    // After a pause of this process another one may hold the delivery by now.
    if (performance.now() > latestStart) return 'released';
    const attempt = await this.attempt(delivery, leasedUntil);
    if (attempt === undefined) return 'released';
    return { retryInMs: await this.recorder.record(attempt, leasedUntil) };
  }

  /** Ends the exchanges in flight; their deliveries are released. */
  cutAll(): void {
    this.transport.cutAll();
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.transport.close();
  }

  private async attempt(
    delivery: ClaimedDelivery,
    leasedUntil: number,
  ): Promise<Attempt | undefined> {
    const startedAt = this.clock.now();
    const started = { delivery, number: delivery.attempts + 1, startedAt };
    const request = this.requestOf(delivery, startedAt);
    if (typeof request === 'string') {
      return { ...started, requestHeaders: {}, result: nothingSent(failure(request)) };
    }
    const result = await traced(
      'webhook attempt',
      {
        'document_service.event_id': encodeId('event', delivery.eventId),
        'document_service.webhook_id': encodeId('webhook', delivery.webhookId),
        'document_service.attempt': started.number,
      },
      () => this.transport.exchange(delivery, request, leasedUntil),
      (made) => ({ 'http.response.status_code': made?.status, 'error.type': made?.failure?.class }),
    );
    return result && { ...started, requestHeaders: request.shownHeaders, result };
  }

  /**
   * The signed request of one attempt, or why there is none. Its `webhook-id` is the id of the event, the same at every
   * attempt and at a redelivery, so that a receiver can ignore what it has had.
   */
  private requestOf(delivery: ClaimedDelivery, at: Date): DeliveryRequest | FailureClass {
    if (delivery.body === null) return 'event_purged';
    const secrets = this.secretsOf(delivery);
    const custom = this.customHeadersOf(delivery);
    if (secrets === undefined || custom === undefined) return 'secret_unreadable';
    const body = Buffer.from(delivery.body, 'utf8');
    const own = {
      'content-type': 'application/json',
      'user-agent': 'Document-Service-Webhooks/1.0',
      ...signatureHeaders(encodeId('event', delivery.eventId), body, secrets, at),
    };
    return {
      headers: { ...custom, ...own },
      shownHeaders: { ...maskHeaders(custom), ...own },
      body,
    };
  }

  /** The secrets that sign, the newest first; `undefined` when one cannot be read. */
  private secretsOf({ secret, previousSecret, webhookId }: ClaimedDelivery): string[] | undefined {
    const records = previousSecret === null ? [secret] : [secret, previousSecret];
    return this.open(() => records.map((record) => this.secretBox.open(record, webhookId)));
  }

  /** The webhook's own headers; `undefined` when they cannot be read. */
  private customHeadersOf({ headers, webhookId }: ClaimedDelivery): CustomHeaders | undefined {
    return this.open(() => openHeaders(this.secretBox, headers, webhookId));
  }

  private open<Opened>(read: () => Opened): Opened | undefined {
    try {
      return read();
    } catch (error) {
      if (error instanceof SecretUnreadableError) return undefined;
      throw error;
    }
  }
}
