import type { FieldProblem } from '../../basics/errors/app-error.js';
import { isObject } from '../bodies/json-text.js';
import { unknownNameProblems } from './nearest-name.js';

/** Returns the problem of a member, or `undefined`. */
export type MemberCheck = (value: unknown) => string | undefined;

/** The format of a list of operations: objects whose `op` determines their members. */
interface OperationsForm {
  /** Name of the list, such as `edits`. */
  field: string;
  max: number;
  /** The members of each kind of operation. */
  members: Readonly<Record<string, Readonly<Record<string, MemberCheck>>>>;
}

/** Returns all problems in a list of operations, each with the path of its operation. */
export function operationProblems(value: unknown, form: OperationsForm): FieldProblem[] {
  const problems = operationListProblems(value, form);
  if (problems.length > 0) return problems;
  return (value as unknown[]).flatMap((one, index) =>
    problemsOfOperation(one, form, `${form.field}[${String(index)}]`),
  );
}

/** Returns the problems of the list itself, not of its operations. */
export function operationListProblems(
  value: unknown,
  { field, max }: OperationsForm,
): FieldProblem[] {
  if (!Array.isArray(value) || value.length === 0) {
    return [{ field, issue: `must be an array of 1 to ${String(max)} objects` }];
  }
  if (value.length > max) {
    return [
      { field, issue: `must not have more than ${String(max)}; send the rest in another request` },
    ];
  }
  return [];
}

/** Returns the problems of one operation. Without `place`, their paths start in the operation. */
export function problemsOfOperation(
  one: unknown,
  { members }: OperationsForm,
  place = '',
): FieldProblem[] {
  const at = (name: string) => (place === '' ? name : `${place}.${name}`);
  if (!isObject(one)) return [{ field: place || 'op', issue: 'must be an object with op' }];
  const { op } = one;
  const checks = typeof op === 'string' && Object.hasOwn(members, op) ? members[op] : undefined;
  if (!checks) {
    return [{ field: at('op'), issue: `must be one of ${Object.keys(members).join(', ')}` }];
  }
  const known = ['op', ...Object.keys(checks)];
  const wrong = Object.entries(checks).flatMap(([name, check]) => {
    const issue = check(one[name]);
    return issue === undefined ? [] : [{ field: at(name), issue }];
  });
  return [...wrong, ...unknownNameProblems(Object.keys(one), known, at)];
}
