import { failureBody } from '../../../platform/http/envelope/envelope.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import {
  REDACTED,
  redactedStart,
  redactSecretsInJson,
} from '../../../platform/basics/redact-secrets.js';

/** A finished request that waits to be written. */
export interface LoggedRequest {
  /** The public id. */
  id: string;
  /** UUIDs. */
  accountId: string;
  /** `NO_KEY` for the dashboard. */
  keyId: string;
  userId: string;
  method: string;
  route: string;
  /** As sent. {@link loggedPath} returns the stored form. */
  url: string;
  status: number;
  durationMs: number;
  clientAddress: string | null;
  userAgent: string | null;
  /** The label of the browser token. */
  tokenLabel: string | null;
  /** JSON text. */
  error: string | null;
  at: Date;
}

export const MAX_PATH = 2_000;
/** Maximum length of a failure as JSON. */
const MAX_ERROR = 4_096;
const MAX_MESSAGE = 1_000;
/** Maximum number of problems in a failure that is too long. */
const MAX_PROBLEMS = 10;

/** Matches names of parameters with secret values, in the form of {@link lettersOf}. */
const SECRET_NAME =
  /(?:key|token|secret|password|passwd|pwd|passphrase|auth|authorization|credentials?|signature|sig|jwt|bearer|session|sessionid|cookie)s?$/;

/** Parameters of GET /v2/check that hold the text to check, which is never stored. */
const TEXT_NAME = /^(?:text|data)$/;

/** Returns the path and query without secrets and texts, by the names of the parameters and the form of the values. */
export function loggedPath(url: string): string {
  const [path = '', ...rest] = url.split('?');
  const query = rest.join('?');
  const shown =
    query === '' ? path : `${path}?${query.split('&').map(redactedParameter).join('&')}`;
  return redactedStart(shown, MAX_PATH);
}

function redactedParameter(parameter: string): string {
  const end = parameter.indexOf('=');
  if (end === -1) return parameter;
  const name = parameter.slice(0, end);
  const letters = lettersOf(name);
  const isPublic = !SECRET_NAME.test(letters) && !TEXT_NAME.test(letters);
  return isPublic ? parameter : `${name}=${REDACTED}`;
}

/** Converts `api_key`, `API-Key` and `api%5Fkey%5B%5D` to `apikey`. */
function lettersOf(name: string): string {
  let text = name;
  try {
    text = decodeURIComponent(name);
  } catch {
    // Invalid encoding. Use the name as sent.
  }
  return text.toLowerCase().replace(/[^a-z]/g, '');
}

/**
 * Returns the failure of a response as JSON text, without secrets. If it is too long, keeps the first problems or no
 * details.
 */
export function loggedFailure(failure: AppError | undefined): string | null {
  if (!failure) return null;
  const error = withoutTexts(failure);
  const whole = redactedBody(error);
  if (whole.length <= MAX_ERROR) return whole;
  const { kind, details } = error;
  const message = redactedStart(error.message, MAX_MESSAGE);
  const problems = details?.['problems'];
  if (Array.isArray(problems)) {
    const first: unknown[] = problems.slice(0, MAX_PROBLEMS);
    const shorter = redactedBody(new AppError(kind, message, { ...details, problems: first }));
    if (shorter.length <= MAX_ERROR) return shorter;
  }
  return redactedBody(new AppError(kind, message));
}

/** Returns the error without the texts of documents in its details. */
function withoutTexts(error: AppError): AppError {
  const { kind, message, details, confidentialDetails } = error;
  if (confidentialDetails.length === 0) return error;
  const shown = Object.entries(details ?? {}).filter(
    ([name]) => !confidentialDetails.includes(name),
  );
  return new AppError(kind, message, Object.fromEntries(shown));
}

function redactedBody(error: AppError): string {
  return redactSecretsInJson(failureBody(error));
}
