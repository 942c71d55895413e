import { ApiProperty, type SchemaObject } from '@nestjs/swagger';
import { CheckedBy, IsRequired } from '../../envelope/field-decorators.js';
import { MAX_EDITS, type TextEdit } from '../changes/text-edits.js';
import { editProblems } from '../edit-problems.js';
import { KEPT_TEXT } from '../../openapi/property-decorators.js';
import { MAX_CONTENT_BYTES } from './text-fields.js';

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

/** The body of `POST /v1/documents/{id}/edits`. */
export class EditDocumentDto {
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_EDITS,
    items: EDIT,
    description:
      'Made in order, each on what the one before left, all or none. `find` must occur exactly once, unless `all` is true. `at` counts UTF-16 units.',
    example: [
      { op: 'replace', find: '12 %', with: '13 %' },
      { op: 'append', text: '\n\nApproved.' },
    ],
  })
  @CheckedBy(editProblems)
  @IsRequired()
  edits: TextEdit[];
}
