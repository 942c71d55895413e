import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import {
  ANY_SCOPE,
  REQUIRED_SCOPE,
  SUFFICIENT_ROLE,
  SUFFICIENT_SCOPE,
} from '../auth.decorators.js';
import type { Principal } from '../principal.js';
import { isAtLeast, type Role } from '../roles.js';
import { grants, type Scope } from '../scopes.js';

/** Requires the scope that the route declares. Runs after the rate limits, so a refused request counts too. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const required = this.reflector.getAllAndOverride<Scope | typeof ANY_SCOPE | undefined>(
      REQUIRED_SCOPE,
      [context.getHandler(), context.getClass()],
    );
    const { principal } = context.switchToHttp().getRequest<Request>();
    if (required === undefined || required === ANY_SCOPE) return true;
    if (principal && !this.hasAlternative(principal, context)) requireScope(principal, required);
    return true;
  }

  private hasAlternative(principal: Principal, context: ExecutionContext): boolean {
    const handler = context.getHandler();
    const scope = this.reflector.get<Scope | undefined>(SUFFICIENT_SCOPE, handler);
    const role = this.reflector.get<Role | undefined>(SUFFICIENT_ROLE, handler);
    return (
      (scope !== undefined && grants(principal.scopes, scope)) ||
      (role !== undefined && principal.kind === 'person' && isAtLeast(principal.role, role))
    );
  }
}

/** Throws `forbidden` for a principal that lacks the scope. */
export function requireScope(principal: Principal, required: Scope): void {
  const { scopes, kind } = principal;
  if (!grants(scopes, required)) throw scopeMissing(required, scopes, kind);
}

export function scopeMissing(
  required: Scope,
  granted: readonly Scope[],
  kind: Principal['kind'] = 'key',
): AppError {
  const message =
    kind === 'person'
      ? `Your role in this account lacks the scope ${required}. Ask an owner of the account for another role.`
      : `This API key, or the role of the user who created it, lacks the scope ${required}. Use or create a key that has it.`;
  return new AppError('forbidden', message, { requiredScopes: [required], grantedScopes: granted });
}
