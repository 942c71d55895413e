import type { Plan } from '../access/auth/plan.js';

/** What is limited, beside requests. */
export const QUOTAS = [
  'documents',
  'storageBytes',
  'webhooks',
  'keys',
  'members',
  'analysesPerDay',
  'modelTokensPerDay',
] as const;
export type Quota = (typeof QUOTAS)[number];

/** The most of each; `null` is unlimited. */
type QuotaLimits = Readonly<Record<Quota, number | null>>;

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/**
 * What an account may have, by its plan. Documents and their bytes count in the trash too, templates and old versions
 * not; keys are those in force. No plan has more webhooks and keys than Enterprise: more would slow everybody's
 * requests (docs/adr/0005-api-keys-and-permissions.md).
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
  },
  plus: {
    documents: 10_000,
    storageBytes: 2 * GIB,
    webhooks: 20,
    keys: 50,
    members: 10,
    analysesPerDay: 2_000,
    modelTokensPerDay: 1_000_000,
  },
  pro: {
    documents: 100_000,
    storageBytes: 20 * GIB,
    webhooks: 50,
    keys: 200,
    members: 50,
    analysesPerDay: 20_000,
    modelTokensPerDay: 10_000_000,
  },
  enterprise: {
    documents: null,
    storageBytes: null,
    webhooks: 100,
    keys: 1_000,
    members: null,
    analysesPerDay: null,
    modelTokensPerDay: null,
  },
};
