import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { keyMissing } from './authentication.guard.js';
import type { PersonPrincipal } from '../principal.js';
import { requireRole, type Role } from '../roles.js';

const REQUIRED_ROLE = Symbol('required role');

/** Requires the role that the route declares, or a higher one. Keys have no role. */
@Injectable()
class RoleGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const least = this.reflector.get<Role>(REQUIRED_ROLE, context.getHandler());
    requireRole(personOf(context.switchToHttp().getRequest<Request>()).role, least);
    return true;
  }
}

/** Restricts a route to people with at least this role in the account. */
export const RequireRole = (least: Role) =>
  applyDecorators(
    SetMetadata(REQUIRED_ROLE, least),
    UseGuards(RoleGuard),
    // The parameter is in the controller's path, so no method declares it.
    ApiParam({ name: 'accountId' }),
  );

/** Injects the member who makes the request. Only for routes with {@link RequireRole}. */
export const CurrentPerson = createParamDecorator(
  (_: unknown, context: ExecutionContext): PersonPrincipal =>
    personOf(context.switchToHttp().getRequest<Request>()),
);

function personOf({ principal }: Request): PersonPrincipal {
  if (principal?.kind !== 'person') throw keyMissing();
  return principal;
}
