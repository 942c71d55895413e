import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../../../events/catalogue/catalogue.js';
import {
  ApiId,
  ApiInteger,
  ApiText,
  ApiTimestamp,
  KEPT_TEXT,
} from '../../../../platform/openapi/property-decorators.js';
import { MAX_ATTEMPTS_SHOWN } from '../delivery-log.repository.js';
import {
  DELIVERY_STATUSES,
  MAX_BODY_SHOWN,
  type DeliveryStatus,
} from '../delivery-log.repository.js';

const MAX_INTEGER = 2_147_483_647;

/** What is kept of an answer's body (see the delivery engine). */
const MAX_EXCERPT_CHARACTERS = 16 * 1024;

const HEADERS = (example: Record<string, string>) => ({
  type: 'object' as const,
  additionalProperties: { type: 'string' as const, maxLength: 16_384, pattern: KEPT_TEXT },
  example,
});

/** Why an attempt failed. */
export class DeliveryErrorDto {
  @ApiText({
    maxLength: 64,
    description: 'Its kind, for programs: what was being done, and how it failed.',
    example: 'connect_refused',
  })
  class: string;

  @ApiText({
    maxLength: 2000,
    description: 'What happened and what to do, for people.',
    example:
      'Nothing listens at the host and port of the URL. Start the receiver, or correct the URL.',
  })
  message: string;
}

/** That one event is owed to one webhook, and what became of it. */
export class DeliveryDto {
  @ApiId('delivery')
  id: string;

  @ApiId('webhook')
  webhookId: string;

  @ApiId('event', { description: 'Sent as `webhook-id` at every attempt.' })
  eventId: string;

  @ApiProperty({ enum: EVENT_TYPES, example: 'document.created' })
  eventType: EventType;

  @ApiProperty({
    enum: DELIVERY_STATUSES,
    description:
      '`pending` is sent or waits for its next attempt, `succeeded` was answered 2xx, `failed` had no success in any attempt, `cancelled` was not sent because the webhook was disabled.',
    example: 'pending',
  })
  status: DeliveryStatus;

  @ApiInteger({ minimum: 0, maximum: MAX_INTEGER, description: 'Attempts so far.', example: 1 })
  attemptCount: number;

  @ApiTimestamp({ nullable: true, description: 'While it is `pending`.' })
  nextAttemptAt: string | null;

  @ApiInteger({
    minimum: 100,
    maximum: 999,
    nullable: true,
    description: 'HTTP status of the answer to the last attempt, if there was one.',
    example: 503,
  })
  lastResponseStatus: number | null;

  @ApiProperty({
    type: DeliveryErrorDto,
    nullable: true,
    description: 'Why the last attempt failed; null when it did not.',
  })
  lastError: DeliveryErrorDto | null;

  @ApiTimestamp({ description: 'When the event happened.' })
  createdAt: string;

  @ApiTimestamp({ nullable: true, description: 'When nothing was left to do; null while pending.' })
  completedAt: string | null;
}

/** One try to hand a delivery over. */
export class AttemptDto {
  @ApiInteger({ minimum: 1, maximum: MAX_INTEGER, description: 'Counted from 1.', example: 1 })
  number: number;

  @ApiTimestamp()
  startedAt: string;

  @ApiInteger({
    minimum: 0,
    maximum: MAX_INTEGER,
    description: 'Milliseconds for the whole exchange.',
    example: 42,
  })
  durationMs: number;

  @ApiProperty({
    ...HEADERS({ 'webhook-timestamp': '1795161600' }),
    description:
      'What was sent beside the body, the signature too; it holds no secret. Empty when nothing was sent.',
  })
  requestHeaders: Record<string, string>;

  @ApiInteger({
    minimum: 100,
    maximum: 999,
    nullable: true,
    description: 'Null when nothing was answered.',
    example: 200,
  })
  responseStatus: number | null;

  @ApiProperty({
    ...HEADERS({ 'content-type': 'text/plain' }),
    nullable: true,
    description: 'Null when nothing was answered.',
  })
  responseHeaders: Record<string, string> | null;

  @ApiText({
    maxLength: MAX_EXCERPT_CHARACTERS,
    nullable: true,
    description: 'The beginning of the answer, at most 16 KiB.',
    example: 'ok',
  })
  responseBody: string | null;

  @ApiProperty({ type: DeliveryErrorDto, nullable: true, description: 'Null on success.' })
  error: DeliveryErrorDto | null;
}

/** A delivery with its attempts. */
export class DeliveryWithAttemptsDto extends DeliveryDto {
  @ApiInteger({
    minimum: 1,
    maximum: MAX_INTEGER,
    description:
      'The number of the last attempt if none succeeds; sending it anew adds all of them once more.',
    example: 10,
  })
  maxAttempts: number;

  @ApiText({
    maxLength: MAX_BODY_SHOWN,
    nullable: true,
    description:
      'The body that every attempt sends: at most its first 64 KiB. Null when the event is not kept any more; without the text of a document that was removed for good since.',
    example: '{"id":"evt_…","type":"document.created","data":{}}',
  })
  requestBody: string | null;

  @ApiProperty({
    type: Boolean,
    description: 'Whether the body was longer than what is shown of it.',
    example: false,
  })
  requestBodyTruncated: boolean;

  @ApiProperty({
    type: AttemptDto,
    isArray: true,
    maxItems: MAX_ATTEMPTS_SHOWN,
    description: `The first one first; at most the last ${String(MAX_ATTEMPTS_SHOWN)}.`,
  })
  attempts: AttemptDto[];
}
