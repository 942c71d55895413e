import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import type { EndedRequest } from '../../../platform/http/request-log.js';
import { clientAddressOf } from '../../../platform/network/client-address.js';
import { userAgentOf } from '../../../platform/network/user-agent.js';
import { UsageTotals } from '../../usage/totals/usage-totals.js';
import { keptFailure } from './logged-request.js';
import { RequestLogWriter } from './request-log-writer.js';

/** The client disconnected before the response. nginx uses the same status. */
const CLIENT_CLOSED_REQUEST = 499;

/** Records each request with an API key in the request log and in the usage totals. */
@Injectable()
export class RequestRecorder {
  constructor(
    private readonly writer: RequestLogWriter,
    private readonly totals: UsageTotals,
    private readonly config: Config,
  ) {}

  /** Buffers a finished request. Requests from the dashboard are not recorded. */
  readonly record = ({ request, response, route, at, durationMs }: EndedRequest): void => {
    const { principal, method } = request;
    if (principal?.kind !== 'key') return;
    const { accountId, keyId } = principal;
    const status = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
    const pattern = patternOf(route);
    this.totals.count({
      accountId,
      metric: 'requests',
      at,
      route: `${method} ${pattern}`,
      sourceId: keyId,
      outcome: statusClass(status),
      // The client decides how long a stream lasts.
      durationMs: isStream(response) ? undefined : durationMs,
    });
    if (this.config.requestLogDays === 0) return;
    this.writer.add({
      id: request.requestId,
      accountId,
      keyId,
      userId: principal.user.id,
      method,
      route: pattern,
      url: request.originalUrl,
      status,
      durationMs,
      clientAddress: clientAddressOf(request),
      userAgent: userAgentOf(request),
      error: keptFailure(request.failure),
      at,
    });
  };
}

/** Outcomes that requests are counted by. `4xx` excludes 429. */
export const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '429', '5xx'] as const;

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
