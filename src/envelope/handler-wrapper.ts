import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { ApiResponse } from './api-response.js';

/** What may stand around the handler of a request that asks for it; the product decides (see `src/idempotency/`). */
export abstract class HandlerWrapper {
  abstract isWanted(request: Request): boolean;

  /** Answers by `handle`, or in its place. */
  abstract run(context: ExecutionContext, handle: () => Promise<ApiResponse>): Promise<ApiResponse>;
}
