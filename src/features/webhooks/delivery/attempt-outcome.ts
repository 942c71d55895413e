import { firstFailure, reasonOf } from '../../../platform/basics/errors/reason.js';
import type {
  ExchangeFailure,
  ExchangeProgress,
} from '../../../platform/network/guarded-client.js';
import { AddressRefusedError } from '../../../platform/network/guarded-connector.js';
import { ResponseLimitError } from '../../../platform/network/response-limits.js';

// Decides what follows from an attempt, in pure functions.

/** When an attempt failed: before anything was sent, before the response began, or after that. */
type FailureStage = 'before' | 'during' | 'after';

/**
 * The stage and message of each failure class. A message tells the webhook's owner what happened and what to do. `%s` is the status, the time limit in seconds, or the reason.
 */
const FAILURES = {
  event_purged: [
    'before',
    'The event was removed when its retention time ended, so there was nothing to send. Ask the operator to raise EVENT_RETENTION_DAYS.',
  ],
  secret_unreadable: [
    'before',
    "The webhook's secret cannot be decrypted, so nothing was sent. Rotate the secret, or ask the operator to restore SECRETS_KEY.",
  ],
  url_refused: ['before', 'The URL is no longer allowed: it %s.'],
  name_unknown: [
    'before',
    'The host of the URL has no address (%s). Correct the URL or the DNS record.',
  ],
  address_refused: [
    'before',
    'The host of the URL resolves to %s, which is not public, so nothing was sent. Use a public host, or ask the operator to allow the network with WEBHOOK_ALLOWED_NETWORKS.',
  ],
  connect_refused: [
    'before',
    'Nothing listens at the host and port of the URL. Start the receiver, or correct the URL.',
  ],
  connect_failed: [
    'before',
    'The connection to the receiver failed (%s). Check its host, firewall and network.',
  ],
  connect_timeout: [
    'before',
    'The receiver did not accept a connection within %s seconds. Check its firewall and load.',
  ],
  tls_failed: [
    'before',
    'The TLS connection failed (%s). Install a certificate that is valid, complete and issued for this host.',
  ],
  send_failed: [
    'during',
    "The connection broke before the receiver responded (%s). Check the receiver's log; it may have crashed or rejected the size.",
  ],
  answer_timeout: [
    'during',
    'The receiver did not respond within %s seconds. Respond with 2xx first, and do the work afterwards.',
  ],
  answer_invalid: [
    'after',
    'The response is not valid HTTP (%s). Check the receiver and any proxy in front of it.',
  ],
  bad_response: [
    'after',
    'The receiver sent %s, so the attempt was ended. Respond with one short response. Check any proxy in front of the receiver.',
  ],
  answer_incomplete: [
    'after',
    "The connection broke in the middle of the response (%s). Check the receiver's log.",
  ],
  answer_endless: [
    'after',
    'The response did not end within %s seconds. Send a short response, and end it.',
  ],
  status_redirect: [
    'after',
    'The receiver responded with %s, a redirect. Redirects are never followed: register the URL it points to.',
  ],
  status_gone: [
    'after',
    'The receiver responded with 410 Gone, so the webhook was disabled. Enable it when the receiver is back.',
  ],
  status_busy: [
    'after',
    'The receiver responded with %s: it is too busy. The next attempt waits for the time in Retry-After. Respond faster, or accept more requests at a time.',
  ],
  status_refused: [
    'after',
    'The receiver refused the delivery with %s. Its response may say why: 401 and 403 often mean that it verifies with a different secret, 404 that the path is wrong.',
  ],
  status_failed: [
    'after',
    'The receiver failed with %s. Check its log around this time for the error.',
  ],
  status_unexpected: [
    'after',
    'The receiver responded with %s, which has no defined meaning. Respond with 2xx.',
  ],
} as const satisfies Record<string, readonly [FailureStage, string]>;

export type FailureClass = keyof typeof FAILURES;

export const FAILURE_CLASSES = Object.keys(FAILURES) as FailureClass[];

/** A failed attempt in words. */
export interface Failure {
  class: FailureClass;
  stage: FailureStage;
  message: string;
}

/** Returns the failure of this class, with `detail` in its message. */
export function failure(name: FailureClass, detail = ''): Failure {
  const [stage, message] = FAILURES[name];
  return { class: name, stage, message: message.replace('%s', () => detail) };
}

const INTERNAL: readonly FailureClass[] = ['event_purged', 'secret_unreadable'];

/** True if this service failed. The failure then says nothing about the receiver. */
export function isInternalFailure(failed: Failure): boolean {
  return INTERNAL.includes(failed.class);
}

/** Returns the failure that a status indicates, or `undefined` for 2xx. */
export function statusFailure(status: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  return failure(classOfStatus(status), String(status));
}

function classOfStatus(status: number): FailureClass {
  if (status === 410) return 'status_gone';
  if (status === 429 || status === 503) return 'status_busy';
  if (status >= 300 && status < 400) return 'status_redirect';
  if (status >= 400 && status < 500) return 'status_refused';
  return status >= 500 && status < 600 ? 'status_failed' : 'status_unexpected';
}

const CLASS_OF_TIMEOUT: Readonly<Record<ExchangeProgress, FailureClass>> = {
  connecting: 'connect_timeout',
  sent: 'answer_timeout',
  responded: 'answer_endless',
};

