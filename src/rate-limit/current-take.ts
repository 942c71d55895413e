import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Take } from './rate-limit-storage.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** What the limits' guard took for the request; missing where nothing limits its account. */
    rateLimitTake?: Take;
  }
}

/** The windows of the account after this request was taken from them; `undefined` where nothing limits the account. */
export const CurrentTake = createParamDecorator(
  (_: unknown, context: ExecutionContext): Take | undefined =>
    context.switchToHttp().getRequest<Request>().rateLimitTake,
);
