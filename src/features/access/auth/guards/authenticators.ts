import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { ApiKeyAuthenticator } from '../api-keys/api-key-authenticator.js';
import type { Authenticator } from '../authenticator.js';
import type { Principal } from '../principal.js';
import { grants, type Scope } from '../scopes.js';

/** The chain of authenticators. Features register theirs when they start. */
@Injectable()
export class Authenticators {
  private readonly chain: Authenticator[];

  constructor(apiKeys: ApiKeyAuthenticator) {
    this.chain = [apiKeys];
  }

  /** Has this one asked before all others; API keys come last, because every Authorization header is theirs. */
  register(authenticator: Authenticator): void {
    this.chain.unshift(authenticator);
  }

  /** Who sends the request; `undefined` when it carries no credential. Throws what the first authenticator concerned throws. */
  async authenticate(request: Request): Promise<Principal | undefined> {
    for (const authenticator of this.chain) {
      const principal = await authenticator.authenticate(request);
      if (principal) return principal;
    }
    return undefined;
  }

  /**
   * Whether a request that was let in earlier would be let in now, to a route that needs `scope`: an answer that goes on
   * for hours must end with its key, or with what its key may. Rejects when that cannot be told.
   */
  async isStillValid(request: Request, scope: Scope): Promise<boolean> {
    try {
      const principal = await this.authenticate(request);
      return principal !== undefined && grants(principal.scopes, scope);
    } catch (error) {
      if (error instanceof AppError && REFUSALS.has(error.kind)) return false;
      throw error;
    }
  }
}

const REFUSALS: ReadonlySet<string> = new Set([
  'unauthorized',
  'forbidden',
  'not_found',
  'rate_limited',
]);
