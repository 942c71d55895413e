import type { components } from './v1-schema.js';

/** `details` of an error, of `/v1` and of the dashboard's own routes. */
export type FailureDetails = components['schemas']['FailureDetails'] & {
  code?: string;
  /** With 403: the roles that may do this. */
  requiredRoles?: string[];
  /** With an invalid request of an app: the address that reports it to the app. */
  redirectUri?: string;
};

interface FailureOptions {
  details?: FailureDetails | undefined;
  retryAfter?: number | undefined;
  requestId?: string | undefined;
}

/** A request that failed or got no response. */
export class Failure extends Error {
  readonly details: FailureDetails;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined;
  /** Helps operators to find the request in the logs. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    /** HTTP status; 0 if there was no response. */
    readonly status: number,
    { details = {}, retryAfter, requestId }: FailureOptions = {},
  ) {
    super(message);
    this.name = 'Failure';
    this.details = details;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }

  /** True if the service is unavailable for a moment, because it restarts or lost its database. A retry helps. */
  get isUnavailable(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }

  /** True if the rules of the account refused to publish a version. */
  get isRefusedByRules(): boolean {
    return this.details.reason === 'checks';
  }

  /** Returns the service's message about a field. */
  problemOf(field: string): string | undefined {
    const { problems, field: only, issue } = this.details;
    const found = problems?.find((problem) => problem.field === field)?.issue;
    return found ?? (only === field ? issue : undefined);
  }

  /** Returns the service's message about a field or a part of it, such as one of its items. */
  problemBelow(field: string): string | undefined {
    const { problems, field: only = '', issue } = this.details;
    const named = problems ?? [{ field: only, issue: issue ?? '' }];
    const found = named.find(
      (problem) =>
        problem.field === field ||
        ['.', '['].some((mark) => problem.field.startsWith(field + mark)),
    );
    if (found === undefined) return undefined;
    return found.field === field ? found.issue : `${found.field} ${found.issue}`;
  }
}

/** Returns the failure in an envelope, or in the response of a proxy. */
export function failureOf(response: Response, body: unknown): Failure {
  const envelope = body as Partial<components['schemas']['Failure']> | undefined;
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const message =
    envelope?.error?.message ?? `The server returned status ${String(response.status)}.`;
  return new Failure(message, response.status, {
    details: envelope?.error?.details,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
  });
}

/** Returns the failure of a request without a response. */
export function noResponse(): Failure {
  return new Failure("Can't reach the server. Retrying automatically.", 0);
}

/** Returns the message to show for anything that was thrown. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Failure(`Something went wrong. Reload the page. (${message})`, 500);
}
