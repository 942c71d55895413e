import type { components } from './v1-schema.js';

/** `details` of a failure, of `/v1` and of the dashboard's own routes. */
export type FailureDetails = components['schemas']['FailureDetails'] & {
  code?: string;
  /** With 403 of what only people do: the roles that may. */
  requiredRoles?: string[];
};

interface FailureOptions {
  details?: FailureDetails | undefined;
  retryAfter?: number | undefined;
  requestId?: string | undefined;
}

/** A request that was answered with a failure, or not at all. */
export class Failure extends Error {
  readonly details: FailureDetails;
  /** Seconds to wait, as the service says. */
  readonly retryAfter: number | undefined;
  /** For whoever reads the logs of the service. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    /** HTTP status; 0 when no answer came. */
    readonly status: number,
    { details = {}, retryAfter, requestId }: FailureOptions = {},
  ) {
    super(message);
    this.name = 'Failure';
    this.details = details;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }

  /** The service is away for a moment: it restarts, or has lost its database. Asking again helps. */
  get isAway(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }

  /** What is wrong with a field, in the words of the service. */
  problemOf(field: string): string | undefined {
    const { problems, field: only, issue } = this.details;
    const found = problems?.find((problem) => problem.field === field)?.issue;
    return found ?? (only === field ? issue : undefined);
  }

  /** What is wrong with a field or with something in it, such as one of its items. */
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

/** The failure that an answer tells in the envelope, or that something between here and the service answered. */
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

/** The failure of a request that got no answer. */
export function noAnswer(): Failure {
  return new Failure("Can't reach the server. Retrying automatically.", 0);
}

/** What to show for whatever was thrown. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Failure(`Something went wrong. Reload the page. (${message})`, 500);
}
