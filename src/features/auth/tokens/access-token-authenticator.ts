import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { clientAddressOf } from '../../../platform/network/client-address.js';
import { accountIsSuspended } from '../accounts/account.js';
import { hashApiKey } from '../api-keys/api-key.js';
import {
  bearerKeyIn,
  FailedKeyLimiter,
  reasonToRefuse,
} from '../api-keys/api-key-authenticator.js';
import { ApiKeysRepository } from '../api-keys/api-keys.repository.js';
import type { Authenticator } from '../authenticator.js';
import { Authenticators } from '../guards/authenticators.js';
import type { KeyPrincipal } from '../principal.js';
import { isWellFormedToken, tokenKindOf, type TokenKind } from './access-token.js';
import { AccessTokensRepository, type KnownToken } from './access-tokens.repository.js';

const REASONS = {
  refresh: 'A refresh token cannot be used for requests.',
  checksum: 'This is not a token of this service.',
  unknown: 'This token is unknown.',
  expired: 'This token has expired.',
  app: 'This account does not let you use connected apps.',
  revoked: 'The access that this token belongs to was ended.',
  creator: 'The user whom this token acts for no longer belongs to the account.',
  address: 'This token may not be used from your address.',
} as const;
type Reason = keyof typeof REASONS;

const ADVICE: Readonly<Record<TokenKind, string>> = {
  access: 'Refresh it, or connect the app again.',
  refresh: 'Exchange it for an access token at /oauth/token.',
  browser: 'Request a new one from the server that created it.',
};

/** Authenticates requests by the access token of a connected app, or by a browser token. */
@Injectable()
export class AccessTokenAuthenticator implements Authenticator, OnModuleInit {
  constructor(
    private readonly authenticators: Authenticators,
    private readonly tokens: AccessTokensRepository,
    private readonly keys: ApiKeysRepository,
    private readonly failures: FailedKeyLimiter,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.authenticators.register(this);
  }

  async authenticate(request: Request): Promise<KeyPrincipal | undefined> {
    const text = bearerKeyIn(request.headers.authorization ?? '') ?? '';
    const kind = tokenKindOf(text);
    if (kind === undefined) return undefined;
    const refuse = (reason: Reason) =>
      this.failures.take(clientAddressOf(request)) ?? tokenRefused(reason, kind);
    if (kind === 'refresh') throw refuse('refresh');
    // Check form and checksum first, so that a guess costs no lookup.
    if (!isWellFormedToken(text, kind)) throw refuse('checksum');
    const known = await this.tokens.find(hashApiKey(text));
    if (!known) throw refuse('unknown');
    const reason = this.reasonToRefuse(known, clientAddressOf(request));
    if (reason !== undefined) throw refuse(reason);
    if (known.key.isSuspended) throw accountIsSuspended();
    this.keys.recordUse(known.key);
    return known.key.principal;
  }

  private reasonToRefuse(known: KnownToken, clientAddress: string | null): Reason | undefined {
    const now = this.clock.now();
    const ofKey = reasonToRefuse(known.key, clientAddress, now);
    // A key bound to the addresses of servers can create tokens for browsers, which are anywhere.
    if (ofKey !== undefined && !(ofKey === 'address' && known.kind === 'browser')) return ofKey;
    if (known.expiresAt <= now) return 'expired';
    return known.kind === 'access' && !known.isAppAllowed ? 'app' : undefined;
  }
}

/** Returns the error for a token that does not work. */
function tokenRefused(reason: Reason, kind: TokenKind): AppError {
  return new AppError('unauthorized', `${REASONS[reason]} ${ADVICE[kind]}`);
}
