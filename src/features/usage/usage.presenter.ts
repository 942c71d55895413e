import { WINDOWS, type Plan, type Window, type WindowLimits } from '../auth/plan.js';
import type { Principal } from '../auth/principal.js';
import { limitsOf } from '../rate-limit/plan-limits.js';
import type { RateLimitUsage } from '../rate-limit/rate-limit-storage.js';
import type { UsageDto } from './dto/usage.dto.js';
import {
  PLAN_QUOTAS,
  QUOTAS,
  type Quota,
  type QuotaUsage,
  type WindowUsage,
} from './quotas/plan-quotas.js';
import type { Used } from './quotas/quotas.repository.js';

/** Presents an account's usage and limits. `windows` is missing if nothing is counted. */
export function presentUsage(
  { plan, customLimits }: Pick<Principal, 'plan' | 'customLimits'>,
  used: Used,
  windows: RateLimitUsage | undefined,
): UsageDto {
  const quotas = quotaUsage(plan, used);
  return {
    plan,
    quotas: {
      ...quotas,
      documents: { ...quotas.documents, inTrash: used.trashedDocuments },
      storageBytes: { ...quotas.storageBytes, inTrash: used.trashedBytes },
    },
    rateLimits: windowUsage(limitsOf(plan, customLimits), windows),
  };
}

function quotaUsage(plan: Plan, used: Used): Record<Quota, QuotaUsage> {
  return mapped(QUOTAS, (quota) => {
    const limit = PLAN_QUOTAS[plan][quota];
    return { limit, used: used[quota], remaining: remainingOf(limit, used[quota]) };
  });
}

/** Returns the account's use of each request window. */
function windowUsage(
  limits: WindowLimits,
  usage: RateLimitUsage | undefined,
): Record<Window, WindowUsage> {
  return mapped(WINDOWS, (window) => {
    const limit = limits[window];
    const state = usage?.windows[window];
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
