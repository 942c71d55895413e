import {
  applyDecorators,
  createParamDecorator,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { clientAddressOf } from '../../platform/network/client-address.js';
import { userAgentOf } from '../../platform/network/user-agent.js';
import { accessOf } from './access/reach.decorators.js';
import type { RequestContext } from './request-context.js';
import type { Principal } from './principal.js';
import type { Role } from './roles.js';
import type { Scope } from './scopes.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the authentication guard; missing on public routes. */
    principal?: Principal;
  }
}

const MAX_CLOSE_LISTENERS = 50;

export type Authentication = 'required' | 'optional' | 'none';

export const AUTHENTICATION = Symbol('authentication');
export const REQUIRED_SCOPE = Symbol('required scope');

/** Marks a route that needs no credential and counts against no limit. */
export const Public = () => SetMetadata(AUTHENTICATION, 'none' satisfies Authentication);

/** Marks a route that also works without a credential. A credential that is sent must be valid, and the request counts. */
export const OptionalAuthentication = () =>
  SetMetadata(AUTHENTICATION, 'optional' satisfies Authentication);

/** Declares the scope that a route needs. A test requires one on every route that is not public. */
export const RequireScope = (scope: Scope) => SetMetadata(REQUIRED_SCOPE, scope);

export const SUFFICIENT_SCOPE = Symbol('sufficient scope');

/** Declares a scope that suffices instead of the required one. The service decides which of the two it needs. */
export const OrScope = (scope: Scope) => SetMetadata(SUFFICIENT_SCOPE, scope);

export const SUFFICIENT_ROLE = Symbol('sufficient role');

/** Declares the least role with which signed-in people need no scope. */
export const OrRole = (least: Role) => SetMetadata(SUFFICIENT_ROLE, least);

/** Replaces a scope on routes that accept every key and every person. */
export const ANY_SCOPE = 'any';

/** Marks a route that accepts any credential, regardless of its scopes. Only for telling principals who they are. */
export const AllowAnyScope = () => SetMetadata(REQUIRED_SCOPE, ANY_SCOPE);

export const FOR_PEOPLE = Symbol('for people');

/** Marks a route of `/v1` that only signed-in people can use, so that clients and samples leave it out. Also guard it. */
export const ForPeople = () =>
  applyDecorators(SetMetadata(FOR_PEOPLE, true), SetMetadata(REQUIRED_SCOPE, ANY_SCOPE));

/** Injects the principal. Only for routes that need a credential. */
export const CurrentPrincipal = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal =>
    principalOf(context.switchToHttp().getRequest<Request>()),
);

/** Injects the context recorded with changes of this request. Only for routes that need a credential. */
export const CurrentContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestContext => {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const caller = http.getResponse<Response>();
    // Each queued operation of a batch listens for the client to disconnect.
    caller.setMaxListeners(MAX_CLOSE_LISTENERS);
    return {
      principal: principalOf(request),
      access: accessOf(request),
      requestId: request.requestId,
      clientAddress: clientAddressOf(request),
      userAgent: userAgentOf(request),
      caller,
    };
  },
);

function principalOf({ principal }: Request): Principal {
  if (!principal) throw new Error('A public route asked for the principal.');
  return principal;
}
