import { Injectable } from '@nestjs/common';
import { encodeId } from '../../identifiers/identifiers.js';
import { SecretBox } from '../../secrets/secret-box.js';
import type { ClaimedDelivery } from './claimed-deliveries.js';
import { signatureHeaders } from './signature.js';

/** What is posted to the receiver. */
export interface DeliveryRequest {
  headers: Record<string, string>;
  body: Buffer;
}

/** Puts the frozen body of an event into a signed request. */
@Injectable()
export class DeliveryRequests {
  constructor(private readonly secretBox: SecretBox) {}

  /**
   * The request of one attempt. The id is that of the event, the same at every attempt and at a redelivery, so that a
   * receiver can ignore what it has had. Throws `SecretUnreadableError`.
   */
  build(delivery: ClaimedDelivery, text: string, at: Date): DeliveryRequest {
    const body = Buffer.from(text, 'utf8');
    const records = [delivery.secret, delivery.previousSecret].filter((record) => record !== null);
    const secrets = records.map((record) => this.secretBox.open(record, delivery.webhookId));
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Document-Service-Webhooks/1.0',
        ...signatureHeaders(encodeId('event', delivery.eventId), body, secrets, at),
      },
    };
  }
}
