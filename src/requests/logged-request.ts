import { MAX_USER_AGENT } from '../audit/audit-entry.js';
import { failureBody } from '../envelope/envelope.js';
import { AppError } from '../errors/app-error.js';

/** A request that has ended, as it waits to be written. */
export interface LoggedRequest {
  /** The public id. */
  id: string;
  /** UUIDs. */
  accountId: string;
  keyId: string;
  userId: string;
  method: string;
  route: string;
  /** As it was sent; what is kept of it is {@link keptPath}. */
  url: string;
  status: number;
  durationMs: number;
  clientAddress: string | null;
  userAgent: string | null;
  /** JSON text. */
  error: string | null;
  at: Date;
}

export const MAX_PATH = 2_000;
/** Characters of a failure as JSON. */
const MAX_ERROR = 4_096;
const MAX_MESSAGE = 1_000;
/** Problems that are kept of a failure that is too long. */
const MAX_PROBLEMS = 10;

const REDACTED = 'REDACTED';
/** Parameters, by the end of their names without signs, whose values no log may have. */
const SECRET_NAME =
  /(?:key|token|secret|password|passwd|pwd|passphrase|auth|authorization|credentials?|signature|sig|jwt|bearer|session|sessionid|cookie)s?$/;
/** Keys and webhook secrets of this service, wherever they stand. */
const OWN_SECRET = new RegExp(`(?:${encodable('ds_live_')}|${encodable('whsec_')})[^/?&#]*`, 'gi');

/** A pattern of the text with any of its characters percent-encoded, also more than once. */
function encodable(text: string): string {
  const patterns = Array.from(text, (letter) => {
    const code = letter.charCodeAt(0).toString(16);
    return `(?:${letter}|%(?:25)*${code})`;
  });
  return patterns.join('');
}

/** The path with its query, without the values of parameters that hold secrets. */
export function keptPath(url: string): string {
  const [path = '', ...rest] = url.split('?');
  const query = rest.join('?');
  const kept = query === '' ? path : `${path}?${query.split('&').map(keptParameter).join('&')}`;
  return kept.replace(OWN_SECRET, REDACTED).slice(0, MAX_PATH).toWellFormed();
}

function keptParameter(parameter: string): string {
  const end = parameter.indexOf('=');
  if (end === -1) return parameter;
  const name = parameter.slice(0, end);
  return SECRET_NAME.test(lettersOf(name)) ? `${name}=${REDACTED}` : parameter;
}

/** `api_key`, `API-Key` and `api%5Fkey%5B%5D` are all `apikey`. */
function lettersOf(name: string): string {
  let text = name;
  try {
    text = decodeURIComponent(name);
  } catch {
    // Not a valid encoding: judged as it stands.
  }
  return text.toLowerCase().replace(/[^a-z]/g, '');
}

export function keptUserAgent(sent: string | undefined): string | null {
  return sent?.slice(0, MAX_USER_AGENT) ?? null;
}

/** The failure as its answer told it, as JSON text; of a long one the first problems, or no details. */
export function keptFailure(error: AppError | undefined): string | null {
  if (!error) return null;
  const whole = failureBody(error);
  if (whole.length <= MAX_ERROR) return whole;
  const { kind, details } = error;
  const message = error.message.slice(0, MAX_MESSAGE).toWellFormed();
  const problems = details?.['problems'];
  if (Array.isArray(problems)) {
    const first: unknown[] = problems.slice(0, MAX_PROBLEMS);
    const shorter = failureBody(new AppError(kind, message, { ...details, problems: first }));
    if (shorter.length <= MAX_ERROR) return shorter;
  }
  return failureBody(new AppError(kind, message));
}
