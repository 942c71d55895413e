import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { AppError } from '../errors/app-error.js';
import { isInside } from '../network/ip-networks.js';
import { hashApiKey, isWellFormedApiKey } from './api-key.js';
import { ApiKeyDirectory, type KnownKey } from './api-key-directory.js';
import { FailedKeyLimiter } from './failed-key-limiter.js';
import { KeyUsage } from './key-usage.js';
import type { Principal } from './principal.js';

const BEARER = /^Bearer +([^\s]+) *$/i;

/** Decides whether a bearer credential is a key in force. */
@Injectable()
export class BearerAuthenticator {
  constructor(
    private readonly directory: ApiKeyDirectory,
    private readonly failures: FailedKeyLimiter,
    private readonly usage: KeyUsage,
    private readonly clock: Clock,
  ) {}

  /** Who the credential acts for. Throws `unauthorized`, or `rate_limited` when the address has tried too many wrong keys. */
  async authenticate(authorization: string, clientAddress: string): Promise<Principal> {
    const key = BEARER.exec(authorization)?.[1];
    if (key === undefined)
      throw this.refuse(
        'The Authorization header is not of the form: Bearer <API_KEY>.',
        clientAddress,
      );
    // Form and checksum first: a guess costs no look-up.
    if (!isWellFormedApiKey(key))
      throw this.refuse('This is not an API key of this service.', clientAddress);
    const known = await this.directory.find(hashApiKey(key));
    const problem = known
      ? problemOf(known, clientAddress, this.clock.now())
      : 'This API key is unknown.';
    if (problem !== undefined || !known) throw this.refuse(problem ?? '', clientAddress);
    this.usage.record(known);
    return known.principal;
  }

  private refuse(reason: string, clientAddress: string): AppError {
    return (
      this.failures.recordFailure(clientAddress) ??
      new AppError('unauthorized', `${reason} Check it, or make a new one.`)
    );
  }
}

function problemOf(key: KnownKey, clientAddress: string, now: Date): string | undefined {
  // Whatever the clocks of the replicas say: a revocation holds at once.
  if (key.revokedAt) return 'This API key was revoked.';
  if (key.expiresAt && key.expiresAt <= now) return 'This API key has expired.';
  if (key.allowedIps.length > 0 && !isInside(clientAddress, key.allowedIps)) {
    return 'This API key may not be used from your address.';
  }
  return undefined;
}
