import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { clientAddressOf } from '../../../../platform/network/client-address.js';
import { isInside } from '../../../../platform/network/ip-networks.js';
import { hashApiKey, isWellFormedApiKey } from './api-key.js';
import { accountIsSuspended } from '../accounts/account.js';
import { ApiKeyRepository, type KnownKey } from './api-key.repository.js';
import type { Authenticator } from '../authenticator.js';
import { FailedKeyLimiter } from '../failed-key-limiter.js';
import type { KeyPrincipal } from '../principal.js';

/** Why a credential is refused. */
const REASONS = {
  form: 'The Authorization header is not of the form: Bearer <API_KEY>.',
  checksum: 'This is not an API key of this service.',
  unknown: 'This API key is unknown.',
  revoked: 'This API key was revoked.',
  expired: 'This API key has expired.',
  address: 'This API key may not be used from your address.',
  creator: 'The user who made this API key no longer belongs to the account.',
} as const;
type Reason = keyof typeof REASONS;

const BEARER = /^Bearer +([^\s]+) *$/i;

/** Lets requests in by `Authorization: Bearer <API_KEY>`. Whatever else that header holds is refused. */
@Injectable()
export class ApiKeyAuthenticator implements Authenticator {
  constructor(
    private readonly directory: ApiKeyRepository,
    private readonly failures: FailedKeyLimiter,
    private readonly clock: Clock,
  ) {}

  async authenticate(request: Request): Promise<KeyPrincipal | undefined> {
    const { authorization } = request.headers;
    if (authorization === undefined) return undefined;
    const clientAddress = clientAddressOf(request);
    const key = BEARER.exec(authorization)?.[1];
    if (key === undefined) throw this.refuse('form', clientAddress);
    // Form and checksum first: a guess costs no look-up.
    if (!isWellFormedApiKey(key)) throw this.refuse('checksum', clientAddress);
    const known = await this.directory.find(hashApiKey(key));
    if (!known) throw this.refuse('unknown', clientAddress);
    const reason = reasonAgainst(known, clientAddress, this.clock.now());
    if (reason !== undefined) throw this.refuse(reason, clientAddress);
    if (known.isSuspended) throw accountIsSuspended();
    this.directory.recordUse(known);
    return known.principal;
  }

  private refuse(reason: Reason, clientAddress: string | null): AppError {
    return this.failures.take(clientAddress) ?? keyRefused(reason);
  }
}

/** The answer to a request with a credential that is no key in force. */
export function keyRefused(reason: Reason): AppError {
  return new AppError('unauthorized', `${REASONS[reason]} Check it, or make a new one.`);
}

function reasonAgainst(
  { principal: { expiresAt, allowedIps }, creatorIsMember, revokedAt }: KnownKey,
  clientAddress: string | null,
  now: Date,
): Reason | undefined {
  // Whatever the clocks of the replicas say: a revocation holds at once.
  if (revokedAt) return 'revoked';
  if (!creatorIsMember) return 'creator';
  if (expiresAt && expiresAt <= now) return 'expired';
  if (allowedIps.length > 0 && !isInside(clientAddress ?? '', allowedIps)) return 'address';
  return undefined;
}
