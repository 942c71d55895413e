import { readJsonTree } from '../../platform/http/bodies/json-syntax-tree.js';
import { isObject, sourceText } from '../../platform/http/bodies/json-text.js';
import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import type { Values } from './render-text.js';
import { MAX_VARIABLES } from './variables.js';

/** What is wrong with the form of `templateVariables`; whether the template has them is seen there. */
export function inputProblems(value: unknown): FieldProblem[] {
  if (value === null) return [];
  const field = 'templateVariables';
  if (!isObject(value)) {
    return [{ field, issue: 'must be an object, such as {"client": "Ada"}' }];
  }
  const entries = Object.entries(value);
  if (entries.length > MAX_VARIABLES) {
    return [{ field, issue: `must not have more than ${String(MAX_VARIABLES)} members` }];
  }
  return entries.flatMap(([name, member]) =>
    member === null || ['string', 'number', 'boolean'].includes(typeof member)
      ? []
      : [{ field: `${field}.${name}`, issue: 'must be a string, a number, true or false' }],
  );
}

/**
 * The text of each variable that is given. Numbers and booleans are the text they were sent as (`1.0` stays `1.0`); null
 * gives nothing, as if it were left out.
 */
export function readInputs(value: Record<string, unknown> | null | undefined): Values {
  const values = new Map<string, string>();
  if (!value) return values;
  const source = sourceText(value);
  const members = readJsonTree(source).root.members;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string') values.set(name, member);
    else if (member !== null) {
      const { start = 0, end = 0 } = members?.get(name)?.value ?? {};
      values.set(name, source.slice(start, end));
    }
  }
  return values;
}