/** Describes an exchange that failed because of its time limit, or because of an error from undici or the network. */
export function exchangeFailure({ progress, error }: ExchangeFailure, limitMs: number): Failure {
  const timeout = () => failure(CLASS_OF_TIMEOUT[progress], String(limitMs / 1000));
  if (error === 'timeout') return timeout();
  const cause = firstFailure(error);
  const code = codeOf(cause);
  if (cause instanceof AddressRefusedError) return failure('address_refused', cause.address);
  if (progress === 'connecting') {
    if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return timeout();
    // The message of an OpenSSL error is a debug line. Its `reason` is readable.
    const { reason } = (cause ?? {}) as { reason?: unknown };
    const isReadable = typeof reason === 'string' && code.startsWith('ERR_SSL');
    return failure(classOfConnectError(code), isReadable ? reason : reasonOf(cause));
  }
  if (cause instanceof ResponseLimitError) return failure('bad_response', cause.message);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return failure('bad_response', 'too large headers');
  if (isInvalidResponse(cause)) {
    const reason = code === 'ERR_ASSERTION' ? 'an invalid status' : reasonOf(cause);
    return failure('answer_invalid', reason);
  }
  return failure(progress === 'sent' ? 'send_failed' : 'answer_incomplete', reasonOf(cause));
}

function classOfConnectError(code: string): FailureClass {
  if (code === 'ECONNREFUSED') return 'connect_refused';
  if (code === 'ENOTFOUND' || code.startsWith('EAI_') || code === 'ENODATA') return 'name_unknown';
  return /CERT|SSL|TLS|ISSUER|SIGNATURE|EPROTO|CRL|HOSTNAME/.test(code)
    ? 'tls_failed'
    : 'connect_failed';
}

/** Error codes of undici for responses that are not HTTP. A status of 0 to 99 fails an assertion in undici. */
const INVALID_CODES = ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION'];
/** An upgrade or a "continue" that was not requested. Only the message of undici's error shows it. */
const NOT_REQUESTED = /^bad (upgrade|response)$/;

/** Most errors of undici's parser have no code, only a name. */
function isInvalidResponse(error: unknown): boolean {
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown };
  return (
    name === 'HTTPParserError' ||
    INVALID_CODES.includes(codeOf(error)) ||
    (typeof message === 'string' && NOT_REQUESTED.test(message))
  );
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** A webhook is disabled after all attempts have failed for this long. */
export const GIVE_UP_AFTER_MS = 5 * 24 * 60 * 60 * 1000;

/** The facts that decide what follows from an attempt. */
export interface EndedAttempt {
  /** Counted from 1, since the delivery was planned or last redelivered. */
  number: number;
  /** `undefined` on success. */
  failure: Failure | undefined;
  /** The wait that the receiver requested with 429 or 503. */
  retryAfterMs: number | undefined;
  /** How long all attempts to this receiver have failed; `null` if the previous one succeeded. */
  failingForMs: number | null;
}

export type AttemptOutcome =
  | { kind: 'succeeded' }
  | { kind: 'retry'; delayMs: number }
  /** No attempts are left. */
  | { kind: 'exhausted' }
  /** The receiver is gone: this delivery has failed, and the webhook is disabled. */
  | { kind: 'disable'; reason: string };

/** Decides between success, a retry and giving up. `random` returns numbers from 0 to 1. */
export function attemptOutcome(
  attempt: EndedAttempt,
  schedule: RetrySchedule,
  random: () => number = Math.random,
): AttemptOutcome {
  if (attempt.failure === undefined) return { kind: 'succeeded' };
  if (attempt.failure.class === 'event_purged') return { kind: 'exhausted' };
  const reason = reasonToDisable(attempt.failure, attempt.failingForMs);
  if (reason !== undefined) return { kind: 'disable', reason };
  const scheduled = scheduledDelay(attempt.number, schedule, random);
  if (scheduled === undefined) return { kind: 'exhausted' };
  const { retryAfterMs } = attempt;
  return {
    kind: 'retry',
    delayMs: retryAfterMs === undefined ? scheduled : requestedDelay(retryAfterMs, random),
  };
}

function reasonToDisable(failed: Failure, failingForMs: number | null): string | undefined {
  if (failed.class === 'status_gone') return failed.message;
  if (isInternalFailure(failed) || (failingForMs ?? 0) < GIVE_UP_AFTER_MS) return undefined;
  return `All attempts failed for 5 days. Last error: ${failed.message}`;
}

/** Milliseconds to wait before each attempt. Its length is the number of attempts. */
type RetrySchedule = readonly number[];

/** Delays vary by up to this fraction, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** Bounds for the wait that a receiver can request. */
const MIN_RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/** Returns the milliseconds to wait after attempt `number` (counted from 1), or `undefined` after the last one. */
export function scheduledDelay(
  number: number,
  schedule: RetrySchedule,
  random: () => number,
): number | undefined {
  const delay = schedule[number];
  return delay === undefined ? undefined : Math.round(delay * (1 + JITTER * (2 * random() - 1)));
}

/** Returns the wait that a receiver requested, or up to a fifth more. Never less. */
export function requestedDelay(milliseconds: number, random: () => number): number {
  return Math.round(milliseconds * (1 + JITTER * random()));
}

/**
 * Parses the `Retry-After` header, in seconds or as an HTTP date. Returns milliseconds between a second and a day, or
 * `undefined` if the header is missing or invalid.
 */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? '';
  const at = httpDate(text);
  const requested = /^\d+$/.test(text) ? Number(text) * 1000 : at && at.getTime() - now.getTime();
  return requested === undefined
    ? undefined
    : Math.min(Math.max(requested, MIN_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS);
}

/** Parses the `Date` header, which shows the receiver's clock. Returns `otherwise` if it is missing or invalid. */
export function responseTime(date: string | undefined, otherwise: Date): Date {
  return httpDate(date?.trim() ?? '') ?? otherwise;
}

/** HTTP dates end with GMT. `Date` would read one without it as local time. */
function httpDate(text: string): Date | undefined {
  if (!/^[A-Z][a-z]+,? .* GMT$/.test(text)) return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
