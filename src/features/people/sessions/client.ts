import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { clientAddressOf } from '../../../platform/network/client-address.js';
import { userAgentOf } from '../../../platform/network/user-agent.js';
import type { RequestContext } from '../../auth/request-context.js';

/** The sender of a request whose user is not known yet. */
export type Client = Pick<RequestContext, 'requestId' | 'clientAddress' | 'userAgent'>;

export function clientOf(request: Request): Client {
  return {
    requestId: request.requestId,
    clientAddress: clientAddressOf(request),
    userAgent: userAgentOf(request),
  };
}

export const CurrentClient = createParamDecorator((_: unknown, context: ExecutionContext): Client =>
  clientOf(context.switchToHttp().getRequest<Request>()),
);
