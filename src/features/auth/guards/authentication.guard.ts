import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { looksLikeApiKey } from '../api-keys/api-key.js';
import { AUTHENTICATION, type Authentication } from '../auth.decorators.js';
import { Authenticators } from './authenticators.js';

/** Authenticates a request and sets `request.principal`. Runs before the other guards. */
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

/**
 * Query parameters that other services use for keys, and ambiguous names that count only if the value looks like one of
 * our keys.
 */
const KEY_NAMES = new Set(['apikey', 'xapikey', 'accesstoken']);
const GENERIC_NAMES = new Set(['key', 'token', 'auth', 'authorization', 'bearer', 'secret']);

/**
 * Throws `unauthorized` for a key in the query, even next to a valid header: the key has already been logged, and a
 * successful request would hide the leak.
 */
function refuseKeyInUrl(request: Request): void {
  if (!request.url.includes('?')) return;
  const name = Object.entries(request.query).find(([name, value]) => {
    const letters = name.toLowerCase().replace(/[^a-z]/g, '');
    const isOurKey = [value].flat().some((one) => typeof one === 'string' && looksLikeApiKey(one));
    return KEY_NAMES.has(letters) || (GENERIC_NAMES.has(letters) && isOurKey);
  })?.[0];
  if (name === undefined) return;
  throw new AppError(
    'unauthorized',
    'The API key is in the URL, so it has leaked into logs and browser histories. Revoke it, create a new one, and send it in the header Authorization: Bearer <API_KEY>.',
    { field: name, issue: 'must not contain a key; revoke the key that was sent here' },
  );
}

export function keyMissing(): AppError {
  return new AppError(
    'unauthorized',
    'Send an API key in the header Authorization: Bearer <API_KEY>.',
  );
}
