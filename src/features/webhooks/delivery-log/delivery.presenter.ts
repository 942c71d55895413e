import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import {
  MAX_BODY_SHOWN,
  type RecordedAttempt,
  type Delivery,
  type DeliveryWithBody,
} from './delivery-log.repository.js';
import type {
  AttemptDto,
  DeliveryDto,
  DeliveryErrorDto,
  DeliveryWithAttemptsDto,
} from './dto/delivery.dto.js';

/** Presents a delivery. This is the only list of its public fields. */
export function presentDelivery(delivery: Delivery) {
  return {
    id: encodeId('delivery', delivery.id),
    webhookId: encodeId('webhook', delivery.webhookId),
    eventId: encodeId('event', delivery.eventId),
    eventType: delivery.eventType,
    status: delivery.status,
    attemptCount: delivery.attempts,
    nextAttemptAt: delivery.status === 'pending' ? delivery.nextAttemptAt.toISOString() : null,
    lastResponseStatus: delivery.responseStatus,
    lastError: errorOf(delivery),
    createdAt: delivery.createdAt.toISOString(),
    completedAt: delivery.completedAt?.toISOString() ?? null,
  } satisfies DeliveryDto;
}

export function presentDeliveryWithAttempts({
  delivery,
  attempts,
  maxAttempts,
}: {
  delivery: DeliveryWithBody;
  attempts: readonly RecordedAttempt[];
  maxAttempts: number;
}) {
  return {
    ...presentDelivery(delivery),
    maxAttempts,
    ...presentBody(delivery.body),
    attempts: attempts.map(presentAttempt),
  } satisfies DeliveryWithAttemptsDto;
}

/** Cuts a long body after a whole character. */
function presentBody(body: string | null) {
  const bytes = Buffer.from(body ?? '');
  if (bytes.length <= MAX_BODY_SHOWN) return { requestBody: body, requestBodyTruncated: false };
  let end = MAX_BODY_SHOWN;
  // In UTF-8, a continuation byte begins with the bits 10.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return { requestBody: bytes.toString('utf8', 0, end), requestBodyTruncated: true };
}

function presentAttempt(attempt: RecordedAttempt): AttemptDto {
  return {
    number: attempt.number,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    requestHeaders: headersOf(attempt.requestHeaders) ?? {},
    responseStatus: attempt.responseStatus,
    responseHeaders: headersOf(attempt.responseHeaders),
    responseBody: attempt.responseExcerpt,
    error: errorOf(attempt),
  };
}

function errorOf({
  errorClass,
  errorMessage,
}: Pick<RecordedAttempt, 'errorClass' | 'errorMessage'>): DeliveryErrorDto | null {
  return errorClass === null ? null : { class: errorClass, message: errorMessage ?? '' };
}

function headersOf(json: string | null): Record<string, string> | null {
  return json === null ? null : (JSON.parse(json) as Record<string, string>);
}
