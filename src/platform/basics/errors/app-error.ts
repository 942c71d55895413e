import { redactedStart } from '../redact-secrets.js';

/** The closed set of error codes of the specification; no other code ever leaves the service. */
export const ERROR_CODES = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * What went wrong, finer than the code: several kinds share INVALID_REQUEST and differ in the HTTP status,
 * which only the envelope knows (see `envelope/envelope.ts`).
 */
export type ErrorKind =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'unprocessable'
  | 'failed_dependency'
  | 'headers_too_large'
  | 'rate_limited'
  | 'internal'
  | 'unavailable';

export type ErrorDetails = Record<string, unknown>;

/** One problem of one field: `field` is a dotted path such as `metadata.tags[2]`. */
export interface FieldProblem {
  field: string;
  issue: string;
}

/** Every failure the service means to report. Knows codes and details, never HTTP. */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly kind: ErrorKind,
    message: string,
    readonly details?: ErrorDetails,
    options?: { cause?: unknown; retryAfterSeconds?: number },
  ) {
    // An expected outcome, told to the client: where in the code it was thrown helps nobody, and capturing that under a
    // flood of refusals slows everyone. What went wrong inside is the cause, which has its own stack.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }

  /** When the caller may try again, in whole seconds; only where waiting helps. */
  readonly retryAfterSeconds: number | undefined;
}

/** Problems told of one request, and characters of a field's path: an answer must not outgrow its request. */
const MAX_PROBLEMS = 100;
const MAX_FIELD_LENGTH = 200;

/** A request whose fields are wrong: all problems at once (at most 100), the first one repeated as `field` and `issue`. */
export function invalidFields(found: readonly [FieldProblem, ...FieldProblem[]]): AppError {
  const problems = found
    .slice(0, MAX_PROBLEMS)
    .map(({ field, issue }) => ({ field: shortened(field), issue }));
  const { field, issue } = problems[0] ?? found[0];
  const more = found.length > 1 ? ` (and ${String(found.length - 1)} more)` : '';
  return new AppError('bad_request', `${field}: ${issue}${more}`, { field, issue, problems });
}

function shortened(field: string): string {
  return field.length > MAX_FIELD_LENGTH ? `${redactedStart(field, MAX_FIELD_LENGTH)}…` : field;
}

/** The one answer for a resource that is not there, was deleted, or belongs to another account. */
export function notFound(resource: string): AppError {
  return new AppError(
    'not_found',
    `No such ${resource}. Check the id; it may have been deleted or belong to another account.`,
  );
}

/** A failure foreseen while starting or administering; the message tells the operator in one sentence what to do. */
export class OperatorError extends Error {}
