import type { OwnCause } from '../audit/audit-entry.js';
import type { Cause } from '../auth/cause.js';
import type { Plan } from '../auth/plan.js';
import { UNLIMITED, type Reach } from '../auth/reach.js';

/** On whose authority keys are changed, and how far it reaches. Ids are UUIDs. */
export interface Authority {
  /** Whose keys they are. */
  accountId: string;
  /** `createdBy` of a new key, and of whatever is created with it. */
  userId: string;
  /** UUID of the key that asks; `null` for the operator. */
  keyId: string | null;
  /** Whatever is made or changed reaches no further. */
  reach: Reach;
  /** The plan that says how many keys there may be. */
  plan: Plan;
  cause: Cause | OwnCause;
}

/** A request grants what its own key has, within the plan of its account. */
export function ofRequest(cause: Cause): Authority {
  const { accountId, user, keyId, plan } = cause.principal;
  return { accountId, userId: user.id, keyId, reach: cause.principal, plan, cause };
}

/** The operator stands above every key and every plan, and acts for a user of the account. */
export function ofOperator(accountId: string, userId: string): Authority {
  const cause: OwnCause = { accountId, by: 'operator' };
  return { accountId, userId, keyId: null, reach: UNLIMITED, plan: 'enterprise', cause };
}
