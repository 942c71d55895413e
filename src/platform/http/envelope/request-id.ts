import type { Request, Response } from 'express';
import { newId } from '../../basics/identifiers/identifiers.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** `req_…`, fresh for every request. */
    requestId: string;
  }
}

/** Gives every request its id before anything can fail, and every answer the header that repeats it. */
export function assignRequestId(request: Request, response: Response): void {
  request.requestId = newId('request');
  response.setHeader('X-Request-Id', request.requestId);
}
