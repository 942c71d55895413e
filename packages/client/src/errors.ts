import type { components } from './schema.js';

/** All values of `error.code` in responses. */
export type ErrorCode =
  | 'INVALID_REQUEST'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'RATE_LIMIT_EXCEEDED'
  | 'INTERNAL_ERROR';

/** Details of an error, such as the invalid field, the missing scopes or the current version. */
export type ErrorDetails = components['schemas']['FailureDetails'];

/** The names of an error's classes, in the global registry: the ESM and CommonJS builds share it. */
const BRANDS: unique symbol = Symbol.for('@document-service/client.errors');

/** Base class of all errors of this client, except the reason of an aborted signal. */
export class DocumentServiceError extends Error {
  override readonly name: string = 'DocumentServiceError';
  /** @internal Identifies the class in other copies of this package. A literal, because bundlers shorten class names. */
  static readonly brand: string = 'DocumentServiceError';

  /** Also true for errors of another copy of this package, such as the one that `require` loads. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // Classes that extend this one elsewhere have no brand of their own.
    if (!Object.hasOwn(this, 'brand')) {
      return Function.prototype[Symbol.hasInstance].call(this, value);
    }
    const brands = (value as { [BRANDS]?: unknown } | null | undefined)?.[BRANDS];
    return Array.isArray(brands) && brands.includes(this.brand);
  }

  /** @internal */
  get [BRANDS](): string[] {
    const brands: string[] = [];
    let type = this.constructor as typeof DocumentServiceError;
    // Ends at `Error`.
    while (type.brand) {
      brands.push(type.brand);
      type = Object.getPrototypeOf(type) as typeof DocumentServiceError;
    }
    return brands;
  }
}

/** The attempts at a request. */
export interface Attempts {
  /** Number of requests sent. */
  attempts: number;
  /** True if an attempt got no response from the service and may have succeeded. */
  uncertain: boolean;
}

/** The connection failed or was interrupted, so there is no response. */
export class ConnectionError extends DocumentServiceError implements Attempts {
  override readonly name: string = 'ConnectionError';
  /** @internal */
  static override readonly brand: string = 'ConnectionError';
  readonly code: 'CONNECTION_ERROR' | 'TIMEOUT' = 'CONNECTION_ERROR';
  readonly attempts: number;
  readonly uncertain = true;

  constructor(message: string, attempts = 1, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.attempts = attempts;
  }
}

/** The response was not complete within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
  /** @internal */
  static override readonly brand: string = 'TimeoutError';
  override readonly code = 'TIMEOUT';
}

export interface Failure extends Attempts {
  code: ErrorCode;
  message: string;
  status: number;
  details: ErrorDetails;
  requestId: string | undefined;
  /** The page that explains this error, if the service knows its own URL. */
  docUrl?: string | undefined;
  /** Seconds from the header `Retry-After`. */
  retryAfter: number | undefined;
  headers: Headers;
}

/** The service, or a proxy in front of it, responded with a failure. */
export class ApiError extends DocumentServiceError implements Failure {
  override readonly name: string = 'ApiError';
  /** @internal */
  static override readonly brand: string = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;
  readonly requestId: string | undefined;
  readonly docUrl: string | undefined;
  readonly retryAfter: number | undefined;
  readonly headers: Headers;
  readonly attempts: number;
  readonly uncertain: boolean;

  constructor(failure: Failure) {
    super(failure.message);
    this.code = failure.code;
    this.status = failure.status;
    this.details = failure.details;
    this.requestId = failure.requestId;
    this.docUrl = failure.docUrl;
    this.retryAfter = failure.retryAfter;
    this.headers = failure.headers;
    this.attempts = failure.attempts;
    this.uncertain = failure.uncertain;
  }
}

/** The request is invalid. `details.field` and `details.issue` say where and why. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = 'InvalidRequestError';
  /** @internal */
  static override readonly brand: string = 'InvalidRequestError';
}

/**
 * Events after this cursor or event id are no longer stored, so continuing would leave a gap. Continue from {@link
 * oldestCursor}, and read again everything that those events may have changed.
 */
