import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { clientAddressOf } from '../../../platform/network/client-address.js';
import { ClientLimiter } from '../../../platform/network/client-limiter.js';
import { isInside } from '../../../platform/network/ip-networks.js';
import { accountIsSuspended } from '../accounts/account.js';
import type { Authenticator } from '../authenticator.js';
import type { KeyPrincipal } from '../principal.js';
import { hashApiKey, isWellFormedApiKey } from './api-key.js';
import { ApiKeysRepository, type KnownKey } from './api-keys.repository.js';

const REASONS = {
  form: 'The Authorization header is not of the form: Bearer <API_KEY>.',
  checksum: 'This is not an API key of this service.',
  unknown: 'This API key is unknown.',
  revoked: 'This API key was revoked.',
  expired: 'This API key has expired.',
  address: 'This API key may not be used from your address.',
  creator: 'The user who created this API key no longer belongs to the account.',
} as const;
type Reason = keyof typeof REASONS;

const BEARER = /^Bearer +([^\s]+) *$/i;

/** Limits requests with wrong keys, or with none. Only failures count, so a valid key from the same address always passes. */
@Injectable()
export class FailedKeyLimiter extends ClientLimiter {
  constructor(clock: Clock) {
    const message =
      'Too many requests without a valid API key came from your address. Check the key and wait a moment.';
    super({ burst: 100, perSecond: 10, message }, clock);
  }
}

/** Authenticates requests by `Authorization: Bearer <API_KEY>`, and refuses any other value of that header. */
@Injectable()
export class ApiKeyAuthenticator implements Authenticator {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly failures: FailedKeyLimiter,
    private readonly clock: Clock,
  ) {}

  async authenticate(request: Request): Promise<KeyPrincipal | undefined> {
    const { authorization } = request.headers;
    if (authorization === undefined) return undefined;
    const key = bearerKeyIn(authorization);
    if (key === undefined) throw this.refuse('form', clientAddressOf(request));
    return this.principalOf(key, request);
  }

  /**
   * Returns the principal of a key that the request sent, in whatever place. Throws `unauthorized`, and `rate_limited`
   * after too many wrong keys.
   */
  async principalOf(key: string, request: Request): Promise<KeyPrincipal> {
    const clientAddress = clientAddressOf(request);
    // Check form and checksum first, so that a guess costs no lookup.
    if (!isWellFormedApiKey(key)) throw this.refuse('checksum', clientAddress);
    const known = await this.keys.find(hashApiKey(key));
    if (!known) throw this.refuse('unknown', clientAddress);
    const reason = reasonToRefuse(known, clientAddress, this.clock.now());
    if (reason !== undefined) throw this.refuse(reason, clientAddress);
    if (known.isSuspended) throw accountIsSuspended();
    this.keys.recordUse(known);
    return known.principal;
  }

  /**
   * Counts a request that needs a key and has none like one with a wrong key. Returns the error to respond with: `error`,
   * or `rate_limited` after too many of them.
   */
  withoutKey(error: AppError, request: Request): AppError {
    return this.failures.take(clientAddressOf(request)) ?? error;
  }

  private refuse(reason: Reason, clientAddress: string | null): AppError {
    return this.failures.take(clientAddress) ?? keyRefused(reason);
  }
}

/** Returns the key in an Authorization header, or `undefined` if the header has another form. */
export function bearerKeyIn(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}

export function keyRefused(reason: Reason): AppError {
  return new AppError('unauthorized', `${REASONS[reason]} Check it, or create a new one.`);
}

/** Returns why a key cannot be used, or `undefined`. */
export function reasonToRefuse(
  { principal: { expiresAt, allowedIps }, creatorIsMember, revokedAt }: KnownKey,
  clientAddress: string | null,
  now: Date,
): 'revoked' | 'creator' | 'expired' | 'address' | undefined {
  // Do not compare with a clock: a revocation takes effect immediately, even on replicas whose clock is behind.
  if (revokedAt) return 'revoked';
  if (!creatorIsMember) return 'creator';
  if (expiresAt && expiresAt <= now) return 'expired';
  if (allowedIps.length > 0 && !isInside(clientAddress ?? '', allowedIps)) return 'address';
  return undefined;
}
