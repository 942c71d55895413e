import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { Access } from '../access/access.js';
import { REACH, type RouteReach } from '../access/reach.decorators.js';
import { isBrowserToken } from '../principal.js';

/** Sets `request.access`, and refuses browser tokens on routes that are not for them. Runs after the scope is checked. */
@Injectable()
export class ReachGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { principal } = request;
    if (!principal) return true;
    const reach = this.reflector.getAllAndOverride<RouteReach | undefined>(REACH, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (isBrowserToken(principal) && reach?.browser !== true) throw notForBrowsers();
    request.access = Access.ofPrincipal(principal);
    return true;
  }
}

/** Returns the error for a browser token on a route that is not for browser tokens. */
function notForBrowsers(): AppError {
  return new AppError(
    'forbidden',
    'Browser tokens cannot use this route. Send this request from your server, with an API key.',
  );
}
