import { EmbeddedPostgresError } from '@document-service/embedded-postgres/embedded-postgres-error';
import { AppError, OperatorError } from './app-error.js';
import { troubleOf } from './database-error.js';
import { reasonOf } from './reason.js';

/** SQLSTATEs of a refused login: wrong role or password, unknown database. */
const REFUSED = /^(28...|3D000)$/;
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Returns the sentence that an operator reads when a process fails, without a stack trace. For unexpected errors it
 * begins with `outcome`, such as "The command failed".
 */
export function explain(error: unknown, outcome: string): string {
  const isExplained =
    error instanceof OperatorError ||
    error instanceof AppError ||
    error instanceof EmbeddedPostgresError;
  if (isExplained) return error.message;
  const reason = reasonOf(error);
  const trouble = troubleOf(error);
  if (trouble === 'unreachable') {
    return `The database cannot be reached (${reason}). Start PostgreSQL or correct DATABASE_URL.`;
  }
  if (trouble) return `PostgreSQL cannot process this right now: ${reason}. Try again.`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (REFUSED.test(code)) return `PostgreSQL refused: ${reason}. Correct DATABASE_URL.`;
  if (code === INSUFFICIENT_PRIVILEGE) {
    return `PostgreSQL refused: ${reason}. Grant the role this privilege, or correct DATABASE_URL.`;
  }
  return `${outcome}: ${reason}.`;
}
