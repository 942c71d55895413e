import { WINDOWS, type Plan, type Window, type WindowLimits } from '../auth/plan.js';
import type { Take } from '../rate-limit/rate-limit-storage.js';
import { PLAN_QUOTAS, QUOTAS, type Quota } from './plan-quotas.js';

/** What an account has, as it is counted; the trash is in both, and beside them once more. */
export type Used = Record<Quota, number> & { trashedDocuments: number; trashedBytes: number };

export interface QuotaUsage {
  /** `null` is unlimited. */
  limit: number | null;
  used: number;
  /** `null` where there is no limit; 0 also for an account that is over it. */
  remaining: number | null;
}

export interface WindowUsage {
  limit: number | null;
  /** Requests in the running window; `null` where nothing limits the account and nothing is counted. */
  used: number | null;
  remaining: number | null;
  /** ISO 8601 in UTC. */
  resetAt: string | null;
}

/** The account's use of each quota. */
export function quotaUsage(plan: Plan, used: Used): Record<Quota, QuotaUsage> {
  return mapped(QUOTAS, (quota) => {
    const limit = PLAN_QUOTAS[plan][quota];
    return { limit, used: used[quota], remaining: remainingOf(limit, used[quota]) };
  });
}

/** The account's use of each window of requests, after `take`, which is missing where no window is limited. */
export function windowUsage(
  limits: WindowLimits,
  take: Take | undefined,
): Record<Window, WindowUsage> {
  return mapped(WINDOWS, (window) => {
    const limit = limits[window];
    const state = take?.windows[window];
    if (!state) return { limit, used: null, remaining: null, resetAt: null };
    return {
      limit,
      used: state.used,
      remaining: remainingOf(limit, state.used),
      resetAt: new Date(state.resetAt).toISOString(),
    };
  });
}

function remainingOf(limit: number | null, used: number): number | null {
  return limit === null ? null : Math.max(0, limit - used);
}

function mapped<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}
