import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import type { EndedRequest } from '../../platform/http/request-log.js';
import { clientAddressOf } from '../../platform/network/client-address.js';
import { userAgentOf } from '../../platform/network/user-agent.js';
import { UsageTotals } from '../usage/totals/usage-totals.js';
import { keptFailure } from './logged-request.js';
import { RequestLogWriter } from './request-log-writer.js';

/** As nginx has it: the client went before there was an answer. */
const CLIENT_CLOSED_REQUEST = 499;

/** What is kept of each request with an API key: a line of the log, and its place in the totals. */
@Injectable()
export class RequestRecorder {
  constructor(
    private readonly writer: RequestLogWriter,
    private readonly totals: UsageTotals,
    private readonly config: Config,
  ) {}

  /** Remembers an ended request; nothing is waited for. What people do in the dashboard is not the account's traffic. */
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
      // A stream lasts as long as somebody listens.
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

/** What requests are counted by: 429 apart from the rest of 4xx. */
export const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '429', '5xx'] as const;

function statusClass(status: number): string {
  return status === 429 ? '429' : `${String(Math.trunc(status / 100))}xx`;
}

function isStream(response: EndedRequest['response']): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}

/** The pattern as the API document writes it: `/v1/documents/{id}`. */
const patterns = new Map<string, string>();

function patternOf(route: string): string {
  let pattern = patterns.get(route);
  if (pattern === undefined) {
    pattern = writtenPattern(route);
    patterns.set(route, pattern);
  }
  return pattern;
}

/** `:id` as `{id}`. */
export function writtenPattern(route: string): string {
  return route.replace(/:(\w+)/g, '{$1}');
}
