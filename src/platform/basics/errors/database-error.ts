import { isNativeError } from 'node:util/types';
import { AppError } from './app-error.js';
import { firstFailure } from './reason.js';

/** Why PostgreSQL could not do something now that it might do in a moment. */
type DatabaseTrouble =
  /** No connection, or one that broke. */
  | 'unreachable'
  /** It has too little left: connections, memory, disk space. */
  | 'overloaded'
  /** It ended a statement or a transaction that took longer than it may. */
  | 'cut'
  /** Others held what the statement needed. */
  | 'contended';

/** By SQLSTATE or its class (PostgreSQL manual, appendix A), or by the code of the operating system. */
const TROUBLES: Readonly<Record<string, DatabaseTrouble>> = {
  '08': 'unreachable',
  // A read-only transaction: the server is a standby now.
  '25006': 'unreachable',
  // idle_in_transaction_session_timeout and transaction_timeout
  '25P03': 'cut',
  '25P04': 'cut',
  '40001': 'contended',
  '40P01': 'contended',
  '53': 'overloaded',
  '55P03': 'contended',
  // Operator intervention: a server that stops, starts, or drops the database.
  '57': 'unreachable',
  // statement_timeout, or somebody who cancelled the statement
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

/** pg, its pool and TypeORM have no code for these. */
const POOL_IS_BUSY = /^timeout exceeded when trying to connect/i;
const CONNECTION_IS_LOST =
  /connection terminated|client has encountered a connection error|not queryable|query runner already released/i;

/** What is told a client, and after how many seconds it may try again. */
const ANSWERS: Readonly<Record<DatabaseTrouble, { message: string; retryAfterSeconds: number }>> = {
  unreachable: {
    message: 'The service cannot reach its database right now. Try again shortly.',
    retryAfterSeconds: 2,
  },
  overloaded: {
    message:
      'The service has more requests than its database can take at the moment. Try again shortly.',
    retryAfterSeconds: 2,
  },
  cut: {
    message:
      'The request was too large for the time the database has for one, and was stopped. Ask for less at once: a smaller limit, more selective filters or search words, fewer operations.',
    retryAfterSeconds: 2,
  },
  contended: {
    message: 'Other requests hold what this one needs. Try again shortly.',
    retryAfterSeconds: 1,
  },
};

/** Why the database could not do it now; `undefined` for every other error. */
export function troubleOf(error: unknown): DatabaseTrouble | undefined {
  if (!isNativeError(error)) return undefined;
  const code = codeOf(error);
  const isSqlState = /^[0-9A-Z]{5}$/.test(code);
  const known = TROUBLES[code] ?? (isSqlState ? TROUBLES[code.slice(0, 2)] : undefined);
  if (known) return known;
  if (POOL_IS_BUSY.test(error.message)) return 'overloaded';
  return CONNECTION_IS_LOST.test(error.message) ? 'unreachable' : undefined;
}

/** The failure to report when the database could not do it now; `undefined` for every other error. */
export function asUnavailable(error: unknown): AppError | undefined {
  const trouble = troubleOf(error);
  return trouble && unavailable(trouble, error);
}

/** The failure to report for such a trouble. */
export function unavailable(trouble: DatabaseTrouble, cause?: unknown): AppError {
  const { message, retryAfterSeconds } = ANSWERS[trouble];
  return new AppError('unavailable', message, undefined, { cause, retryAfterSeconds });
}

/** Whether PostgreSQL ended the statement because it and others waited for each other: run again, it would succeed. */
export function wasDeadlocked(error: unknown): boolean {
  return isNativeError(error) && ['40001', '40P01'].includes(codeOf(error));
}

/** Whether a statement ended because it did not get a lock within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return isNativeError(error) && codeOf(error) === '55P03';
}

/** Whether a row was not written because the row it refers to is gone. */
export function isMissingReference(error: unknown): boolean {
  return isNativeError(error) && codeOf(error) === '23503';
}

/** Whether a row was not written because its account was deleted meanwhile. */
export function isOfDeletedAccount(error: unknown): boolean {
  if (!isMissingReference(error)) return false;
  const { constraint } = firstFailure(error) as { constraint?: unknown };
  return typeof constraint === 'string' && constraint.endsWith('_account_id_fkey');
}

function codeOf(error: Error): string {
  const { code, syscall } = firstFailure(error) as { code?: unknown; syscall?: unknown };
  // A missing file has the code of a missing socket.
  return typeof code === 'string' && (code !== 'ENOENT' || syscall === 'connect') ? code : '';
}
