import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Access } from './access.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by `ReachGuard`; missing on routes without a credential. */
    access?: Access;
  }
}

/**
 * What a route reads or changes:
 * - `viewer`, `editor`, `manager`: the document that the request names, with this right
 * - `visible`: a list of what the caller can see
 * - `account`: settings of the account
 * - `everything`: all documents of the account
 * - `none`: neither documents nor settings
 */
export type ReachLevel =
  'viewer' | 'editor' | 'manager' | 'visible' | 'account' | 'everything' | 'none';

export interface RouteReach {
  level: ReachLevel;
  /** True if browser tokens can use the route. */
  browser: boolean;
}

export const REACH = Symbol('reach');

/**
 * Declares what a route reads or changes. The API document cannot be built for a route without it. Browser tokens get 403
 * from routes that do not declare `browser`.
 */
export const Reach = (level: ReachLevel, { browser = false } = {}) =>
  SetMetadata(REACH, { level, browser } satisfies RouteReach);

/** Injects the access of the caller. Only for routes that need a credential. */
export const CurrentAccess = createParamDecorator((_: unknown, context: ExecutionContext): Access =>
  accessOf(context.switchToHttp().getRequest<Request>()),
);

export function accessOf({ access }: Request): Access {
  if (!access) throw new Error('A public route asked for the access.');
  return access;
}
