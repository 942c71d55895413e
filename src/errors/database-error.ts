import { isNativeError } from 'node:util/types';
import { AppError } from './app-error.js';
import { firstFailure } from './reason.js';

/** SQLSTATE classes and codes that mean "the database cannot answer now" (PostgreSQL manual, appendix A). */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57']);
const UNAVAILABLE_CODES = new Set([
  '25006', // read-only transaction: the server is a standby now
  '40001',
  '40P01',
  '55P03', // a lock that was not to be had in time
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOENT',
]);
/** pg has no code for these. */
const UNAVAILABLE_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|not queryable/i;

/** Seconds after which a client may try again when the database is away. */
const RETRY_AFTER_SECONDS = 2;

/** The failure to report when the database is away or overloaded; `undefined` for every other error. */
export function asUnavailable(error: unknown): AppError | undefined {
  if (!isNativeError(error)) return undefined;
  const code = codeOf(error);
  const away =
    UNAVAILABLE_CODES.has(code) ||
    (/^[0-9A-Z]{5}$/.test(code) && UNAVAILABLE_CLASSES.has(code.slice(0, 2))) ||
    UNAVAILABLE_MESSAGES.test(error.message);
  if (!away) return undefined;
  return new AppError(
    'unavailable',
    'The service cannot reach its database right now. Try again shortly.',
    undefined,
    {
      cause: error,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
}

/** Whether PostgreSQL ended the statement because it and others waited for each other: run again, it would succeed. */
export function wasDeadlocked(error: unknown): boolean {
  return isNativeError(error) && ['40001', '40P01'].includes(codeOf(error));
}

function codeOf(error: Error): string {
  const { code, syscall } = firstFailure(error) as { code?: unknown; syscall?: unknown };
  // A missing file has the code of a missing socket.
  return typeof code === 'string' && (code !== 'ENOENT' || syscall === 'connect') ? code : '';
}
