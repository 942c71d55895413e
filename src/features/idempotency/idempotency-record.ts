import {
  ApiResponse,
  type ApiResponseExtras,
  type StoredText,
  type OneTimeSecretRule,
} from '../../platform/http/envelope/api-response.js';
import {
  AppError,
  type ErrorDetails,
  type ErrorKind,
} from '../../platform/basics/errors/app-error.js';

/** A document content that is omitted from a stored response. */
export type Omission = Omit<StoredText, 'text'> & {
  /** Offset in the remaining JSON. */
  at: number;
};

/** The stored outcome of a request: a response, or a failure of an executed request. */
export type IdempotencyRecord =
  | { json: string; omissions: Omission[]; extras: Omit<ApiResponseExtras, 'storedTexts'> }
  | { kind: ErrorKind; message: string; details?: ErrorDetails | undefined };

/**
 * Failures that depend on the state of the account: the request was valid and executed. After any other failure, such as
 * an invalid body, the key is free for the corrected request.
 */
const STORED: ReadonlySet<ErrorKind> = new Set([
  'not_found',
  'conflict',
  'precondition_failed',
  'unprocessable',
]);

/**
 * Returns the record of a response, without document contents. Replays read these again, so a small edit of a long
 * document stores no copy of it, and a replay never returns a permanently deleted document.
 */
export function recordOfResponse({ json, extras }: ApiResponse): IdempotencyRecord {
  const { storedTexts = [], ...rest } = extras;
  const omissions: Omission[] = [];
  let left = '';
  let place = 0;
  for (const { text, ...reference } of storedTexts) {
    const written = JSON.stringify(text);
    const start = json.indexOf(written, place);
    if (start === -1) continue;
    left += json.slice(place, start);
    omissions.push({ ...reference, at: left.length });
    place = start + written.length;
  }
  return { json: left + json.slice(place), omissions, extras: rest };
}

/** Returns the record of a failure, or `undefined` if a retry is a new request. */
export function recordOfFailure(error: unknown): IdempotencyRecord | undefined {
  if (!(error instanceof AppError) || !STORED.has(error.kind)) return undefined;
  // The error says when to send the same request again.
  if (error.retryAfterSeconds !== undefined) return undefined;
  const { kind, message, details } = error;
  return { kind, message, details };
}

/** True if a retry gets this outcome. Earlier releases also stored other failures, such as an invalid body. */
export function isReplayable(record: IdempotencyRecord): boolean {
  return 'json' in record || STORED.has(record.kind);
}

/** Returns the response for replays: the secret is null, and a warning says how to get a new one. */
export function withoutSecret(
  response: ApiResponse,
  { field, instead }: OneTimeSecretRule,
): ApiResponse {
  const data = JSON.parse(response.json) as Record<string, unknown>;
  if (data[field] === undefined) return response;
  const { warnings = [] } = response.extras;
  const issue = `was shown once, in the first response to this request; ${instead}`;
  return new ApiResponse(JSON.stringify({ ...data, [field]: null }), {
    ...response.extras,
    warnings: [...warnings, { field, issue }],
  });
}

/** Returns the stored response, or throws the stored failure. `textOf` reads an omitted content. */
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