export class ExpiredCursorError extends InvalidRequestError {
  override readonly name = 'ExpiredCursorError';
  /** @internal */
  static override readonly brand: string = 'ExpiredCursorError';

  /** Cursor before the oldest stored event. */
  get oldestCursor(): string {
    return this.details.oldestCursor ?? 'start';
  }
}

/** 409 or 412: the change conflicts with the stored state, such as a newer version of the document. */
export class ConflictError extends InvalidRequestError {
  override readonly name = 'ConflictError';
  /** @internal */
  static override readonly brand: string = 'ConflictError';
}

/** The API key is missing, invalid, expired or revoked. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError';
  /** @internal */
  static override readonly brand: string = 'UnauthorizedError';
}

/** The API key lacks a scope. `details.requiredScopes` lists the required ones. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
  /** @internal */
  static override readonly brand: string = 'ForbiddenError';
}

export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
  /** @internal */
  static override readonly brand: string = 'NotFoundError';
}

/** Too many requests. Wait for `retryAfter` seconds. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  /** @internal */
  static override readonly brand: string = 'RateLimitError';
}

/** The service failed, or its proxy cannot connect to it. */
export class InternalError extends ApiError {
  override readonly name = 'InternalError';
  /** @internal */
  static override readonly brand: string = 'InternalError';
}

/** A job failed or was cancelled. `job.error` has the reason. */
export class JobFailedError extends DocumentServiceError {
  override readonly name = 'JobFailedError';
  /** @internal */
  static override readonly brand: string = 'JobFailedError';
  readonly job: components['schemas']['Job'];

  constructor(job: components['schemas']['Job']) {
    const reason =
      job.status === 'failed' ? `failed: ${job.error?.message ?? ''}` : 'was cancelled.';
    super(`The job ${job.id} ${reason}`);
    this.job = job;
  }
}

/** The signature or timestamp of a delivery is invalid. */
export class WebhookVerificationError extends DocumentServiceError {
  override readonly name = 'WebhookVerificationError';
  /** @internal */
  static override readonly brand: string = 'WebhookVerificationError';
}

/** Creates an error from a failure response, which may be an HTML page of a proxy. */
export async function apiErrorOf(response: Response, tries: Attempts): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.text();
  const { error, meta }: FailureBody = parsed(text) ?? {};
  const code = isCode(error?.code) ? error.code : codeOf(status);
  const details = error?.details ?? {};
  return new (classOf(status, code, details))({
    ...tries,
    code,
    status,
    headers,
    message: error?.message ?? messageOf(response, text),
    details,
    docUrl: error?.docUrl,
    requestId: meta?.requestId ?? headers.get('X-Request-Id') ?? undefined,
    retryAfter: retryAfterOf(headers),
  });
}

interface FailureBody {
  error?: { code?: unknown; message?: string; details?: ErrorDetails; docUrl?: string } | null;
  meta?: { requestId?: string } | null;
}

function parsed(text: string): FailureBody | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(CLASSES, code);
}

const CLASSES = {
  INVALID_REQUEST: InvalidRequestError,
  UNAUTHORIZED: UnauthorizedError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  RATE_LIMIT_EXCEEDED: RateLimitError,
  INTERNAL_ERROR: InternalError,
};

function classOf(status: number, code: ErrorCode, details: ErrorDetails) {
  if (status === 409 || status === 412) return ConflictError;
  return details.oldestCursor === undefined ? CLASSES[code] : ExpiredCursorError;
}

function codeOf(status: number): ErrorCode {
  if (status === 401) return 'UNAUTHORIZED';
  if (status === 403) return 'FORBIDDEN';
  if (status === 404) return 'NOT_FOUND';
  if (status === 429) return 'RATE_LIMIT_EXCEEDED';
  return status < 500 ? 'INVALID_REQUEST' : 'INTERNAL_ERROR';
}

/** Describes a response that is not from the service. */
function messageOf({ status, statusText }: Response, text: string): string {
  const excerpt = text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
  const head = `HTTP ${String(status)} ${statusText}`.trim();
  return excerpt ? `${head}: ${excerpt}` : head;
}

/** Returns seconds. The header contains seconds or a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('Retry-After')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  // A date starts with its day. `Date.parse` also accepts `-1`.
  const at = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
