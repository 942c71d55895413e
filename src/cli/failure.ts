import { ConfigurationError } from '../config/config.js';
import { EmbeddedPostgresError } from '../database/embedded/embedded-postgres-error.js';
import { AppError, type FieldProblem } from '../errors/app-error.js';
import { asUnavailable } from '../errors/database-error.js';

/** SQLSTATE of a server that answered and let nobody in: wrong role or password, unknown database, no permission. */
const REFUSED = /^(28...|3D000|42501)$/;

/** The one sentence an operator reads when a command fails. Never a stack trace. */
export function explain(error: unknown): string {
  if (error instanceof AppError && Array.isArray(error.details?.['problems'])) {
    const problems = error.details['problems'] as FieldProblem[];
    return `${problems.map(({ field, issue }) => `${field} ${issue}`).join('; ')}.`;
  }
  if (
    error instanceof AppError ||
    error instanceof ConfigurationError ||
    error instanceof EmbeddedPostgresError
  ) {
    return error.message;
  }
  if (asUnavailable(error)) {
    return `The database cannot be reached (${reason(error)}). Start PostgreSQL or correct DATABASE_URL.`;
  }
  if (error instanceof Error && 'code' in error && REFUSED.test(String(error.code))) {
    return `PostgreSQL refused: ${reason(error)}. Correct DATABASE_URL.`;
  }
  return `The command failed: ${reason(error)}.`;
}

/** Node reports a refused dual-stack connection as an aggregate without words of its own. */
function reason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reason(error.errors[0]);
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? '').replace(/\.$/, '');
}
