import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AppError } from '../errors/app-error.js';
import { AUTHENTICATION, type Authentication } from './authentication.js';
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
    const principal = await this.authenticators.authenticate(request);
    if (principal) request.principal = principal;
    else if (mode === 'required') throw keyMissing();
    return true;
  }
}

/** The answer to a request without a credential, where one is needed. */
export function keyMissing(): AppError {
  return new AppError(
    'unauthorized',
    'Send an API key in the header Authorization: Bearer <API_KEY>.',
  );
}
