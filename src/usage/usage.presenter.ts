import type { Principal } from '../auth/principal.js';
import { limitsOf } from '../rate-limit/plan-limits.js';
import type { Take } from '../rate-limit/rate-limit-storage.js';
import type { UsageDto } from './dto/usage.dto.js';
import { quotaUsage, windowUsage, type Used } from './usage.js';

/** What the account of a key has and may; `take` is what the request itself took from the windows. */
export function presentUsage(
  { plan, customLimits }: Pick<Principal, 'plan' | 'customLimits'>,
  used: Used,
  take: Take | undefined,
): UsageDto {
  const quotas = quotaUsage(plan, used);
  return {
    plan,
    quotas: {
      ...quotas,
      documents: { ...quotas.documents, inTrash: used.trashedDocuments },
      storageBytes: { ...quotas.storageBytes, inTrash: used.trashedBytes },
    },
    rateLimits: windowUsage(limitsOf(plan, customLimits), take),
  };
}
