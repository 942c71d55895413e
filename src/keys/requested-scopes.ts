import { nearestName } from '../envelope/nearest-name.js';
import type { FieldProblem } from '../errors/app-error.js';
import { SCOPES } from '../auth/scopes.js';

/** Most scopes in one request; more are repetitions. */
export const MAX_SCOPES = 50;

/** What is wrong with the items of `scopes`: each unknown one with the nearest known name. Other shapes are not judged. */
export function scopeProblems(value: unknown): FieldProblem[] {
  if (!Array.isArray(value) || value.length > MAX_SCOPES) return [];
  return value.flatMap((item: unknown, index) => {
    const issue = scopeIssue(item);
    return issue === undefined ? [] : [{ field: `scopes[${String(index)}]`, issue }];
  });
}

function scopeIssue(item: unknown): string | undefined {
  if (typeof item !== 'string') return 'must be a string';
  if (SCOPES.some((scope) => scope === item)) return undefined;
  const nearest = nearestName(item, SCOPES);
  const hint = nearest ? `did you mean '${nearest}'?` : `known scopes are ${SCOPES.join(', ')}`;
  return `is not a scope; ${hint}`;
}
