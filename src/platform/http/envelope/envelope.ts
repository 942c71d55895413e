import type {
  AppError,
  ErrorCode,
  ErrorKind,
  FieldProblem,
} from '../../basics/errors/app-error.js';
import type { Pagination } from '../pagination/read-page.js';

/** The error code and HTTP status for each kind of error. A missing kind does not compile. */
export const ERROR_STATUS: Readonly<Record<ErrorKind, { code: ErrorCode; status: number }>> = {
  bad_request: { code: 'INVALID_REQUEST', status: 400 },
  unauthorized: { code: 'UNAUTHORIZED', status: 401 },
  forbidden: { code: 'FORBIDDEN', status: 403 },
  not_found: { code: 'NOT_FOUND', status: 404 },
  method_not_allowed: { code: 'INVALID_REQUEST', status: 405 },
  request_timeout: { code: 'INVALID_REQUEST', status: 408 },
  conflict: { code: 'INVALID_REQUEST', status: 409 },
  precondition_failed: { code: 'INVALID_REQUEST', status: 412 },
  payload_too_large: { code: 'INVALID_REQUEST', status: 413 },
  uri_too_long: { code: 'INVALID_REQUEST', status: 414 },
  unsupported_media_type: { code: 'INVALID_REQUEST', status: 415 },
  expectation_failed: { code: 'INVALID_REQUEST', status: 417 },
  unprocessable: { code: 'INVALID_REQUEST', status: 422 },
  failed_dependency: { code: 'INVALID_REQUEST', status: 424 },
  headers_too_large: { code: 'INVALID_REQUEST', status: 431 },
  rate_limited: { code: 'RATE_LIMIT_EXCEEDED', status: 429 },
  internal: { code: 'INTERNAL_ERROR', status: 500 },
  unavailable: { code: 'INTERNAL_ERROR', status: 503 },
};

interface SuccessMeta {
  pagination?: Pagination | undefined;
  warnings?: readonly FieldProblem[] | undefined;
  totalIsLowerBound?: boolean | undefined;
  requestLog?: object | undefined;
}

/** Returns the success envelope around `data`, which is already JSON text, so nothing is serialized twice. */
export function successEnvelope(
  data: string,
  requestId: string,
  now: Date,
  extra: SuccessMeta = {},
): string {
  const pagination = extra.pagination ? `,"pagination":${JSON.stringify(extra.pagination)}` : '';
  const warnings = extra.warnings?.length ? `,"warnings":${JSON.stringify(extra.warnings)}` : '';
  const log = extra.requestLog ? `,"requestLog":${JSON.stringify(extra.requestLog)}` : '';
  const part = extra.totalIsLowerBound ? ',"totalIsLowerBound":true' : '';
  return `{"success":true,"data":${data},"meta":{${meta(requestId, now)}${pagination}${part}${log}${warnings}}}`;
}

/** Returns the failure envelope of an error as JSON text. With an origin, it links to the error's documentation. */
export function failureEnvelope(
  error: AppError,
  { requestId, now, origin }: { requestId: string; now: Date; origin?: string | undefined },
): string {
  return `{"success":false,"error":${failureBody(error, origin)},"meta":{${meta(requestId, now)}}}`;
}

/** Returns the URL of the page in `docs/errors/` that explains a kind of error. */
function errorPageUrl(origin: string, kind: ErrorKind): string {
  return `${origin}/docs/errors/${kind.replaceAll('_', '-')}`;
}

/** Returns the `error` member of the failure envelope as JSON text. With an origin, it has `docUrl`. */
export function failureBody({ kind, message, details }: AppError, origin?: string): string {
  const docUrl = origin === undefined ? undefined : errorPageUrl(origin, kind);
  return JSON.stringify({ code: ERROR_STATUS[kind].code, message, details, docUrl });
}

function meta(requestId: string, now: Date): string {
  return `"requestId":"${requestId}","timestamp":"${now.toISOString()}"`;
}
