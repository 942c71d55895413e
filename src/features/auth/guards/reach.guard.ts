import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Access } from '../access/access.js';

/** Sets `request.access`. Runs after the scope is checked. */
@Injectable()
export class ReachGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.principal) request.access = Access.ofPrincipal(request.principal);
    return true;
  }
}
