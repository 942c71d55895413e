import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AppError } from '../errors/app-error.js';
import { REQUIRED_SCOPE } from './authentication.js';
import { grants, type Scope } from './scopes.js';

/** Refuses a valid key that lacks the scope its route declares. Runs after the limits: a refused request counts too. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const required = this.reflector.getAllAndOverride<Scope | undefined>(REQUIRED_SCOPE, [
      context.getHandler(),
      context.getClass(),
    ]);
    const { principal } = context.switchToHttp().getRequest<Request>();
    if (required === undefined || !principal || grants(principal.scopes, required)) return true;
    throw scopeMissing(required, principal.scopes);
  }
}

/** The answer to a request whose key lacks the scope of its route. */
export function scopeMissing(required: Scope, granted: readonly Scope[]): AppError {
  return new AppError(
    'forbidden',
    `This API key lacks the scope ${required}. Use or make a key that has it.`,
    { requiredScopes: [required], grantedScopes: granted },
  );
}
