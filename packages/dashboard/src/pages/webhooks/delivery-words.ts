import type { components } from '../../api/v1-schema.js';
import { formatDuration } from '../../components/numbers.js';
import type { Delivery, DeliveryInFull, Webhook } from './webhook-queries.js';
import { capitalized } from '../../components/words.js';

type Attempt = components['schemas']['Attempt'];

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY_AND_CLOCK = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const HALF_A_DAY_MS = 43_200_000;
/** A first attempt usually starts within a second. */
const SOON_MS = 10_000;

/** The states of a delivery that the dashboard distinguishes. */
export type DeliveryState = Delivery['status'] | 'paused';

/** What decides when a pending delivery is sent. `undefined` while the webhook is loading. */
type Sender = Pick<Webhook, 'status' | 'nextProbeAt'> | undefined;

/** Pending deliveries of a webhook wait, `paused`, while its receiver fails and after it was disabled. */
export function stateOf({ status }: Pick<Delivery, 'status'>, webhook: Sender): DeliveryState {
  const isPaused = webhook?.status === 'disabled' || (webhook?.nextProbeAt ?? null) !== null;
  return status === 'pending' && isPaused ? 'paused' : status;
}

/** Returns the outcome of a delivery and the next step: "Returned 500 after 1.2 s; next attempt 14:05, attempt 3 of 10". */
export function outcomeOf(delivery: DeliveryInFull, webhook: Sender, now: Date): string {
  const { attempts } = delivery;
  const last = attempts.at(-1);
  switch (delivery.status) {
    case 'succeeded':
      return last
        ? `${capitalized(responseSummary(last))}, delivered on attempt ${String(last.number)}`
        : 'Delivered';
    case 'cancelled':
      return 'Not sent: the webhook was disabled. Enable the webhook, then redeliver';
    case 'failed':
      return last
        ? `${capitalized(responseSummary(last))}; failed after attempt ${String(last.number)}`
        : 'Failed';
    case 'pending':
      return pendingOutcome(delivery, webhook, now);
  }
}

function pendingOutcome(delivery: DeliveryInFull, webhook: Sender, now: Date): string {
  const last = delivery.attempts.at(-1);
  const next = nextAttemptOf(delivery, webhook, now);
  const before = last ? `${capitalized(responseSummary(last))}; ` : '';
  if (webhook?.status === 'disabled') return capitalized(`${before}the webhook is disabled`);
  if (stateOf(delivery, webhook) === 'paused') {
    const when = next === undefined ? 'in a moment' : clockOf(next, now);
    return capitalized(`${before}paused, because the receiver is failing; next attempt ${when}`);
  }
  if (!last) return next ? `Scheduled for ${clockOf(next, now)}` : firstAttemptOf(delivery, now);
  const { maxAttempts } = delivery;
  const of = maxAttempts >= delivery.attemptCount + 1 ? ` of ${String(maxAttempts)}` : '';
  const attempt = `attempt ${String(delivery.attemptCount + 1)}${of}`;
  const when = next ? `next attempt ${clockOf(next, now)}` : 'retrying now';
  return `${before}${when}, ${attempt}`;
}

/** Returns when a pending delivery is sent; `undefined` if it is due, or not pending. */
export function nextAttemptOf(
  { nextAttemptAt }: Pick<Delivery, 'nextAttemptAt'>,
  webhook: Sender,
  now: Date,
): Date | undefined {
  if (nextAttemptAt === null) return undefined;
  const times = [nextAttemptAt, webhook?.nextProbeAt ?? nextAttemptAt].map((at) => new Date(at));
  const next = new Date(Math.max(...times.map(Number)));
  return next > now ? next : undefined;
}

/** A delivery may wait for an earlier one of its document, or for others of its webhook. */
function firstAttemptOf({ createdAt }: Pick<Delivery, 'createdAt'>, now: Date): string {
  return now.getTime() - Date.parse(createdAt) < SOON_MS ? 'Sending' : 'Queued';
}

/** Returns how an attempt ended: "returned 500 after 1.2 s". */
export function responseSummary({ responseStatus, durationMs, error }: Attempt): string {
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
export function shortOutcomeOf(delivery: Delivery, webhook: Sender, now: Date): string {
  const { status, lastResponseStatus, lastError, attemptCount } = delivery;
  if (lastResponseStatus !== null) return `Returned ${String(lastResponseStatus)}`;
  if (lastError) return capitalized(WORDS[lastError.class] ?? 'no response');
  if (status === 'cancelled') return 'Not sent';
  if (attemptCount > 0) return '';
  return stateOf(delivery, webhook) === 'paused' ? 'Not sent yet' : firstAttemptOf(delivery, now);
}

function clockOf(at: Date, now: Date): string {
  const isNear = Math.abs(at.getTime() - now.getTime()) < HALF_A_DAY_MS;
  return (isNear ? CLOCK : DAY_AND_CLOCK).format(at);
}
