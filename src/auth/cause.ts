import type { TransactionContext } from '../database/database.js';
import type { Principal } from './principal.js';

/** What caused a change: who, by which request, from where. Goes with every change into its event and the audit log. */
export interface Cause extends TransactionContext {
  principal: Principal;
  requestId: string;
  /** The client's IP address; `null` where a proxy names none. */
  clientAddress: string | null;
  userAgent: string | null;
}
