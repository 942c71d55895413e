import { isOwnFailure, type Failure } from './failure.js';
import { delayAfter, delayAsAsked, type RetrySchedule } from './retry-schedule.js';

/** A receiver that has answered nothing with 2xx for so long is given up. */
export const GIVE_UP_AFTER_MS = 5 * 24 * 60 * 60 * 1000;

/** What is known when an attempt has ended. */
export interface EndedAttempt {
  /** Counted from 1, since the delivery was planned or last sent anew. */
  number: number;
  /** `undefined` on success. */
  failure: Failure | undefined;
  /** What the receiver asked for with 429 or 503. */
  retryAfterMs: number | undefined;
  /** For how long every attempt to this receiver has failed; `null` when the one before succeeded. */
  failingForMs: number | null;
}

export type AttemptOutcome =
  | { kind: 'succeeded' }
  | { kind: 'retry'; delayMs: number }
  /** All attempts are used up. */
  | { kind: 'exhausted' }
  /** The receiver is gone: this delivery has failed, and nothing more is sent. */
  | { kind: 'disable'; reason: string };

/** What follows from an attempt: success, another one later, or giving up. `random` gives numbers from 0 to 1. */
export function attemptOutcome(
  attempt: EndedAttempt,
  schedule: RetrySchedule,
  random: () => number = Math.random,
): AttemptOutcome {
  if (attempt.failure === undefined) return { kind: 'succeeded' };
  if (attempt.failure.class === 'event_purged') return { kind: 'exhausted' };
  const reason = reasonToDisable(attempt.failure, attempt.failingForMs);
  if (reason !== undefined) return { kind: 'disable', reason };
  const scheduled = delayAfter(attempt.number, schedule, random);
  if (scheduled === undefined) return { kind: 'exhausted' };
  const { retryAfterMs } = attempt;
  return {
    kind: 'retry',
    delayMs: retryAfterMs === undefined ? scheduled : delayAsAsked(retryAfterMs, random),
  };
}

function reasonToDisable(failed: Failure, failingForMs: number | null): string | undefined {
  if (failed.class === 'status_gone') return failed.message;
  if (isOwnFailure(failed) || (failingForMs ?? 0) < GIVE_UP_AFTER_MS) return undefined;
  return `Every attempt has failed for 5 days, at last so: ${failed.message}`;
}
