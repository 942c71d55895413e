import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import type { Access } from '../access/access.js';
import { AccessFactory } from '../access/access-factory.js';
import { REACH, type RouteReach } from '../access/reach.decorators.js';
import { isBrowserToken, type Principal } from '../principal.js';

/**
 * Sets `request.access`, and refuses callers on routes that are not for them: browser tokens, keys limited to some
 * collections, and who does not see everything. Runs after the scope is checked.
 */
@Injectable()
export class ReachGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly factory: AccessFactory,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { principal } = request;
    if (!principal) return true;
    const reach = this.reflector.getAllAndOverride<RouteReach | undefined>(REACH, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (isBrowserToken(principal) && reach?.browser !== true) throw notForBrowsers();
    if (reach?.level === 'account' && isLimitedKey(principal)) throw notForLimitedKeys();
    const grant = (access: Access): boolean => {
      if (reach?.level === 'everything' && !access.isWhole) throw notEverything();
      request.access = access;
      return true;
    };
    const access = this.factory.accessOf(principal);
    return access instanceof Promise ? access.then(grant) : grant(access);
  }
}

function isLimitedKey(principal: Principal): boolean {
  return principal.kind === 'key' && principal.collections !== null;
}

/** Returns the error for a browser token on a route that is not for browser tokens. */
function notForBrowsers(): AppError {
  return new AppError(
    'forbidden',
    'Browser tokens cannot use this route. Send this request from your server, with an API key.',
  );
}

/** Returns the error for a key with `collections` on a route about the account. */
export function notForLimitedKeys(): AppError {
  return new AppError(
    'forbidden',
    'This API key is limited to some collections, and this is about the whole account. Use a key without collections.',
  );
}

/** Returns the error for a caller who cannot see all documents. */
export function notEverything(): AppError {
  return new AppError(
    'forbidden',
    'This needs access to all collections of the account. Ask an owner or admin.',
  );
}
