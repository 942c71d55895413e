import { operationProblems, type MemberCheck } from '../envelope/operations.js';
import type { FieldProblem } from '../errors/app-error.js';
import { MAX_EDITS } from './changes/text-edits.js';

const isText: MemberCheck = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const isFlag: MemberCheck = (value) =>
  value === undefined || typeof value === 'boolean' ? undefined : 'must be true or false';
const isPlace: MemberCheck = (value) =>
  typeof value === 'number' || value === 'start' || value === 'end'
    ? undefined
    : 'must be a number of UTF-16 units from the beginning, or start or end';

const EDITS = {
  field: 'edits',
  max: MAX_EDITS,
  members: {
    replace: { find: isText, with: isText, all: isFlag },
    delete: { find: isText, all: isFlag },
    append: { text: isText },
    insert: { at: isPlace, text: isText },
  },
};

/** What is wrong with the form of a list of edits; whether they can be made is seen on the text. */
export function editProblems(value: unknown): FieldProblem[] {
  return operationProblems(value, EDITS);
}
