import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiText, ApiTimestamp } from '../../../../platform/openapi/property-decorators.js';
import { SIGNATURES, type Signature } from '../entities/test-receiver.entity.js';

/** An address of the service itself that shows what is sent to it. */
export class ReceiverDto {
  @ApiId('receiver')
  id: string;

  @ApiProperty({
    format: 'uri',
    maxLength: 2048,
    description: 'For the URL of a webhook. Whoever has it can send, and read nothing.',
    example:
      'http://localhost:3000/dashboard/receivers/Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm8',
  })
  url: string;

  @ApiTimestamp()
  expiresAt: string;
}

/** What was sent to a receiver. */
export class ReceivedDeliveryDto {
  @ApiProperty({ format: 'uuid', example: '019aa835-dbc5-7038-b9bc-1e1325c4f1fa' })
  id: string;

  @ApiTimestamp()
  receivedAt: string;

  @ApiText({ maxLength: 100, nullable: true, example: 'document.created' })
  eventType: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'content-type': 'application/json' },
  })
  headers: Record<string, string>;

  @ApiProperty({ type: String, example: '{"type":"document.created"}' })
  body: string;

  @ApiProperty({
    enum: SIGNATURES,
    description:
      'Whether it was signed with a secret of the webhooks that lead here; unknown where none does.',
    example: 'valid',
  })
  signature: Signature;
}

/** The answer to a delivery. */
export class ReceivedDto {
  @ApiProperty({ enum: [true], example: true })
  received: true;
}
