import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { clientAddressOf } from '../../../platform/network/client-address.js';
import { userAgentOf } from '../../../platform/network/user-agent.js';
import type { RequestContext } from './request-context.js';
import type { Principal } from './principal.js';
import type { Scope } from './scopes.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the authentication guard; missing on public routes. */
    principal?: Principal;
  }
}

const MAX_WAITING_FOR_ONE_ANSWER = 50;

export type Authentication = 'required' | 'optional' | 'none';

export const AUTHENTICATION = Symbol('authentication');
export const REQUIRED_SCOPE = Symbol('required scope');

/** The route needs no credential and counts against no limit. */
export const Public = () => SetMetadata(AUTHENTICATION, 'none' satisfies Authentication);

/** The route answers without a credential too; one that is sent must be valid, and its request counts. */
export const OptionalAuthentication = () =>
  SetMetadata(AUTHENTICATION, 'optional' satisfies Authentication);

/** The permission a principal needs for the route. Every route declares one, or that it is public; a test holds this. */
export const RequireScope = (scope: Scope) => SetMetadata(REQUIRED_SCOPE, scope);

/** In place of a scope: the route answers to every key and every person. */
export const ANY_SCOPE = 'any';

/** The route needs a credential, with whatever scopes. Only for what a principal may always know: who it is itself. */
export const AllowAnyScope = () => SetMetadata(REQUIRED_SCOPE, ANY_SCOPE);

/** Who the request acts for. Only for routes that need a credential. */
export const CurrentPrincipal = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal =>
    principalOf(context.switchToHttp().getRequest<Request>()),
);

/** What a change made by the request is caused by. Only for routes that need a credential. */
export const CurrentContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestContext => {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const caller = http.getResponse<Response>();
    // Each operation of a batch that has to wait listens whether the client goes.
    caller.setMaxListeners(MAX_WAITING_FOR_ONE_ANSWER);
    return {
      principal: principalOf(request),
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
