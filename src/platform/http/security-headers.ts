import helmet from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { AppError } from '../basics/errors/app-error.js';
import { redactedStart } from '../basics/redact-secrets.js';
import type { Log } from '../operation/log.js';

/** The API's answers are data: nothing in them may run, be framed or be guessed to be something else. */
const decide = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // Any site may read an answer it has a key for, where CORS_ORIGINS lets it.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  crossOriginOpenerPolicy: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  dnsPrefetchControl: false,
  originAgentCluster: false,
  xXssProtection: false,
});

/** Helmet's decision is the same for every answer, so it is asked once, at boot. */
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
