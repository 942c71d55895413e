import type { Plan, WindowLimits } from './plan.js';
import type { Reach } from './reach.js';

/** Who a request acts for: the key it carried, the user who made that key, and their account. Ids are plain UUIDs. */
export interface Principal extends Reach {
  keyId: string;
  accountId: string;
  user: { id: string; name: string; email: string };
  plan: Plan;
  /** The account's own numbers for Enterprise; `null` on every other plan. */
  customLimits: WindowLimits | null;
}
