import type { NextFunction, Request, Response } from 'express';
import { AppError, invalidFields } from '../errors/app-error.js';

/**
 * RFC 9112, 3.2: a request of HTTP/1.1 without a Host header, or with two, is answered with 400. Two Authorization headers
 * likewise: Node keeps the first one without a word, and a proxy in front may have believed the other.
 */
export function refuseRepeatedHeaders(request: Request, _: Response, next: NextFunction): void {
  if (request.headers.host === undefined && request.httpVersion !== '1.0') {
    next(new AppError('bad_request', 'The request has no Host header, which HTTP/1.1 requires.'));
    return;
  }
  const repeated = ['Host', 'Authorization'].find((name) => isRepeated(request.rawHeaders, name));
  next(repeated === undefined ? undefined : sentTwice(repeated));
}

/** `raw` has names and values in turn, as they were sent. */
function isRepeated(raw: readonly string[], name: string): boolean {
  const wanted = name.toLowerCase();
  let found = 0;
  for (let index = 0; index < raw.length; index += 2) {
    const sent = raw[index];
    if (sent?.length === wanted.length && sent.toLowerCase() === wanted) found += 1;
  }
  return found > 1;
}

function sentTwice(field: string): AppError {
  return invalidFields([{ field, issue: 'was sent more than once; send this header once' }]);
}
