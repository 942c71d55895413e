import type { Request } from 'express';
import type { Principal } from './principal.js';

/** One way to authenticate requests. How to add one: docs/contribute/add-an-authenticator.md. */
export interface Authenticator {
  /**
   * Returns the caller, or `undefined` if the request has no credential of this kind. Throws `unauthorized` for an invalid
   * credential and `rate_limited` after too many of them. Runs for every request, so return quickly if it does not apply.
   */
  authenticate(request: Request): Promise<Principal | undefined>;
}
