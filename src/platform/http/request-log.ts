import type { Request, Response } from 'express';
import type { Clock } from '../basics/clock/clock.js';
import { newId } from '../basics/identifiers/identifiers.js';
import type { Log } from '../operation/log.js';
import type { Metrics } from '../operation/metrics.js';
import type { RequestHook } from './server/exchanges.js';

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

declare module 'express-serve-static-core' {
  interface Request {
    /** Leaves no line in the log, such as one of the many files of a page. */
    quiet?: boolean;
  }
}

/** A request whose answer is out, or whose client has gone. */
export interface EndedRequest {
  request: Request;
  response: Response;
  /** The pattern of its route. */
  route: string;
  /** When it came. */
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

/** Load balancers and Prometheus ask every few seconds. Only their failures are worth a line. */
const PROBES = new Set(['/health/live', '/health/ready', '/metrics']);

function isProbe(route: string, status: number): boolean {
  return PROBES.has(route) && status < 400;
}

/** The pattern of the route, never the path itself: ids would make every line its own metric. */
export function routeOf(request: Request): string {
  const { path } = (request.route as { path?: unknown } | undefined) ?? {};
  return typeof path === 'string' && !path.includes('*') ? path : 'unknown';
}
