import { secondsUntil, type WindowStanding } from './window-standing.js';
import { WINDOW_SECONDS } from './windows.js';

export type Header = [name: string, value: string];

/** What an account without any limit reads as its limit and its remaining requests: the largest 32-bit integer. */
export const UNLIMITED_SENTINEL = 2_147_483_647;

/**
 * The headers of a counted answer: the specification's three for the tightest window, and `RateLimit-Policy` and
 * `RateLimit` with every limited window (draft-ietf-httpapi-ratelimit-headers-11).
 *
 * @param now the storage's clock at the decision, UTC epoch milliseconds
 */
export function rateLimitHeaders(
  limited: readonly WindowStanding[],
  tightest: WindowStanding,
  now: number,
): Header[] {
  let policy = '';
  let state = '';
  for (const { window, limit, remaining, resetAt } of limited) {
    const separator = policy === '' ? '' : ', ';
    policy += `${separator}"${window}";q=${String(limit)};w=${String(WINDOW_SECONDS[window])}`;
    state += `${separator}"${window}";r=${String(remaining)};t=${String(secondsUntil(resetAt, now))}`;
  }
  return [
    ['X-RateLimit-Limit', String(tightest.limit)],
    ['X-RateLimit-Remaining', String(tightest.remaining)],
    ['X-RateLimit-Reset', String(Math.ceil(tightest.resetAt / 1000))],
    ['RateLimit-Policy', policy],
    ['RateLimit', state],
  ];
}

/** The specification's headers for an account that nothing limits; the IETF fields have no word for that. */
export function unlimitedHeaders(now: number): Header[] {
  return [
    ['X-RateLimit-Limit', String(UNLIMITED_SENTINEL)],
    ['X-RateLimit-Remaining', String(UNLIMITED_SENTINEL)],
    ['X-RateLimit-Reset', String(Math.ceil(now / 1000) + 60)],
  ];
}
