import { WINDOWS, type Window, type WindowLimits } from '../auth/plan.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { WINDOW_SECONDS } from './plan-limits.js';
import type { RateLimitUsage } from './rate-limit-storage.js';

/** Whose requests a limit counts. */
export type LimitOwner = 'account' | 'key' | 'token' | 'person';

/** One limited window after a request. */
export interface WindowStatus {
  of: LimitOwner;
  window: Window;
  limit: number;
  remaining: number;
  /** UTC epoch milliseconds. */
  resetAt: number;
}

/** Returns the limited windows of a bucket, shortest first. */
export function windowStatuses(
  { of, limits }: { of: LimitOwner; limits: WindowLimits },
  usage: RateLimitUsage,
): WindowStatus[] {
  const limited: WindowStatus[] = [];
  for (const window of WINDOWS) {
    const limit = limits[window];
    if (limit === null) continue;
    const { used, resetAt } = usage.windows[window];
    limited.push({ of, window, limit, remaining: Math.max(0, limit - used), resetAt });
  }
  return limited;
}

/**
 * Returns the window that limits the client most: the one with the fewest remaining requests and, among equals, the latest
 * reset. For a refused request, that is the full window that resets last, so a client that waits for its reset is admitted.
 */
export function tightest(limited: readonly WindowStatus[]): WindowStatus | undefined {
  let found: WindowStatus | undefined;
  for (const status of limited) {
    if (
      found === undefined ||
      status.remaining < found.remaining ||
      (status.remaining === found.remaining && status.resetAt > found.resetAt)
    ) {
      found = status;
    }
  }
  return found;
}

/** Returns the seconds from `now` to `resetAt` (UTC epoch milliseconds), rounded up, at least 1. */
export function secondsUntil(resetAt: number, now: number): number {
  return Math.max(1, Math.ceil((resetAt - now) / 1000));
}

export type Header = [name: string, value: string];

/** The limit and remaining requests reported to unlimited accounts: the largest 32-bit integer. */
const UNLIMITED_SENTINEL = 2_147_483_647;

/**
 * Returns the headers of a counted response: the specification's three for the tightest window, and `RateLimit-Policy`
 * and `RateLimit` for every limited window (draft-ietf-httpapi-ratelimit-headers-11). Windows of keys and tokens have names
 * such as `key-minute`.
 *
 * @param now the storage's clock at the decision, UTC epoch milliseconds
 */
export function rateLimitHeaders(
  limited: readonly WindowStatus[],
  tightest: WindowStatus,
  now: number,
): Header[] {
  let policy = '';
  let state = '';
  for (const { of, window, limit, remaining, resetAt } of limited) {
    const separator = policy === '' ? '' : ', ';
    const name = of === 'key' || of === 'token' ? `${of}-${window}` : window;
    policy += `${separator}"${name}";q=${String(limit)};w=${String(WINDOW_SECONDS[window])}`;
    state += `${separator}"${name}";r=${String(remaining)};t=${String(secondsUntil(resetAt, now))}`;
  }
  return [
    ['X-RateLimit-Limit', String(tightest.limit)],
    ['X-RateLimit-Remaining', String(tightest.remaining)],
    ['X-RateLimit-Reset', String(Math.ceil(tightest.resetAt / 1000))],
    ['RateLimit-Policy', policy],
    ['RateLimit', state],
  ];
}

/** Returns the specification's headers for an unlimited account, which the IETF fields cannot express. */
export function unlimitedHeaders(now: number): Header[] {
  return [
    ['X-RateLimit-Limit', String(UNLIMITED_SENTINEL)],
    ['X-RateLimit-Remaining', String(UNLIMITED_SENTINEL)],
    ['X-RateLimit-Reset', String(Math.ceil(now / 1000) + 60)],
  ];
}

const OWNERS: Readonly<Record<LimitOwner, string>> = {
  account: "The account's",
  key: "This API key's",
  token: "This token's",
  person: 'Your',
};

/**
 * Returns the error for a request over the limit.
 *
 * @param full the full window that resets last
 * @param now the storage's clock at the decision, UTC epoch milliseconds
 */
export function rateLimitRefusal(
  full: WindowStatus,
  now: number,
  what: 'requests' | 'changes' = 'requests',
): AppError {
  const message =
    full.limit <= 0
      ? `This account cannot make requests: its limit per ${full.window} is 0. Ask the operator of the service to raise it.`
      : `${OWNERS[full.of]} ${String(full.limit)} ${what} per ${full.window} are used up. Try again in ${inSeconds(secondsUntil(full.resetAt, now))}.`;
  return refusal(message, full, now);
}

/** Returns the error for a request with more changes than the person has left. None are counted. */
export function changesRefusal(count: number, held: WindowStatus, now: number): AppError {
  const { window, limit, remaining, resetAt } = held;
  if (remaining === 0) return rateLimitRefusal(held, now, 'changes');
  const left = `This request makes ${String(count)} changes, and you have ${String(remaining)} of ${String(limit)} per ${window} left.`;
  const wait = count > limit ? '' : `, or try again in ${inSeconds(secondsUntil(resetAt, now))}`;
  return refusal(`${left} Send fewer operations at a time${wait}.`, held, now);
}

function refusal(message: string, full: WindowStatus, now: number): AppError {
  const { of, window, limit, resetAt } = full;
  const retryAfter = secondsUntil(resetAt, now);
  const details = { window, limit, resetAt: new Date(resetAt).toISOString(), retryAfter };
  return new AppError('rate_limited', message, of === 'person' ? details : { of, ...details }, {
    retryAfterSeconds: retryAfter,
  });
}

function inSeconds(seconds: number): string {
  return seconds === 1 ? '1 second' : `${String(seconds)} seconds`;
}
