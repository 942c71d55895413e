import { ERROR_STATUS } from '../../../platform/http/envelope/envelope.js';
import { AppError, type ErrorDetails } from '../../../platform/basics/errors/app-error.js';
import { asUnavailable } from '../../../platform/basics/errors/database-error.js';
import type { JobError } from '../queue/job-state.js';

/** Backoff in seconds before each retry. The last value repeats. */
const BACKOFF_SECONDS = [1, 10, 60, 300] as const;

/** A job that crashes this often is quarantined. */
export const MAX_CRASHES = 3;

/** The attempt crashed or had to be terminated. The message completes the sentence "The last time it …". */
export class JobCrash extends Error {}

/** An internal failure that every attempt would repeat. Clients see the message. */
export class JobFailure extends Error {
  constructor(
    message: string,
    readonly details?: ErrorDetails,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** What happens to a job after a failed attempt, and its new crash count. */
type AttemptOutcome = { crashes: number } & ({ failed: JobError } | { retryInMs: number });

/**
 * A failure that the request caused is final. Other failures are retried up to `maxAttempts`, and crashes up to
 * {@link MAX_CRASHES}.
 */
export function outcomeOf(
  error: unknown,
  { attempts, crashes }: { attempts: number; crashes: number },
  maxAttempts: number,
): AttemptOutcome {
  const retryInMs = (BACKOFF_SECONDS[attempts - 1] ?? BACKOFF_SECONDS[3]) * 1000;
  const retryOrFail =
    attempts < maxAttempts ? { retryInMs } : { failed: attemptsExhausted(attempts) };
  if (error instanceof JobCrash) {
    const counted = { crashes: crashes + 1 };
    if (counted.crashes >= MAX_CRASHES) return { ...counted, failed: quarantined(error.message) };
    return { ...counted, ...retryOrFail };
  }
  if (error instanceof JobFailure) {
    const { message, details } = error;
    return { crashes, failed: { code: 'INTERNAL_ERROR', message, details } };
  }
  const known = asUnavailable(error) ?? error;
  if (known instanceof AppError && known.kind !== 'unavailable' && known.kind !== 'internal') {
    const { kind, message, details } = known;
    return { crashes, failed: { code: ERROR_STATUS[kind].code, message, details } };
  }
  return { crashes, ...retryOrFail };
}

/** Returns the error of a job that is no longer retried because it crashes. `how` completes "The last time it …". */
export function quarantined(how: string): JobError {
  return {
    code: 'INTERNAL_ERROR',
    message: `This job crashed or hung ${String(MAX_CRASHES)} times and is in quarantine: it is not tried again. The last time it ${how}. Try again with a smaller request; if the problem persists, report the job ID.`,
    details: { quarantined: true, crashes: MAX_CRASHES },
  };
}

/** Returns the error of a job whose attempts are used up. */
function attemptsExhausted(attempts: number): JobError {
  const times = attempts === 1 ? '' : ` ${String(attempts)} times`;
  return {
    code: 'INTERNAL_ERROR',
    message: `Something went wrong on our side${times}. Try again; if the problem persists, report the job ID.`,
  };
}
