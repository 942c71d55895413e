import { parseMoment } from '../../../../platform/basics/clock/moment.js';
import { decodeId, type IdKind } from '../../../../platform/basics/identifiers/identifiers.js';
import { textSchema } from '../../../../platform/openapi/schemas.js';
import { Field } from '../../../../platform/openapi/field.js';
import { EVENT_TYPES, type EventType } from '../../../events/catalogue/catalogue.js';
import {
  DELIVERY_STATUSES,
  MAX_ATTEMPTS_SHOWN,
  MAX_BODY_SHOWN,
  type DeliveryFilter,
  type DeliveryStatus,
} from '../delivery-log.repository.js';
import { Filter } from '../../../../platform/openapi/filter.js';
import { CreationOrderDto } from '../../../../platform/http/pagination/page-query.dto.js';

/** What is kept of an answer's body (see the delivery engine). */
const MAX_EXCERPT_CHARACTERS = 16 * 1024;

const HEADERS = { additionalProperties: textSchema(16_384) };

/** Why an attempt failed. */
export class DeliveryErrorDto {
  @Field.text({
    max: 64,
    description: 'Its kind, for programs: what was being done, and how it failed.',
    example: 'connect_refused',
  })
  class: string;

  @Field.text({
    max: 2000,
    description: 'What happened and what to do, for people.',
    example:
      'Nothing listens at the host and port of the URL. Start the receiver, or correct the URL.',
  })
  message: string;
}

/** That one event is owed to one webhook, and what became of it. */
export class DeliveryDto {
  @Field.id('delivery') id: string;
  @Field.id('webhook') webhookId: string;
  @Field.id('event', { description: 'Sent as `webhook-id` at every attempt.' }) eventId: string;
  @Field.oneOf(EVENT_TYPES, { example: 'document.created' }) eventType: EventType;

  @Field.oneOf(DELIVERY_STATUSES, {
    description:
      '`pending` is sent or waits for its next attempt, `succeeded` was answered 2xx, `failed` had no success in any attempt, `cancelled` was not sent because the webhook was disabled.',
    example: 'pending',
  })
  status: DeliveryStatus;

  @Field.integer({ description: 'Attempts so far.', example: 1 }) attemptCount: number;

  @Field.time({ nullable: true, description: 'While it is `pending`.' })
  nextAttemptAt: string | null;

  @Field.integer({
    min: 100,
    max: 999,
    nullable: true,
    description: 'HTTP status of the answer to the last attempt, if there was one.',
    example: 503,
  })
  lastResponseStatus: number | null;

  @Field.object(DeliveryErrorDto, {
    nullable: true,
    description: 'Why the last attempt failed; null when it did not.',
  })
  lastError: DeliveryErrorDto | null;

  @Field.time({ description: 'When the event happened.' }) createdAt: string;

  @Field.time({ nullable: true, description: 'When nothing was left to do; null while pending.' })
  completedAt: string | null;
}

/** One try to hand a delivery over. */
export class AttemptDto {
  @Field.integer({ min: 1, description: 'Counted from 1.', example: 1 }) number: number;
  @Field.time() startedAt: string;

  @Field.integer({ description: 'Milliseconds for the whole exchange.', example: 42 })
  durationMs: number;

  @Field.object(HEADERS, {
    example: { 'webhook-timestamp': '1795161600' },
    description:
      'What was sent beside the body, the signature too; it holds no secret. Empty when nothing was sent.',
  })
  requestHeaders: Record<string, string>;

  @Field.integer({
    min: 100,
    max: 999,
    nullable: true,
    description: 'Null when nothing was answered.',
    example: 200,
  })
  responseStatus: number | null;

  @Field.object(HEADERS, {
    example: { 'content-type': 'text/plain' },
    nullable: true,
    description: 'Null when nothing was answered.',
  })
  responseHeaders: Record<string, string> | null;

  @Field.text({
    max: MAX_EXCERPT_CHARACTERS,
    nullable: true,
    description: 'The beginning of the answer, at most 16 KiB.',
    example: 'ok',
  })
  responseBody: string | null;

  @Field.object(DeliveryErrorDto, { nullable: true, description: 'Null on success.' })
  error: DeliveryErrorDto | null;
}

/** A delivery with its attempts. */
export class DeliveryWithAttemptsDto extends DeliveryDto {
  @Field.integer({
    min: 1,
    description:
      'The number of the last attempt if none succeeds; sending it anew adds all of them once more.',
    example: 10,
  })
  maxAttempts: number;

  @Field.text({
    max: MAX_BODY_SHOWN,
    nullable: true,
    description:
      'The body that every attempt sends: at most its first 64 KiB. Null when the event is not kept any more; without the text of a document that was removed for good since.',
    example: '{"id":"evt_…","type":"document.created","data":{}}',
  })
  requestBody: string | null;

  @Field.flag({
    description: 'Whether the body was longer than what is shown of it.',
    example: false,
  })
  requestBodyTruncated: boolean;

  @Field.list(AttemptDto, {
    max: MAX_ATTEMPTS_SHOWN,
    description: `The first one first; at most the last ${String(MAX_ATTEMPTS_SHOWN)}.`,
  })
  attempts: AttemptDto[];
}

/** The query of `GET /v1/webhooks/{id}/deliveries`. */
export class ListDeliveriesDto extends CreationOrderDto {
  @Field.oneOf(DELIVERY_STATUSES, {
    optional: true,
    description: 'Only those of this status.',
    example: 'failed',
  })
  status?: DeliveryStatus;

  @Field.oneOf(EVENT_TYPES, {
    optional: true,
    description: 'Only those of events of this type.',
    example: 'document.created',
  })
  eventType?: EventType;
}

/** The query of `GET /v1/deliveries`. */
export class ListAllDeliveriesDto extends ListDeliveriesDto {
  @Filter.id('webhook', 'Only those to this webhook.') webhookId?: string;

  @Filter.id('document', 'Only those of events of this document; it need not exist any more.')
  documentId?: string;

  @Filter.id('event', 'Only those of this event.') eventId?: string;
  @Filter.id('request', 'Only those of events that this request caused.') requestId?: string;
  @Filter.time('Only those of events at this time or later') since?: string;
  @Filter.time('Only those of events before this time') until?: string;
}

/** The body of `POST /v1/webhooks/{id}/recover`. */
export class RecoverDto {
  @Field.time({
    max: 35,
    description: 'Events from then on; the time of the event counts, not that of an attempt.',
    example: '2026-11-20T00:00:00Z',
  })
  since: string;
}

/** The answer to a recovery. */
export class RecoveryDto {
  @Field.integer({ description: 'How many deliveries are sent anew.', example: 42 })
  recovered: number;

  @Field.flag({
    description: 'There are more than one request takes up: send it again.',
    example: false,
  })
  hasMore: boolean;
}

/** Returns the filter of a valid query. */
export function filterOf(query: ListAllDeliveriesDto): DeliveryFilter {
  const { status, eventType, requestId, since, until } = query;
  const uuid = (kind: IdKind, id?: string) => (id === undefined ? undefined : decodeId(kind, id));
  return {
    status,
    eventType,
    requestId,
    webhookId: uuid('webhook', query.webhookId),
    documentId: uuid('document', query.documentId),
    eventId: uuid('event', query.eventId),
    since: since === undefined ? undefined : parseMoment(since),
    until: until === undefined ? undefined : parseMoment(until),
  };
}
