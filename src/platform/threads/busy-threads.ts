import { AppError } from '../basics/errors/app-error.js';
import { ThreadPoolError } from './thread-pool.js';

const BUSY: readonly ThreadPoolError['failure'][] = ['timed out', 'overloaded', 'closed'];

/** Returns an `unavailable` error with the message if the pool was too busy for the task; otherwise the error unchanged. */
export function unavailableIfBusy(error: unknown, message: string): unknown {
  if (!(error instanceof ThreadPoolError) || !BUSY.includes(error.failure)) return error;
  return new AppError('unavailable', message, undefined, { retryAfterSeconds: 5 });
}
