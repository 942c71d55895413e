import { isNativeError } from 'node:util/types';
import { AppError } from './app-error.js';
import { firstFailure } from './reason.js';

/** A temporary failure of PostgreSQL. */
type DatabaseTrouble =
  /** No connection, or a broken one. */
  | 'unreachable'
  /** PostgreSQL lacks connections, memory or disk space. */
  | 'overloaded'
  /** PostgreSQL ended a statement or transaction at its time limit. */
  | 'cut'
  /** Other transactions held a lock. */
  | 'contended';

/** Failures by SQLSTATE or its class (PostgreSQL manual, appendix A), or by operating system code. */
const TROUBLES: Readonly<Record<string, DatabaseTrouble>> = {
  '08': 'unreachable',
  // A read-only transaction: the server has become a standby.
  '25006': 'unreachable',
  // idle_in_transaction_session_timeout and transaction_timeout
  '25P03': 'cut',
  '25P04': 'cut',
  '40001': 'contended',
  '40P01': 'contended',
  '53': 'overloaded',
  '55P03': 'contended',
  // Operator intervention: the server is stopping or starting, or drops the database.
  '57': 'unreachable',
  // statement_timeout, or a canceled statement.
  '57014': 'cut',
  EAI_AGAIN: 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOENT: 'unreachable',
  ENOTFOUND: 'unreachable',
  EPIPE: 'unreachable',
  ETIMEDOUT: 'unreachable',
};

/** Errors of pg, its pool and TypeORM without a code. */
const POOL_IS_BUSY = /^timeout exceeded when trying to connect/i;
const CONNECTION_IS_LOST =
  /connection terminated|client has encountered a connection error|not queryable|query runner already released/i;

/** Message for clients, and seconds until a retry makes sense. */
const RESPONSES: Readonly<Record<DatabaseTrouble, { message: string; retryAfterSeconds: number }>> =
  {
    unreachable: {
      message: 'The service cannot reach its database right now. Try again shortly.',
      retryAfterSeconds: 2,
    },
    overloaded: {
      message:
        'The service has more requests than its database can handle right now. Try again shortly.',
      retryAfterSeconds: 2,
    },
    cut: {
      message:
        'The request exceeded the time limit of the database and was stopped. Request less at once: use a smaller limit, more selective filters or search words, or fewer operations.',
      retryAfterSeconds: 2,
    },
    contended: {
      message: 'Other requests have locked data that this one needs. Try again shortly.',
      retryAfterSeconds: 1,
    },
  };

/** Returns the kind of a temporary database failure; `undefined` for any other error. */
export function troubleOf(error: unknown): DatabaseTrouble | undefined {
  if (!isNativeError(error)) return undefined;
  const code = codeOf(error);
  const isSqlState = /^[0-9A-Z]{5}$/.test(code);
  const known = TROUBLES[code] ?? (isSqlState ? TROUBLES[code.slice(0, 2)] : undefined);
  if (known) return known;
  if (POOL_IS_BUSY.test(error.message)) return 'overloaded';
  return CONNECTION_IS_LOST.test(error.message) ? 'unreachable' : undefined;
}

/** Returns the error to report for a temporary database failure; `undefined` for any other error. */
export function asUnavailable(error: unknown): AppError | undefined {
  const trouble = troubleOf(error);
  return trouble && unavailable(trouble, error);
}

export function unavailable(trouble: DatabaseTrouble, cause?: unknown): AppError {
  const { message, retryAfterSeconds } = RESPONSES[trouble];
  return new AppError('unavailable', message, undefined, { cause, retryAfterSeconds });
}

/** True if PostgreSQL ended the statement because of a deadlock or serialization failure; a retry succeeds. */
export function wasDeadlocked(error: unknown): boolean {
  return isNativeError(error) && ['40001', '40P01'].includes(codeOf(error));
}

/** True if a statement did not get a lock within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return isNativeError(error) && codeOf(error) === '55P03';
}

/** True if a row was not written because the row it refers to does not exist. */
export function isMissingReference(error: unknown): boolean {
  return isNativeError(error) && codeOf(error) === '23503';
}

/** True if a row was not written because its account was deleted in the meantime. */
export function isOfDeletedAccount(error: unknown): boolean {
  if (!isMissingReference(error)) return false;
  const { constraint } = firstFailure(error) as { constraint?: unknown };
  return typeof constraint === 'string' && constraint.endsWith('_account_id_fkey');
}

function codeOf(error: Error): string {
  const { code, syscall } = firstFailure(error) as { code?: unknown; syscall?: unknown };
  // A missing file and a missing socket have the same code.
  return typeof code === 'string' && (code !== 'ENOENT' || syscall === 'connect') ? code : '';
}
