import { ERROR_STATUS } from '../../envelope/error-status.js';
import { AppError } from '../../errors/app-error.js';
import { asUnavailable } from '../../errors/database-error.js';
import type { JobError } from '../job.js';

/** Seconds to wait before each further attempt. */
const WAITS = [1, 10, 60, 300];

/** Most attempts of a job. */
export const MAX_ATTEMPTS = WAITS.length + 1;

/** What becomes of a job whose attempt has failed. */
export type AttemptOutcome = { failed: JobError } | { retryInMs: number };

/** A failure of the order is final; what another attempt may overcome is tried again, until there were enough. */
export function outcomeOf(error: unknown, attempts: number): AttemptOutcome {
  const told = asUnavailable(error) ?? error;
  if (told instanceof AppError && told.kind !== 'unavailable' && told.kind !== 'internal') {
    const { kind, message, details } = told;
    return { failed: { code: ERROR_STATUS[kind].code, message, details } };
  }
  const wait = WAITS[attempts - 1];
  return wait === undefined ? { failed: GIVEN_UP } : { retryInMs: wait * 1000 };
}

/** What is told of a job that went wrong on our side again and again. */
export const GIVEN_UP: JobError = {
  code: 'INTERNAL_ERROR',
  message: `Something went wrong on our side ${String(MAX_ATTEMPTS)} times. Ask for it again; if it stays, tell us the id of the job.`,
};
