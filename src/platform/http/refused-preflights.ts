import type { NextFunction, Request, Response } from 'express';
import { AppError } from '../basics/errors/app-error.js';
import type { Log } from '../operation/log/log.js';
import { redactedStart } from '../basics/redact-secrets.js';

const MAX_ORIGIN = 200;

/**
 * Refuses the preflight of a browser where no origin is let in. A page only learns that it failed, so the log says once
 * what the operator may do about it.
 */
export function refusePreflights(log: Log) {
  let told = false;
  return (request: Request, _: Response, next: NextFunction): void => {
    const { origin } = request.headers;
    const asksFor = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || origin === undefined || asksFor === undefined) {
      next();
      return;
    }
    if (!told) {
      told = true;
      log.warn(
        { origin: redactedStart(origin, MAX_ORIGIN) },
        'A page of another origin asked for the API in a browser and was refused. To let it in, set CORS_ORIGINS to its origin. This is said once.',
      );
    }
    next(
      new AppError(
        'forbidden',
        'No other origin may use this service from a browser. Its operator can let one in by CORS_ORIGINS; a server needs no permission.',
        { field: 'Origin', issue: 'is not among CORS_ORIGINS, which is empty' },
      ),
    );
  };
}
