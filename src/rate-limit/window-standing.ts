import { WINDOWS, type Window, type WindowLimits } from '../auth/plan.js';
import type { Take } from './rate-limit-storage.js';

/** Where an account stands in one limited window after a request. */
export interface WindowStanding {
  window: Window;
  limit: number;
  remaining: number;
  /** UTC epoch milliseconds. */
  resetAt: number;
}

/** The windows that limit the account, shortest first; unlimited ones are left out. */
export function standings(limits: WindowLimits, take: Take): WindowStanding[] {
  const limited: WindowStanding[] = [];
  for (const window of WINDOWS) {
    const limit = limits[window];
    if (limit === null) continue;
    const { used, resetAt } = take.windows[window];
    limited.push({ window, limit, remaining: Math.max(0, limit - used), resetAt });
  }
  return limited;
}

/**
 * The window that holds the client back: the fewest requests left, and among equals the one that resets last. Of a
 * refused request it is the full window that resets last, so who waits for its reset gets through.
 */
export function tightest(limited: readonly WindowStanding[]): WindowStanding | undefined {
  let found: WindowStanding | undefined;
  for (const standing of limited) {
    if (
      found === undefined ||
      standing.remaining < found.remaining ||
      (standing.remaining === found.remaining && standing.resetAt > found.resetAt)
    ) {
      found = standing;
    }
  }
  return found;
}

/** Whole seconds from `now` to `resetAt` (both UTC epoch milliseconds), rounded up, at least 1. */
export function secondsUntil(resetAt: number, now: number): number {
  return Math.max(1, Math.ceil((resetAt - now) / 1000));
}
