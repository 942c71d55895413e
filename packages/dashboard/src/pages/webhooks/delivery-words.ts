import type { components } from '../../api/v1-schema.js';
import { formatDuration } from '../../components/numbers.js';
import type { Delivery, DeliveryInFull } from './webhook-queries.js';

type Attempt = components['schemas']['Attempt'];

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY_AND_CLOCK = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const HALF_A_DAY_MS = 43_200_000;

/** What became of a delivery and what comes next: "Answered 500 after 1.2 s; tried again 14:05, attempt 3 of 10". */
export function outcomeOf(delivery: DeliveryInFull, now: Date): string {
  const { attempts } = delivery;
  const last = attempts.at(-1);
  switch (delivery.status) {
    case 'succeeded':
      return last
        ? `${capitalized(answerOf(last))}, received at attempt ${String(last.number)}`
        : 'Received';
    case 'cancelled':
      return 'Not sent: the webhook was disabled. Redeliver, or Recover, sends it when it is enabled again';
    case 'failed':
      return last
        ? `${capitalized(answerOf(last))}; given up after attempt ${String(last.number)}`
        : 'Given up';
    case 'pending':
      return pendingOutcome(delivery, last, now);
  }
}

function pendingOutcome(delivery: DeliveryInFull, last: Attempt | undefined, now: Date): string {
  const next = delivery.nextAttemptAt === null ? now : new Date(delivery.nextAttemptAt);
  const isDue = next <= now;
  if (!last) return isDue ? 'Being sent' : `Sent at ${clockOf(next, now)}`;
  const { maxAttempts } = delivery;
  const of = maxAttempts >= delivery.attemptCount + 1 ? ` of ${String(maxAttempts)}` : '';
  const attempt = `attempt ${String(delivery.attemptCount + 1)}${of}`;
  const when = isDue ? 'being tried again' : `tried again ${clockOf(next, now)}`;
  return `${capitalized(answerOf(last))}; ${when}, ${attempt}`;
}

/** How an attempt ended: "answered 500 after 1.2 s". */
export function answerOf({ responseStatus, durationMs, error }: Attempt): string {
  const after = formatDuration(durationMs);
  if (responseStatus !== null) return `answered ${String(responseStatus)} after ${after}`;
  return `${WORDS[error?.class ?? ''] ?? 'no answer'} after ${after}`;
}

/** What happened, by the class of an error; the sentence of the API says what to do. */
const WORDS: Partial<Record<string, string>> = {
  event_purged: 'the event was gone',
  secret_unreadable: 'the secret could not be read',
  url_refused: 'the URL was not allowed',
  name_unknown: 'the host was not found',
  address_refused: 'the address was not public',
  connect_refused: 'nothing listened',
  connect_failed: 'no connection',
  connect_timeout: 'no connection in time',
  tls_failed: 'no encrypted connection',
  send_failed: 'the connection broke',
  answer_timeout: 'no answer in time',
  answer_invalid: 'the answer was not valid',
  answer_incomplete: 'the answer broke off',
  answer_endless: 'the answer did not end',
};

/** In a list: the outcome in few words. */
export function shortOutcomeOf({ status, lastResponseStatus, lastError, attemptCount }: Delivery) {
  if (lastResponseStatus !== null) return `Answered ${String(lastResponseStatus)}`;
  if (lastError) return capitalized(WORDS[lastError.class] ?? 'no answer');
  if (status === 'cancelled') return 'Not sent';
  return attemptCount === 0 ? 'Being sent' : '';
}

function clockOf(at: Date, now: Date): string {
  const isNear = Math.abs(at.getTime() - now.getTime()) < HALF_A_DAY_MS;
  return (isNear ? CLOCK : DAY_AND_CLOCK).format(at);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
