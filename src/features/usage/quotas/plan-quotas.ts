import type { Plan } from '../../auth/plan.js';

/** Limits of a plan, other than rate limits. */
export const QUOTAS = [
  'documents',
  'storageBytes',
  'webhooks',
  'keys',
  'members',
  'analysesPerDay',
  'modelTokensPerDay',
  'checkCharactersPerDay',
] as const;
export type Quota = (typeof QUOTAS)[number];

/** `null` is unlimited. */
type QuotaLimits = Readonly<Record<Quota, number | null>>;

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/**
 * QuotasService by plan. Documents in the trash and imported versions count; templates, versions by changes and inactive keys do not. Even Enterprise limits
 * webhooks and keys, because more would slow every request (docs/adr/0005-api-keys-and-permissions.md).
 */
export const PLAN_QUOTAS: Readonly<Record<Plan, QuotaLimits>> = {
  free: {
    documents: 1_000,
    storageBytes: 100 * MIB,
    webhooks: 5,
    keys: 10,
    members: 3,
    analysesPerDay: 200,
    modelTokensPerDay: 100_000,
    checkCharactersPerDay: 200_000,
  },
  plus: {
    documents: 10_000,
    storageBytes: 2 * GIB,
    webhooks: 20,
    keys: 50,
    members: 10,
    analysesPerDay: 2_000,
    modelTokensPerDay: 1_000_000,
    checkCharactersPerDay: 1_000_000,
  },
  pro: {
    documents: 100_000,
    storageBytes: 20 * GIB,
    webhooks: 50,
    keys: 200,
    members: 50,
    analysesPerDay: 20_000,
    modelTokensPerDay: 10_000_000,
    checkCharactersPerDay: 5_000_000,
  },
  enterprise: {
    documents: null,
    storageBytes: null,
    webhooks: 100,
    keys: 1_000,
    members: null,
    analysesPerDay: null,
    modelTokensPerDay: null,
    checkCharactersPerDay: null,
  },
};

/** An account's use of one quota. */
export interface QuotaUsage {
  /** `null` is unlimited. */
  limit: number | null;
  used: number;
  /** `null` if there is no limit. 0 for an account that has reached or exceeds it. */
  remaining: number | null;
}

/** An account's use of one rate-limit window. */
export interface WindowUsage {
  limit: number | null;
  /** Requests in the current window. `null` if the account has no limits, so nothing is counted. */
  used: number | null;
  remaining: number | null;
  /** ISO 8601 in UTC. */
  resetAt: string | null;
}
