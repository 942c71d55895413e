import { redactedStart } from '../redact-secrets.js';

/** The error codes of the specification; the service uses no others. */
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
 * The cause of an error, in more detail than the code. Several kinds share INVALID_REQUEST and differ in their HTTP
 * status, which only `envelope/envelope.ts` knows.
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

/** A problem with a field; `field` is a path such as `metadata.tags[2]`. */
export interface FieldProblem {
  field: string;
  issue: string;
}

interface AppErrorOptions {
  cause?: unknown;
  retryAfterSeconds?: number;
  /** Members of `details` that contain texts of a document. Only the response has them; logs do not. */
  confidentialDetails?: readonly string[];
}

/** An error that the service reports to clients. It has a kind and details, but knows nothing of HTTP. */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly kind: ErrorKind,
    message: string,
    readonly details?: ErrorDetails,
    options?: AppErrorOptions,
  ) {
    // Skip the stack trace. This is an expected outcome, and capturing stacks during a flood of refusals slows all
    // requests. An internal failure is the cause and has its own stack.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.retryAfterSeconds = options?.retryAfterSeconds;
    this.confidentialDetails = options?.confidentialDetails ?? [];
  }

  /** Seconds after which a retry makes sense; undefined if waiting does not help. */
  readonly retryAfterSeconds: number | undefined;

  readonly confidentialDetails: readonly string[];
}

/** Maximum number of problems, and of characters in the path of a field, so that a response never outgrows its request. */
const MAX_PROBLEMS = 100;
const MAX_FIELD_LENGTH = 200;

/**
 * Creates the error for a request with invalid fields. It lists all problems, at most 100, and repeats the first as
 * `field` and `issue`.
 */
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

/** Creates the error for a resource that does not exist, was deleted, or belongs to another account. */
export function notFound(resource: string): AppError {
  return new AppError(
    'not_found',
    `No such ${resource}. Check the id; it may have been deleted or belong to another account.`,
  );
}

/** An expected failure of a start or a command. The message tells the operator what to do. */
export class OperatorError extends Error {}
