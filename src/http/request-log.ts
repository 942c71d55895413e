import type { Request, Response } from 'express';
import { logFieldsOf } from '../auth/principal.js';
import type { RequestHook } from './exchanges.js';
import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Leaves no line in the log, such as one of the many files of a page. */
    quiet?: boolean;
  }
}

/** One log line and one metrics sample for each request, when its answer is out or its client gone. */
export function observeRequests(log: Log, metrics: Metrics): RequestHook {
  return (request: Request, response: Response) => {
    const startedAt = performance.now();
    response.on('close', () => {
      const durationMs = performance.now() - startedAt;
      const route = routeOf(request);
      metrics.requestFinished(request.method, route, response.statusCode, durationMs / 1000);
      if (request.quiet) return;
      log.info(
        {
          requestId: request.requestId,
          ...(request.principal && logFieldsOf(request.principal)),
          method: request.method,
          route,
          status: response.statusCode,
          durationMs: Math.round(durationMs * 100) / 100,
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
    });
  };
}

/** The pattern of the route, never the path itself: ids would make every line its own metric. */
function routeOf(request: Request): string {
  const { path } = (request.route as { path?: unknown } | undefined) ?? {};
  return typeof path === 'string' && !path.includes('*') ? path : 'unknown';
}
