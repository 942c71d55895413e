import { AppError, type FieldProblem } from '../errors/app-error.js';
import { explain as explainFailure } from '../errors/explain.js';

/** The one sentence an operator reads when a command fails. Never a stack trace. */
export function explain(error: unknown): string {
  if (error instanceof AppError && Array.isArray(error.details?.['problems'])) {
    const problems = error.details['problems'] as FieldProblem[];
    return `${problems.map(({ field, issue }) => `${field} ${issue}`).join('; ')}.`;
  }
  return explainFailure(error, 'The command failed');
}
