import { isObject } from '../envelope/json-text.js';
import { nearestName } from '../envelope/nearest-name.js';
import type { FieldProblem } from '../errors/app-error.js';
import { MAX_EDITS } from './changes/text-edits.js';

type Check = (value: unknown) => string | undefined;

const isText: Check = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const isFlag: Check = (value) =>
  value === undefined || typeof value === 'boolean' ? undefined : 'must be true or false';
const isPlace: Check = (value) =>
  typeof value === 'number' || value === 'start' || value === 'end'
    ? undefined
    : 'must be a number of UTF-16 units from the beginning, or start or end';

/** The members of each kind of edit. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  replace: { find: isText, with: isText, all: isFlag },
  delete: { find: isText, all: isFlag },
  append: { text: isText },
  insert: { at: isPlace, text: isText },
};
const OPS = Object.keys(MEMBERS);

/** What is wrong with the form of a list of edits; whether they can be made is seen on the text. */
export function editProblems(value: unknown): FieldProblem[] {
  if (!Array.isArray(value) || value.length === 0) {
    return [{ field: 'edits', issue: 'must be an array of at least one edit' }];
  }
  if (value.length > MAX_EDITS) {
    const issue = `must not have more than ${String(MAX_EDITS)} edits; send the rest in another request`;
    return [{ field: 'edits', issue }];
  }
  return value.flatMap((edit, index) => problemsOf(edit, `edits[${String(index)}]`));
}

function problemsOf(edit: unknown, field: string): FieldProblem[] {
  if (!isObject(edit)) return [{ field, issue: 'must be an object with op' }];
  const { op } = edit;
  const members = typeof op === 'string' && Object.hasOwn(MEMBERS, op) ? MEMBERS[op] : undefined;
  if (!members) return [{ field: `${field}.op`, issue: `must be one of ${OPS.join(', ')}` }];
  const known = ['op', ...Object.keys(members)];
  const wrong = Object.entries(members).flatMap(([name, check]) => {
    const issue = check(edit[name]);
    return issue === undefined ? [] : [{ field: `${field}.${name}`, issue }];
  });
  const unknown = Object.keys(edit)
    .filter((name) => !known.includes(name))
    .map((name) => ({ field: `${field}.${name}`, issue: unknownIssue(name, known) }));
  return [...wrong, ...unknown];
}

function unknownIssue(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const hint = nearest ? `did you mean '${nearest}'?` : `known names are ${known.join(', ')}`;
  return `is not a known field; ${hint}`;
}
