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

export const REQUIRED_ROLE = Symbol('required role');

/** Lets in who has the role that the route declares, or one above it. Keys have no role. */
@Injectable()
export class RoleGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const least = this.reflector.get<Role>(REQUIRED_ROLE, context.getHandler());
    requireRole(personOf(context.switchToHttp().getRequest<Request>()).role, least);
    return true;
  }
}

/** The least role a member of the account needs for the route, which is for people only. */
export const RequireRole = (least: Role) =>
  applyDecorators(
    SetMetadata(REQUIRED_ROLE, least),
    UseGuards(RoleGuard),
    // The path of the controller has it; the methods do not ask for it.
    ApiParam({ name: 'accountId' }),
  );

/** The member of the account who asks. Only for routes with {@link RequireRole}. */
export const CurrentPerson = createParamDecorator(
  (_: unknown, context: ExecutionContext): PersonPrincipal =>
    personOf(context.switchToHttp().getRequest<Request>()),
);

function personOf({ principal }: Request): PersonPrincipal {
  if (principal?.kind !== 'person') throw keyMissing();
  return principal;
}
