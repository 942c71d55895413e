import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import type { EndedRequest } from '../../../platform/http/request-log.middleware.js';
import { clientAddressOf } from '../../../platform/network/client-address.js';
import { userAgentOf } from '../../../platform/network/user-agent.js';
import { UsageTotals } from '../../usage/totals/usage-totals.js';
import { NO_KEY } from '../entities/request.entity.js';
import { loggedFailure } from './logged-request.js';
import { RequestLogWriter } from './request-log-writer.js';

/** The client disconnected before the response. nginx uses the same status. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Records each request with an API key in the request log and in the usage totals, and failed requests from the dashboard
 * in the request log: people look for the ids in its error messages.
 */
@Injectable()
export class RequestRecorder {
  constructor(
    private readonly writer: RequestLogWriter,
    private readonly totals: UsageTotals,
    private readonly config: Config,
  ) {}

  /** Buffers a finished request. */
  readonly record = ({ request, response, route, at, durationMs }: EndedRequest): void => {
    const { principal, method } = request;
    if (!principal || principal.kind === 'system') return;
    const { accountId } = principal;
    const status = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
    const pattern = patternOf(route);
    if (principal.kind === 'key') {
      this.totals.count({
        accountId,
        metric: 'requests',
        at,
        route: `${method} ${pattern}`,
        sourceId: principal.keyId,
        outcome: statusClass(status),
        // The client decides how long a stream lasts.
        durationMs: isStream(response) ? undefined : durationMs,
      });
    } else if (status < 400 || status === CLIENT_CLOSED_REQUEST) {
      // Pages cancel requests whose results they no longer need.
      return;
    }
    if (this.config.requestLogDays === 0) return;
    this.writer.add({
      id: request.requestId,
      accountId,
      keyId: principal.kind === 'key' ? principal.keyId : NO_KEY,
      userId: principal.user.id,
      method,
      route: pattern,
      // The dashboard sends its requests to /v1 below its own path, and `url` is the rewritten one.
      url: principal.kind === 'key' ? request.originalUrl : request.url,
      status,
      durationMs,
      clientAddress: clientAddressOf(request),
      userAgent: userAgentOf(request),
      tokenLabel: principal.kind === 'key' ? (principal.token?.label ?? null) : null,
      error: loggedFailure(request.failure),
      at,
    });
  };
}

function statusClass(status: number): string {
  return status === 429 ? '429' : `${String(Math.trunc(status / 100))}xx`;
}

function isStream(response: EndedRequest['response']): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}

const patterns = new Map<string, string>();

function patternOf(route: string): string {
  let pattern = patterns.get(route);
  if (pattern === undefined) {
    pattern = writtenPattern(route);
    patterns.set(route, pattern);
  }
  return pattern;
}

/** Converts `/v1/documents/:id` to `/v1/documents/{id}`, as in the API document. */
export function writtenPattern(route: string): string {
  return route.replace(/:(\w+)/g, '{$1}');
}
