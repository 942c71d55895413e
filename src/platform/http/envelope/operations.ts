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
  const { field, max } = form;
  if (!Array.isArray(value) || value.length === 0) {
    return [{ field, issue: `must be an array of 1 to ${String(max)} objects` }];
  }
  if (value.length > max) {
    return [
      { field, issue: `must not have more than ${String(max)}; send the rest in another request` },
    ];
  }
  return value.flatMap((one, index) => problemsOf(one, `${field}[${String(index)}]`, form));
}

function problemsOf(one: unknown, field: string, { members }: OperationsForm): FieldProblem[] {
  if (!isObject(one)) return [{ field, issue: 'must be an object with op' }];
  const { op } = one;
  const checks = typeof op === 'string' && Object.hasOwn(members, op) ? members[op] : undefined;
  if (!checks) {
    return [{ field: `${field}.op`, issue: `must be one of ${Object.keys(members).join(', ')}` }];
  }
  const known = ['op', ...Object.keys(checks)];
  const wrong = Object.entries(checks).flatMap(([name, check]) => {
    const issue = check(one[name]);
    return issue === undefined ? [] : [{ field: `${field}.${name}`, issue }];
  });
  const unknown = unknownNameProblems(Object.keys(one), known, field);
  return [...wrong, ...unknown];
}
