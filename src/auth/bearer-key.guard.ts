import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AppError } from '../errors/app-error.js';
import { clientAddressOf } from '../network/client-address.js';
import { AUTHENTICATION, type Authentication } from './authentication.js';
import { BearerAuthenticator } from './bearer-authenticator.js';

/** Lets a request in by its `Authorization: Bearer <key>` and says on it who it acts for. The first of the guards. */
@Injectable()
export class BearerKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: BearerAuthenticator,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const mode =
      this.reflector.getAllAndOverride<Authentication | undefined>(AUTHENTICATION, [
        context.getHandler(),
        context.getClass(),
      ]) ?? 'required';
    if (mode === 'none') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const { authorization } = request.headers;
    if (authorization === undefined) {
      if (mode === 'optional') return true;
      throw keyMissing();
    }
    request.principal = await this.authenticator.authenticate(
      authorization,
      clientAddressOf(request),
    );
    return true;
  }
}

/** The answer to a request without a key, where one is needed. */
export function keyMissing(): AppError {
  return new AppError(
    'unauthorized',
    'Send an API key in the header Authorization: Bearer <API_KEY>.',
  );
}
