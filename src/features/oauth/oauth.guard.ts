import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../platform/basics/clock/clock.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { Config } from '../../platform/config/config.js';
import { oauthIssuer } from '../../platform/http/oauth-issuer.js';
import { clientAddressOf } from '../../platform/network/client-address.js';
import { ClientLimiter } from '../../platform/network/client-limiter.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** The issuer, on routes with {@link OAuthGuard}. */
    oauthIssuer?: string;
  }
}

/** Limits requests to the OAuth routes, which need no credential. High enough for the apps of a whole office. */
@Injectable()
export class OAuthLimiter extends ClientLimiter {
  constructor(clock: Clock) {
    const message = 'Too many requests came from your network. Wait a moment and try again.';
    super({ burst: 300, perSecond: 10, message }, clock);
  }
}

/** Refuses requests while apps cannot connect, and too many of them from one network. */
@Injectable()
export class OAuthGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly limiter: OAuthLimiter,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const issuer = oauthIssuer(request, this.config);
    if (issuer === undefined) throw oauthIsOff();
    const refused = this.limiter.take(clientAddressOf(request));
    if (refused) throw refused;
    request.oauthIssuer = issuer;
    return true;
  }
}

function oauthIsOff(): AppError {
  return new AppError(
    'not_found',
    'Apps cannot connect to this service with OAuth. Use an API key, or ask the operator to set PUBLIC_URL to an HTTPS address and OAUTH to on.',
  );
}

/** Returns the issuer. Only for routes with {@link OAuthGuard}. */
export function issuerOf({ oauthIssuer }: Request): string {
  if (oauthIssuer === undefined) throw new Error('issuerOf needs a route with the OAuthGuard.');
  return oauthIssuer;
}
