import { AppError } from '../errors/app-error.js';
import { secondsUntil, type WindowStanding } from './window-standing.js';

/**
 * The answer to a request over the limit.
 *
 * @param full the full window that resets last
 * @param now the storage's clock at the decision, UTC epoch milliseconds
 */
export function rateLimitRefusal(full: WindowStanding, now: number): AppError {
  const retryAfter = secondsUntil(full.resetAt, now);
  const message =
    full.limit <= 0
      ? `This account may make no requests: its limit per ${full.window} is 0. Ask the operator of the service to raise it.`
      : `The account's ${String(full.limit)} requests per ${full.window} are used up. Try again in ${inSeconds(retryAfter)}.`;
  return new AppError(
    'rate_limited',
    message,
    {
      window: full.window,
      limit: full.limit,
      resetAt: new Date(full.resetAt).toISOString(),
      retryAfter,
    },
    { retryAfterSeconds: retryAfter },
  );
}

function inSeconds(seconds: number): string {
  return seconds === 1 ? '1 second' : `${String(seconds)} seconds`;
}
