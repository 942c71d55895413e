import type { Request, Response } from 'express';
import type { Clock } from '../basics/clock/clock.js';
import { newId } from '../basics/identifiers/identifiers.js';
import type { Log } from '../operation/log.js';
import type { Metrics } from '../operation/metrics.js';
import type { RequestHook } from './server/exchanges.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Unique ID, `req_…`. */
    requestId: string;
  }
}

/** Sets the ID of a request before anything can fail, and the response header that repeats it. */
export function assignRequestId(request: Request, response: Response): void {
  request.requestId = newId('request');
  response.setHeader('X-Request-Id', request.requestId);
}

declare module 'express-serve-static-core' {
  interface Request {
    /** True for requests that are not logged, such as the many files of a page. */
    quiet?: boolean;
  }
}

/** A request whose response has been sent, or whose client has disconnected. */
export interface EndedRequest {
  request: Request;
  response: Response;
  /** Route pattern, or `unknown`. */
  route: string;
  /** Time of arrival. */
  at: Date;
  durationMs: number;
}

/**
 * Writes one log line and one metrics sample for each request once it has ended. `callerOf` returns the log fields that
 * name the caller; `record` stores the request.
 */
export function observeRequests(
  log: Log,
  metrics: Metrics,
  clock: Clock,
  callerOf: (request: Request) => Record<string, string> | undefined,
  record: (ended: EndedRequest) => void,
): RequestHook {
  return (request: Request, response: Response) => {
    const startedAt = performance.now();
    const at = clock.now();
    response.on('close', () => {
      const durationMs = performance.now() - startedAt;
      const route = routeOf(request);
      metrics.requestFinished(request.method, route, response.statusCode, durationMs / 1000);
      if (request.quiet || isProbe(route, response.statusCode)) return;
      log.info(
        {
          requestId: request.requestId,
          ...(request.traceId !== undefined && { traceId: request.traceId }),
          ...callerOf(request),
          method: request.method,
          route,
          status: response.statusCode,
          durationMs: Math.round(durationMs * 100) / 100,
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
      record({ request, response, route, at, durationMs });
    });
  };
}

/** Routes that load balancers and Prometheus request every few seconds. Only their failures are logged. */
const PROBES = new Set(['/health/live', '/health/ready', '/metrics']);

function isProbe(route: string, status: number): boolean {
  return PROBES.has(route) && status < 400;
}

/** Returns the route pattern, never the path: IDs in it would create one metric per resource. */
export function routeOf(request: Request): string {
  const { path } = (request.route as { path?: unknown } | undefined) ?? {};
  return typeof path === 'string' && !path.includes('*') ? path : 'unknown';
}
