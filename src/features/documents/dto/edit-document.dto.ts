import { Field } from '../../../platform/openapi/field.js';
import { type SchemaObject } from '@nestjs/swagger';
import { operationProblems, type MemberCheck } from '../../../platform/http/envelope/operations.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { MAX_EDITS, type TextEdit } from '../../content/text/text-edits.js';
import { KEPT_TEXT } from '../../../platform/openapi/schemas.js';
import { MAX_CONTENT_BYTES } from '../../content/text-fields.js';

const text = { type: 'string', maxLength: MAX_CONTENT_BYTES, pattern: KEPT_TEXT };
const op = (name: string) => ({ type: 'string', enum: [name] });

/** One edit of a text, by its `op`. */
const EDIT: SchemaObject = {
  oneOf: [
    {
      type: 'object',
      required: ['op', 'find', 'with'],
      properties: { op: op('replace'), find: text, with: text, all: { type: 'boolean' } },
    },
    {
      type: 'object',
      required: ['op', 'find'],
      properties: { op: op('delete'), find: text, all: { type: 'boolean' } },
    },
    { type: 'object', required: ['op', 'text'], properties: { op: op('append'), text } },
    {
      type: 'object',
      required: ['op', 'at', 'text'],
      properties: {
        op: op('insert'),
        at: {
          oneOf: [
            { type: 'integer', format: 'int32', minimum: 0, maximum: MAX_CONTENT_BYTES },
            { type: 'string', enum: ['start', 'end'] },
          ],
        },
        text,
      },
    },
  ],
};

const isText: MemberCheck = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const isFlag: MemberCheck = (value) =>
  value === undefined || typeof value === 'boolean' ? undefined : 'must be true or false';
const isPlace: MemberCheck = (value) =>
  typeof value === 'number' || value === 'start' || value === 'end'
    ? undefined
    : 'must be start, end, or a position in UTF-16 code units';

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

/** Returns the problems in the form of a list of edits. Only the text shows whether the edits apply. */
function editProblems(value: unknown): FieldProblem[] {
  return operationProblems(value, EDITS);
}

/** Examples of bodies. The first one applies to any text. */
export const EDIT_EXAMPLES = {
  append: {
    summary: 'Append a line',
    value: { edits: [{ op: 'append', text: '\n\nApproved.' }] },
  },
  replace: {
    summary: 'Change a number and remove a sentence',
    value: {
      edits: [
        { op: 'replace', find: '12 %', with: '13 %' },
        { op: 'delete', find: ' Figures are preliminary.' },
      ],
    },
  },
} as const;

/** The body of `POST /v1/documents/{id}/edits`. */
export class EditDocumentDto {
  @Field.list(EDIT, {
    min: 1,
    max: MAX_EDITS,
    description:
      'Applied in order, each to the result of the previous one. If one fails, none is applied. `find` must occur exactly once, unless `all` is true. `at` is a position in UTF-16 code units.',
    example: [
      { op: 'replace', find: '12 %', with: '13 %' },
      { op: 'append', text: '\n\nApproved.' },
    ],
    check: editProblems,
  })
  edits: TextEdit[];
}
