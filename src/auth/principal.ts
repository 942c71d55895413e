import type { Plan, WindowLimits } from './plan.js';
import type { Scope } from './scopes.js';

/** Who a request acts for: the key it carried, the user who made that key, and their account. Ids are plain UUIDs. */
export interface Principal {
  keyId: string;
  accountId: string;
  user: { id: string; name: string; email: string };
  scopes: readonly Scope[];
  plan: Plan;
  /** The account's own numbers for Enterprise; `null` on every other plan. */
  customLimits: WindowLimits | null;
}
