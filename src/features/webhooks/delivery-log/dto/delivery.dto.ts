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

/** The stored part of a response body (see the delivery engine). */
const MAX_EXCERPT_CHARACTERS = 16 * 1024;

const HEADERS = { additionalProperties: textSchema(16_384) };

/** The error of a failed attempt. */
export class DeliveryErrorDto {
  @Field.text({
    max: 64,
    description: 'The kind of the error, for programs: the step that failed, and how.',
    example: 'connect_refused',
  })
  class: string;

  @Field.text({
    max: 2000,
    description: 'What happened and how to fix it, for people.',
    example:
      'Nothing listens at the host and port of the URL. Start the receiver, or correct the URL.',
  })
  message: string;
}

/** The delivery of one event to one webhook, and its status. */
export class DeliveryDto {
  @Field.id('delivery') id: string;
  @Field.id('webhook') webhookId: string;
  @Field.id('event', { description: 'Sent as `webhook-id` with each attempt.' }) eventId: string;
  @Field.oneOf(EVENT_TYPES, { example: 'document.created' }) eventType: EventType;

  @Field.oneOf(DELIVERY_STATUSES, {
    description:
      '`pending`: being sent, or waiting for the next attempt. `succeeded`: the receiver responded with 2xx. `failed`: all attempts failed. `cancelled`: not sent because the webhook was disabled.',
    example: 'pending',
  })
  status: DeliveryStatus;

  @Field.integer({ description: 'Number of attempts so far.', example: 1 }) attemptCount: number;

  @Field.time({ nullable: true, description: 'Null unless the status is `pending`.' })
  nextAttemptAt: string | null;

  @Field.integer({
    min: 100,
    max: 999,
    nullable: true,
    description: 'HTTP status of the response to the last attempt. Null if there was none.',
    example: 503,
  })
  lastResponseStatus: number | null;

  @Field.object(DeliveryErrorDto, {
    nullable: true,
    description: 'The error of the last attempt. Null if it succeeded.',
  })
  lastError: DeliveryErrorDto | null;

  @Field.time({ description: 'When the event happened.' }) createdAt: string;

  @Field.time({
    nullable: true,
    description: 'When the delivery succeeded, failed or was cancelled. Null while pending.',
  })
  completedAt: string | null;
}

/** One attempt of a delivery. */
export class AttemptDto {
  @Field.integer({ min: 1, description: 'Counted from 1.', example: 1 }) number: number;
  @Field.time() startedAt: string;

  @Field.integer({
    description: 'Duration of the whole HTTP exchange in milliseconds.',
    example: 42,
  })
  durationMs: number;

  @Field.object(HEADERS, {
    example: { 'webhook-timestamp': '1795161600' },
    description:
      'The request headers, including the signature; they contain no secret. Empty if nothing was sent.',
  })
  requestHeaders: Record<string, string>;

  @Field.integer({
    min: 100,
    max: 999,
    nullable: true,
    description: 'Null if there was no response.',
    example: 200,
  })
  responseStatus: number | null;

  @Field.object(HEADERS, {
    example: { 'content-type': 'text/plain' },
    nullable: true,
    description: 'Null if there was no response.',
  })
  responseHeaders: Record<string, string> | null;

  @Field.text({
    max: MAX_EXCERPT_CHARACTERS,
    nullable: true,
    description: 'The beginning of the response body, at most 16 KiB.',
    example: 'ok',
  })
  responseBody: string | null;

  @Field.object(DeliveryErrorDto, { nullable: true, description: 'Null if the attempt succeeded.' })
  error: DeliveryErrorDto | null;
}

/** A delivery with its attempts. */
export class DeliveryWithAttemptsDto extends DeliveryDto {
  @Field.integer({
    min: 1,
    description:
      'The number of the last attempt if all fail. A redelivery restarts the retry schedule and increases it.',
    example: 10,
  })
  maxAttempts: number;

  @Field.text({
    max: MAX_BODY_SHOWN,
    nullable: true,
    description:
      'The body of each attempt, at most its first 64 KiB. Null if the event has expired. Does not contain the text of a permanently deleted document.',
    example: '{"id":"evt_…","type":"document.created","data":{}}',
  })
  requestBody: string | null;

  @Field.flag({
    description: 'True if the body is longer than the part shown.',
    example: false,
  })
  requestBodyTruncated: boolean;

  @Field.list(AttemptDto, {
    max: MAX_ATTEMPTS_SHOWN,
    description: `Oldest first; at most the latest ${String(MAX_ATTEMPTS_SHOWN)}.`,
  })
  attempts: AttemptDto[];
}

/** The query of `GET /v1/webhooks/{id}/deliveries`. */
export class ListDeliveriesDto extends CreationOrderDto {
  @Field.oneOf(DELIVERY_STATUSES, {
    optional: true,
    description: 'Only deliveries with this status.',
    example: 'failed',
  })
  status?: DeliveryStatus;

  @Field.oneOf(EVENT_TYPES, {
    optional: true,
    description: 'Only deliveries of events of this type.',
    example: 'document.created',
  })
  eventType?: EventType;

  @Filter.id('event', 'Only deliveries of this event.') eventId?: string;
  @Filter.id('delivery', 'Only the delivery with this ID.') deliveryId?: string;
}

/** The query of `GET /v1/deliveries`. */
export class ListAllDeliveriesDto extends ListDeliveriesDto {
  @Filter.id('webhook', 'Only deliveries to this webhook.') webhookId?: string;

  @Filter.id('document', 'Only deliveries of events of this document, which may have been deleted.')
  documentId?: string;

  @Filter.id('request', 'Only deliveries of events that this request caused.') requestId?: string;
  @Filter.time('Only deliveries of events at this time or later') since?: string;
  @Filter.time('Only deliveries of events before this time') until?: string;
}

/** The body of `POST /v1/webhooks/{id}/recover`. */
export class RecoverDto {
  @Field.time({
    max: 35,
    description:
      'Redelivers events from this time on. The time of the event counts, not the time of an attempt.',
    example: '2026-11-20T00:00:00Z',
  })
  since: string;
}

/** The response to a recovery. */
export class RecoveryDto {
  @Field.integer({ description: 'Number of deliveries that are sent again.', example: 42 })
  recovered: number;

  @Field.flag({
    description: 'True if there are more deliveries than one request recovers. Repeat the request.',
    example: false,
  })
  hasMore: boolean;
}

/** Returns the filter of a valid query. */
export function filterOf(query: ListDeliveriesDto & Partial<ListAllDeliveriesDto>): DeliveryFilter {
  const { status, eventType, requestId, since, until } = query;
  const uuid = (kind: IdKind, id?: string) => (id === undefined ? undefined : decodeId(kind, id));
  return {
    status,
    eventType,
    requestId,
    webhookId: uuid('webhook', query.webhookId),
    documentId: uuid('document', query.documentId),
    eventId: uuid('event', query.eventId),
    id: uuid('delivery', query.deliveryId),
    since: since === undefined ? undefined : parseMoment(since),
    until: until === undefined ? undefined : parseMoment(until),
  };
}
