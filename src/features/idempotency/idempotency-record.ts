import {
  ApiResponse,
  type ApiResponseExtras,
  type KeptText,
  type OneTimeSecretRule,
} from '../../platform/http/envelope/api-response.js';
import {
  AppError,
  type ErrorDetails,
  type ErrorKind,
} from '../../platform/basics/errors/app-error.js';

/** Where a text was taken out of an answer, and what it was. */
export type Omission = Omit<KeptText, 'text'> & {
  /** Place in what is left of the answer's JSON. */
  at: number;
};

/** How a request ended, as it is kept for its retries: an answer, or a failure the client caused. */
export type IdempotencyRecord =
  | { json: string; omissions: Omission[]; extras: Omit<ApiResponseExtras, 'keptTexts'> }
  | { kind: ErrorKind; message: string; details?: ErrorDetails | undefined };

/** Failures that say nothing about the request itself: a retry may well end otherwise. */
const NEVER_KEPT: ReadonlySet<ErrorKind> = new Set([
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal',
  'unavailable',
]);

/**
 * What to keep of an answer. Contents of documents are left out and read again: a small edit of a long document must not
 * cost a copy of it, and what was removed for good must not come back in a replay.
 */
export function recordOfAnswer({ json, extras }: ApiResponse): IdempotencyRecord {
  const { keptTexts = [], ...rest } = extras;
  const omissions: Omission[] = [];
  let left = '';
  let place = 0;
  for (const { text, ...kept } of keptTexts) {
    const written = JSON.stringify(text);
    const start = json.indexOf(written, place);
    if (start === -1) continue;
    left += json.slice(place, start);
    omissions.push({ ...kept, at: left.length });
    place = start + written.length;
  }
  return { json: left + json.slice(place), omissions, extras: rest };
}

/** What to keep of a failure; `undefined` for one that a retry may overcome. */
export function recordOfFailure(error: unknown): IdempotencyRecord | undefined {
  if (!(error instanceof AppError) || NEVER_KEPT.has(error.kind)) return undefined;
  const { kind, message, details } = error;
  return { kind, message, details };
}

/** The answer as its replays give it: null in place of the secret, and a warning that says how to get another one. */
export function withoutSecret(
  answer: ApiResponse,
  { field, instead }: OneTimeSecretRule,
): ApiResponse {
  const data = JSON.parse(answer.json) as Record<string, unknown>;
  if (data[field] === undefined) return answer;
  const { warnings = [] } = answer.extras;
  const issue = `was shown once, in the first answer to this request; ${instead}`;
  return new ApiResponse(JSON.stringify({ ...data, [field]: null }), {
    ...answer.extras,
    warnings: [...warnings, { field, issue }],
  });
}

/** The answer once more; throws the failure once more. `textOf` reads again what was left out, or throws. */
export async function replay(
  record: IdempotencyRecord,
  textOf: (omission: Omission) => Promise<string>,
): Promise<ApiResponse> {
  if ('kind' in record) throw new AppError(record.kind, record.message, record.details);
  const { json, omissions, extras } = record;
  const parts: string[] = [];
  let place = 0;
  for (const omission of omissions) {
    parts.push(json.slice(place, omission.at), JSON.stringify(await textOf(omission)));
    place = omission.at;
  }
  return new ApiResponse(parts.join('') + json.slice(place), extras);
}
