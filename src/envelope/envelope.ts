import type { AppError, FieldProblem } from '../errors/app-error.js';
import { ERROR_STATUS } from './error-status.js';
import type { Pagination } from '../pagination/pagination.js';

interface SuccessMeta {
  pagination?: Pagination | undefined;
  warnings?: readonly FieldProblem[] | undefined;
  totalIsLowerBound?: boolean | undefined;
}

/** The success envelope around `data`, which is JSON text already, so that nothing is parsed and written twice. */
export function successEnvelope(
  data: string,
  requestId: string,
  now: Date,
  extra: SuccessMeta = {},
): string {
  const pagination = extra.pagination ? `,"pagination":${JSON.stringify(extra.pagination)}` : '';
  const warnings = extra.warnings?.length ? `,"warnings":${JSON.stringify(extra.warnings)}` : '';
  const part = extra.totalIsLowerBound ? ',"totalIsLowerBound":true' : '';
  return `{"success":true,"data":${data},"meta":{${meta(requestId, now)}${pagination}${part}${warnings}}}`;
}

/** The failure envelope of an error, as JSON text. */
export function failureEnvelope(error: AppError, requestId: string, now: Date): string {
  return `{"success":false,"error":${failureBody(error)},"meta":{${meta(requestId, now)}}}`;
}

/** What the envelope says of an error, as JSON text. */
export function failureBody({ kind, message, details }: AppError): string {
  return JSON.stringify({ code: ERROR_STATUS[kind].code, message, details });
}

function meta(requestId: string, now: Date): string {
  return `"requestId":"${requestId}","timestamp":"${now.toISOString()}"`;
}
