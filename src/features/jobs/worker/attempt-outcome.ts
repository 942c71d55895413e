import { ERROR_STATUS } from '../../../platform/http/envelope/envelope.js';
import { AppError, type ErrorDetails } from '../../../platform/basics/errors/app-error.js';
import { asUnavailable } from '../../../platform/basics/errors/database-error.js';
import type { JobError } from '../job-state.js';

/** Seconds to wait before each further attempt; the last one holds for all that follow. */
const WAITS = [1, 10, 60, 300] as const;

/** After so many a job is in quarantine. */
export const MAX_CRASHES = 3;

/** The work did not fail: it ended its thread, or had to be ended. Continues "The last time it …". */
export class JobCrash extends Error {}

/** It failed on our side, and another attempt would fail alike. The message is told as it stands. */
export class JobFailure extends Error {
  constructor(
    message: string,
    readonly details?: ErrorDetails,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** What becomes of a job whose attempt has failed, and how often it has crashed now. */
type AttemptOutcome = { crashes: number } & ({ failed: JobError } | { retryInMs: number });

/**
 * A failure of what was asked for is final; what another attempt may overcome is tried again, up to `tries` times; what
 * crashes, up to three times.
 */
export function outcomeOf(
  error: unknown,
  { attempts, crashes }: { attempts: number; crashes: number },
  tries: number,
): AttemptOutcome {
  const retryInMs = (WAITS[attempts - 1] ?? WAITS[3]) * 1000;
  if (error instanceof JobCrash) {
    const now = { crashes: crashes + 1 };
    if (now.crashes >= MAX_CRASHES) return { ...now, failed: quarantined(error.message) };
    return attempts < tries ? { ...now, retryInMs } : { ...now, failed: gaveUp(attempts) };
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
  return attempts < tries ? { crashes, retryInMs } : { crashes, failed: gaveUp(attempts) };
}

/** What is told of a job that is not tried again because it crashes. `how` continues "The last time it …". */
export function quarantined(how: string): JobError {
  return {
    code: 'INTERNAL_ERROR',
    message: `This job crashed or hung ${String(MAX_CRASHES)} times and is in quarantine: it is not tried again. The last time it ${how}. Ask for less at once; if it stays, tell us the id of the job.`,
    details: { quarantined: true, crashes: MAX_CRASHES },
  };
}

/** What is told of a job that went wrong on our side again and again. */
function gaveUp(attempts: number): JobError {
  const times = attempts === 1 ? '' : ` ${String(attempts)} times`;
  return {
    code: 'INTERNAL_ERROR',
    message: `Something went wrong on our side${times}. Ask for it again; if it stays, tell us the id of the job.`,
  };
}
