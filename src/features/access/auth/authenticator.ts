import type { Request } from 'express';
import type { Principal } from './principal.js';

/** One way to tell who sends a request. How to add one: docs/guides/add-an-authenticator.md. */
export interface Authenticator {
  /**
   * Who sends the request; `undefined` when it carries no credential of this kind. Throws `unauthorized` for one that is
   * not valid, or `rate_limited` for one of too many. Called for every request: answer quickly what is not yours.
   */
  authenticate(request: Request): Promise<Principal | undefined>;
}
