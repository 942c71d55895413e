import type { components } from '../../api/v1-schema.js';
import { formatDuration } from '../../components/numbers.js';
import type { Delivery, DeliveryInFull } from './webhook-queries.js';
import { capitalized } from '../../components/words.js';

type Attempt = components['schemas']['Attempt'];

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY_AND_CLOCK = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const HALF_A_DAY_MS = 43_200_000;

/** Returns the outcome of a delivery and the next step: "Returned 500 after 1.2 s; next attempt 14:05, attempt 3 of 10". */
export function outcomeOf(delivery: DeliveryInFull, now: Date): string {
  const { attempts } = delivery;
  const last = attempts.at(-1);
  switch (delivery.status) {
    case 'succeeded':
      return last
        ? `${capitalized(answerOf(last))}, delivered on attempt ${String(last.number)}`
        : 'Delivered';
    case 'cancelled':
      return 'Not sent: the webhook was disabled. Enable the webhook, then redeliver';
    case 'failed':
      return last
        ? `${capitalized(answerOf(last))}; failed after attempt ${String(last.number)}`
        : 'Failed';
    case 'pending':
      return pendingOutcome(delivery, last, now);
  }
}

function pendingOutcome(delivery: DeliveryInFull, last: Attempt | undefined, now: Date): string {
  const next = delivery.nextAttemptAt === null ? now : new Date(delivery.nextAttemptAt);
  const isDue = next <= now;
  if (!last) return isDue ? 'Sending' : `Scheduled for ${clockOf(next, now)}`;
  const { maxAttempts } = delivery;
  const of = maxAttempts >= delivery.attemptCount + 1 ? ` of ${String(maxAttempts)}` : '';
  const attempt = `attempt ${String(delivery.attemptCount + 1)}${of}`;
  const when = isDue ? 'retrying now' : `next attempt ${clockOf(next, now)}`;
  return `${capitalized(answerOf(last))}; ${when}, ${attempt}`;
}

/** Returns how an attempt ended: "returned 500 after 1.2 s". */
export function answerOf({ responseStatus, durationMs, error }: Attempt): string {
  const after = formatDuration(durationMs);
  if (responseStatus !== null) return `returned ${String(responseStatus)} after ${after}`;
  return `${WORDS[error?.class ?? ''] ?? 'no response'} after ${after}`;
}

/** Short descriptions of errors by class. The API's message says what to do. */
const WORDS: Partial<Record<string, string>> = {
  event_purged: 'the event expired',
  secret_unreadable: 'the secret could not be read',
  url_refused: 'the URL was not allowed',
  name_unknown: 'the host was not found',
  address_refused: 'the address was not public',
  connect_refused: 'connection refused',
  connect_failed: 'connection failed',
  connect_timeout: 'connection timed out',
  tls_failed: 'TLS handshake failed',
  send_failed: 'connection lost',
  answer_timeout: 'response timed out',
  answer_invalid: 'invalid response',
  bad_response: 'response too large',
  answer_incomplete: 'response incomplete',
  answer_endless: 'response too long',
};

/** Returns the outcome in few words, for lists. */
export function shortOutcomeOf({ status, lastResponseStatus, lastError, attemptCount }: Delivery) {
  if (lastResponseStatus !== null) return `Returned ${String(lastResponseStatus)}`;
  if (lastError) return capitalized(WORDS[lastError.class] ?? 'no response');
  if (status === 'cancelled') return 'Not sent';
  return attemptCount === 0 ? 'Sending' : '';
}

function clockOf(at: Date, now: Date): string {
  const isNear = Math.abs(at.getTime() - now.getTime()) < HALF_A_DAY_MS;
  return (isNear ? CLOCK : DAY_AND_CLOCK).format(at);
}
