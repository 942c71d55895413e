import type { NextFunction, Request, Response } from 'express';
import { AppError } from '../errors/app-error.js';

/** RFC 9112, 3.2: a request of HTTP/1.1 without a Host header is answered with 400. */
export function requireHost(request: Request, _: Response, next: NextFunction): void {
  if (request.headers.host !== undefined || request.httpVersion === '1.0') next();
  else
    next(new AppError('bad_request', 'The request has no Host header, which HTTP/1.1 requires.'));
}
