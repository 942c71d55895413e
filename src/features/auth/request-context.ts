import type { Caller } from '../../platform/basics/concurrency/fair-limiter.js';
import { Access } from './access/access.js';
import type { Person } from './person.js';
import { systemPrincipal, type Principal, type SystemPrincipal } from './principal.js';

/** The principal, request and client of a change. Stored with its event and its audit entry. */
export interface RequestContext {
  principal: Principal;
  /** The documents that the change can read. */
  access: Access;
  /** `null` for a change that no request caused. */
  requestId: string | null;
  /** The client's IP address; `null` if a proxy does not forward it. */
  clientAddress: string | null;
  userAgent: string | null;
  /** The caller that waits for the response, used for fair queueing and cancellation. */
  caller?: Caller | undefined;
}

/** Returns the context for a change made by the system, on behalf of `user`. */
export function systemContext(
  by: SystemPrincipal['by'],
  accountId: string,
  user: Person,
): RequestContext {
  const principal = systemPrincipal(by, accountId, user);
  const access = Access.ofService(accountId);
  return { principal, access, requestId: null, clientAddress: null, userAgent: null };
}
