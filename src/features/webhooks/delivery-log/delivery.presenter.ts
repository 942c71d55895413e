import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { MAX_BODY_SHOWN, type Attempt, type Delivery, type DeliveryWithBody } from './delivery-log.repository.js';
import type {
  AttemptDto,
  DeliveryDto,
  DeliveryErrorDto,
  DeliveryWithAttemptsDto,
} from './dto/delivery.dto.js';

/** The one list of a delivery's public fields. */
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

/** A delivery with what was sent and answered, the first attempt first. */
export function presentDeliveryWithAttempts({
  delivery,
  attempts,
  maxAttempts,
}: {
  delivery: DeliveryWithBody;
  attempts: readonly Attempt[];
  maxAttempts: number;
}) {
  return {
    ...presentDelivery(delivery),
    maxAttempts,
    ...presentBody(delivery.body),
    attempts: attempts.map(presentAttempt),
  } satisfies DeliveryWithAttemptsDto;
}

/** The beginning of a long one, up to a whole character. */
function presentBody(body: string | null) {
  const bytes = Buffer.from(body ?? '');
  if (bytes.length <= MAX_BODY_SHOWN) return { requestBody: body, requestBodyTruncated: false };
  let end = MAX_BODY_SHOWN;
  // In UTF-8 a byte that goes on with a character begins with the bits 10.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return { requestBody: bytes.toString('utf8', 0, end), requestBodyTruncated: true };
}

function presentAttempt(attempt: Attempt): AttemptDto {
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
}: Pick<Attempt, 'errorClass' | 'errorMessage'>): DeliveryErrorDto | null {
  return errorClass === null ? null : { class: errorClass, message: errorMessage ?? '' };
}

function headersOf(json: string | null): Record<string, string> | null {
  return json === null ? null : (JSON.parse(json) as Record<string, string>);
}
