import helmet from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { AppError } from '../basics/errors/app-error.js';
import { redactedStart } from '../basics/redact-secrets.js';
import type { Log } from '../operation/log.js';

/** Headers of API responses. Responses are data: they must not run, be framed, or be sniffed as another type. */
const decide = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // A site can read a response if it has a key and CORS_ORIGINS allows it.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  crossOriginOpenerPolicy: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  dnsPrefetchControl: false,
  originAgentCluster: false,
  xXssProtection: false,
});

/** Recorded once at startup, because Helmet's headers are the same in every response. */
const HEADERS = recordHeaders();

export function setSecurityHeaders(_: unknown, response: ServerResponse): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
}

function recordHeaders(): [string, string][] {
  const recorded: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => recorded.push([name, value]),
    removeHeader: () => undefined,
  };
  decide({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return recorded;
}

const MAX_ORIGIN = 200;

/**
 * Refuses CORS preflights while no origin is allowed. Web pages learn only that the request failed, so the log tells the
 * operator once what to do.
 */
export function refusePreflights(log: Log) {
  let isLogged = false;
  return (request: Request, _: Response, next: NextFunction): void => {
    const { origin } = request.headers;
    const requestedMethod = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || origin === undefined || requestedMethod === undefined) {
      next();
      return;
    }
    if (!isLogged) {
      isLogged = true;
      log.warn(
        { origin: redactedStart(origin, MAX_ORIGIN) },
        'A web page of another origin called the API from a browser and was refused. To allow it, add its origin to CORS_ORIGINS. This is logged once.',
      );
    }
    next(
      new AppError(
        'forbidden',
        'Browsers cannot call this service from other origins. The operator can allow origins with CORS_ORIGINS; servers need no permission.',
        { field: 'Origin', issue: 'is not among CORS_ORIGINS, which is empty' },
      ),
    );
  };
}
