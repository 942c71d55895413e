import { AppError } from '../../errors/app-error.js';

/** The refusal of an archive for what is wrong in one of its lines, counted from 1. */
export function lineProblem(line: number, field: string, issue: string): AppError {
  const where = field === 'line' ? '' : ` ${field}`;
  return new AppError('bad_request', `Line ${String(line)}:${where} ${issue}. ${UNDONE}`, {
    line,
    field,
    issue,
  });
}

/** The same for a failure of a check that knows of no lines; anything else stays what it is. */
export function inLine(line: number, error: unknown): unknown {
  if (!(error instanceof AppError) || error.kind !== 'bad_request' || !error.details) return error;
  const { field, issue } = error.details;
  if (typeof field !== 'string' || typeof issue !== 'string') return error;
  const problem = lineProblem(line, field === 'body' ? 'line' : field, issue);
  return new AppError('bad_request', problem.message, { ...error.details, ...problem.details });
}

/** The refusal of an archive as a whole. */
export function archiveProblem(issue: string): AppError {
  return new AppError('bad_request', `The archive ${issue}. ${UNDONE}`, { field: 'body', issue });
}

const UNDONE = 'Nothing was imported.';
