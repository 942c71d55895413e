import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { looksLikeApiKey } from '../api-keys/api-key.js';
import { AUTHENTICATION, type Authentication } from '../authentication.js';
import { Authenticators } from './authenticators.js';

/** Asks the authenticators who sends a request, and writes that on it. The first of the guards. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticators: Authenticators,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const mode =
      this.reflector.getAllAndOverride<Authentication | undefined>(AUTHENTICATION, [
        context.getHandler(),
        context.getClass(),
      ]) ?? 'required';
    if (mode === 'none') return true;
    const request = context.switchToHttp().getRequest<Request>();
    refuseKeyInUrl(request);
    const principal = await this.authenticators.authenticate(request);
    if (principal) request.principal = principal;
    else if (mode === 'required') throw keyMissing();
    return true;
  }
}

/** Names by which other services take a key in the URL, and names that may be anything unless a key of ours is the value. */
const KEY_NAMES = new Set(['apikey', 'xapikey', 'accesstoken']);
const GENERIC_NAMES = new Set(['key', 'token', 'auth', 'authorization', 'bearer', 'secret']);

/**
 * Throws `unauthorized` for a key in the query, also beside a good header: it has been written into logs and histories by
 * then, and nobody would notice while the request succeeds.
 */
function refuseKeyInUrl(request: Request): void {
  if (!request.url.includes('?')) return;
  const name = Object.entries(request.query).find(([name, value]) => {
    const letters = name.toLowerCase().replace(/[^a-z]/g, '');
    const looksLikeOurs = [value]
      .flat()
      .some((one) => typeof one === 'string' && looksLikeApiKey(one));
    return KEY_NAMES.has(letters) || (GENERIC_NAMES.has(letters) && looksLikeOurs);
  })?.[0];
  if (name === undefined) return;
  throw new AppError(
    'unauthorized',
    'The API key is in the URL, so it is now in logs and histories: revoke it and make a new one. Send that in the header Authorization: Bearer <API_KEY>.',
    { field: name, issue: 'is no way to send a key; revoke the key that was sent here' },
  );
}

/** The answer to a request without a credential, where one is needed. */
export function keyMissing(): AppError {
  return new AppError(
    'unauthorized',
    'Send an API key in the header Authorization: Bearer <API_KEY>.',
  );
}
