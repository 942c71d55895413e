import { Field } from '../../../../platform/openapi/field.js';
import { SIGNATURES, type Signature } from '../entities/test-receiver.entity.js';

/** A URL of the service that displays the deliveries sent to it. */
export class ReceiverDto {
  @Field.id('receiver') id: string;

  @Field.uri({
    description:
      'Use it as the URL of a webhook. It allows sending deliveries, but not reading them.',
    example:
      'http://localhost:3000/dashboard/receivers/Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm8',
  })
  url: string;

  @Field.time() expiresAt: string;
}

/** A delivery to a receiver. */
export class ReceivedDeliveryDto {
  @Field.schema({
    type: String,
    format: 'uuid',
    example: '019aa835-dbc5-7038-b9bc-1e1325c4f1fa',
  })
  id: string;

  @Field.time() receivedAt: string;
  @Field.text({ max: 100, nullable: true, example: 'document.created' }) eventType: string | null;

  @Field.object(
    { additionalProperties: { type: 'string' } },
    { example: { 'content-type': 'application/json' } },
  )
  headers: Record<string, string>;

  @Field.schema({ type: String, example: '{"type":"document.created"}' })
  body: string;

  @Field.flag({
    description:
      'True if `body` is only the beginning of the body. Read the delivery for all of it.',
    example: false,
  })
  isBodyTruncated: boolean;

  @Field.oneOf(SIGNATURES, {
    description:
      'Whether the signature matches the secret of a webhook with this URL. `unknown` if there is no such webhook.',
    example: 'valid',
  })
  signature: Signature;
}

/** The response to a delivery. */
export class ReceivedDto {
  @Field.constant(true) received: true;
}
