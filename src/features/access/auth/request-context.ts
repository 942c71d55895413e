import type { Caller } from '../../../platform/database/concurrency/bounded-queue.js';
import type { Person } from './person.js';
import { systemPrincipal, type Principal, type SystemPrincipal } from './principal.js';

/** What caused a change: who, by which request, from where. Goes with every change into its event and the audit log. */
export interface RequestContext {
  principal: Principal;
  /** `null` for what no request asked for. */
  requestId: string | null;
  /** The client's IP address; `null` where a proxy names none. */
  clientAddress: string | null;
  userAgent: string | null;
  /** Who waits for the answer. */
  caller?: Caller | undefined;
}

/** That the system changes something which no request asked for; `user` is the one for whom it acts. */
export function systemContext(
  by: SystemPrincipal['by'],
  accountId: string,
  user: Person,
): RequestContext {
  const principal = systemPrincipal(by, accountId, user);
  return { principal, requestId: null, clientAddress: null, userAgent: null };
}
