import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { ApiKeyAuthenticator } from '../api-keys/api-key-authenticator.js';
import type { Authenticator } from '../authenticator.js';
import type { Principal } from '../principal.js';
import { grants, type Scope } from '../scopes.js';

/** The chain of authenticators. Features register theirs at startup. */
@Injectable()
export class Authenticators {
  private readonly chain: Authenticator[];

  constructor(apiKeys: ApiKeyAuthenticator) {
    this.chain = [apiKeys];
  }

  /** Puts an authenticator first in the chain. API keys come last, because they handle every Authorization header. */
  register(authenticator: Authenticator): void {
    this.chain.unshift(authenticator);
  }

  /** Returns the caller, or `undefined` if the request has no credential. Throws the error of the first authenticator that throws. */
  async authenticate(request: Request): Promise<Principal | undefined> {
    for (const authenticator of this.chain) {
      const principal = await authenticator.authenticate(request);
      if (principal) return principal;
    }
    return undefined;
  }

  /**
   * Returns the caller of an already admitted request as they are now; undefined if a route that needs these scopes would
   * refuse them. A response that streams for hours must end when its key or one of the key's scopes does. Rejects if that
   * cannot be determined.
   */
  async authenticateAgain(
    request: Request,
    required: readonly Scope[],
  ): Promise<Principal | undefined> {
    try {
      const principal = await this.authenticate(request);
      return principal && required.every((scope) => grants(principal.scopes, scope))
        ? principal
        : undefined;
    } catch (error) {
      if (error instanceof AppError && REFUSALS.has(error.kind)) return undefined;
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
