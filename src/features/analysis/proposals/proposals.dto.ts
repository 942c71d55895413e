import type { SchemaObject } from '@nestjs/swagger';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { isLongerThan } from '../../../platform/basics/text.js';
import { isObject } from '../../../platform/http/bodies/json-text.js';
import { unknownNameProblems } from '../../../platform/http/envelope/nearest-name.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';
import { Field } from '../../../platform/openapi/field.js';
import { Filter } from '../../../platform/openapi/filter.js';
import { textSchema } from '../../../platform/openapi/schemas.js';
import { MetadataPatchField } from '../../content/open-objects.js';
import { MAX_OCCURRENCES, type ProposedEdit } from '../../content/text/proposed-changes.js';
import {
  contentProblem,
  MAX_CONTENT_BYTES,
  MAX_TITLE_CHARACTERS,
  titleProblem,
} from '../../content/text-fields.js';
import { MAX_CHANGES, MAX_MESSAGE, MAX_REPLACEMENT_UNITS } from './proposal-limits.js';

const position = { type: 'integer', format: 'int32', minimum: 0, maximum: MAX_CONTENT_BYTES };
const change = {
  replacement: textSchema(MAX_REPLACEMENT_UNITS),
  message: textSchema(MAX_MESSAGE),
};

/** One edit, by the words or the range that it replaces. */
const EDIT: SchemaObject = {
  oneOf: [
    {
      title: 'ByQuote',
      type: 'object',
      required: ['quote', 'replacement'],
      properties: {
        quote: { ...textSchema(MAX_CONTENT_BYTES), minLength: 1 },
        occurrence: { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_OCCURRENCES },
        ...change,
      },
    },
    {
      title: 'ByRange',
      type: 'object',
      required: ['start', 'end', 'replacement'],
      properties: { start: position, end: position, ...change },
    },
  ],
};

/** Example bodies of a proposal. The first one applies to any text. */
export const PROPOSAL_EXAMPLES = {
  insert: {
    summary: 'Insert a line at the start',
    value: {
      edits: [{ start: 0, end: 0, replacement: 'Approved.\n\n' }],
      message: 'Marks it as approved.',
    },
  },
  quote: {
    summary: 'Replace a phrase, and change the title',
    value: {
      edits: [{ quote: '12 %', replacement: '13 %', message: 'The final figure.' }],
      title: 'Quarterly report, final',
      baseVersion: 1,
    },
  },
} as const;

/** The body of `POST /v1/documents/{id}/proposals`. */
export class ProposeChangesDto {
  @Field.list(EDIT, {
    optional: true,
    min: 1,
    max: MAX_CHANGES,
    description: `Each edit becomes one suggestion. \`quote\` must occur exactly once in the base version, unless \`occurrence\` says which one (from 1). \`start\` and \`end\` count UTF-16 code units of the base version; if they are equal, the text is inserted. An empty \`replacement\` deletes. All replacements together have at most ${String(MAX_REPLACEMENT_UNITS)} UTF-16 units.`,
    example: [{ quote: '12 %', replacement: '13 %' }],
    check: (edits, body) => editsProblems(edits, body),
  })
  edits?: ProposedEdit[];

  @Field.text({
    optional: true,
    max: MAX_CONTENT_BYTES,
    description:
      'The whole text after your changes, instead of `edits`. The service finds the changed passages.',
    example: '# Results\n\nRevenue grew by 13 %.',
    check: contentProblem,
  })
  content?: string;

  @Field.text({
    optional: true,
    min: 1,
    max: MAX_TITLE_CHARACTERS,
    description: 'Must not be blank.',
    example: 'Quarterly report, final',
    check: titleProblem,
  })
  title?: string;

  @MetadataPatchField()
  metadata?: Record<string, unknown> | null;

  @Field.integer({
    optional: true,
    min: 1,
    description:
      'The version that you read. Default: the current one. Edits whose passage has changed since are left out; a whole text is merged. If both changed the same passage, the response is 409 with both texts.',
    example: 1,
  })
  baseVersion?: number;

  @Field.text({
    optional: true,
    max: MAX_MESSAGE,
    description: 'Why you propose this, for the person who decides.',
    example: 'Corrects the figures of July.',
  })
  message?: string;
}

/** The query of `GET /v1/proposals`. */
export class ListProposalsDto extends CreationOrderDto {
  @Field.oneOf(['open', 'decided'], {
    optional: true,
    default: 'open',
    description: '`open`: at least one change is open.',
    example: 'open',
  })
  status: 'open' | 'decided' = 'open';

  @Filter.id('document', 'Only proposals for this document.')
  documentId?: string;

  @Filter.id('key', 'Only proposals that this key sent.')
  keyId?: string;

  @Filter.id('user', 'Only proposals of this person, or of keys that they created.')
  createdBy?: string;
}

function editsProblems(edits: unknown, { content }: ProposeChangesDto): FieldProblem[] {
  const field = 'edits';
  if (content !== undefined) {
    return [{ field, issue: 'cannot be combined with content; send one of them' }];
  }
  if (!Array.isArray(edits) || edits.length === 0) {
    return [{ field, issue: `must be an array of 1 to ${String(MAX_CHANGES)} objects` }];
  }
  if (edits.length > MAX_CHANGES) {
    return [{ field, issue: `must have at most ${String(MAX_CHANGES)} items` }];
  }
  const problems = edits.flatMap((edit: unknown, index) =>
    editProblems(edit, `${field}[${String(index)}]`),
  );
  if (problems.length > 0) return problems;
  const units = (edits as ProposedEdit[]).reduce((sum, edit) => sum + edit.replacement.length, 0);
  return units <= MAX_REPLACEMENT_UNITS ? [] : [{ field, issue: tooMuchText(units) }];
}

/** Returns the issue of replacements that are too long in total. */
export function tooMuchText(units: number): string {
  return `must have at most ${String(MAX_REPLACEMENT_UNITS)} UTF-16 units in all replacements; it has ${String(units)}`;
}

type MemberCheck = (value: unknown) => string | undefined;

const isText: MemberCheck = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const isMessage: MemberCheck = (value) =>
  value === undefined || (typeof value === 'string' && !isLongerThan(value, MAX_MESSAGE))
    ? undefined
    : `must be a string of at most ${String(MAX_MESSAGE)} characters`;
const isQuote: MemberCheck = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'must be a string that is not empty';
const isOccurrence: MemberCheck = (value) =>
  value === undefined || isInteger(value, 1, MAX_OCCURRENCES)
    ? undefined
    : `must be a whole number from 1 to ${String(MAX_OCCURRENCES)}`;
const isPosition: MemberCheck = (value) =>
  isInteger(value, 0, MAX_CONTENT_BYTES)
    ? undefined
    : `must be a whole number from 0 to ${String(MAX_CONTENT_BYTES)}`;

function isInteger(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

const OF_EDIT = { replacement: isText, message: isMessage };
const BY_QUOTE = { quote: isQuote, occurrence: isOccurrence, ...OF_EDIT };
const BY_RANGE = { start: isPosition, end: isPosition, ...OF_EDIT };

function editProblems(edit: unknown, place: string): FieldProblem[] {
  if (!isObject(edit)) return [{ field: place, issue: 'must be an object' }];
  const isRange = edit['start'] !== undefined || edit['end'] !== undefined;
  if (isRange === (edit['quote'] !== undefined)) {
    return [{ field: place, issue: 'must have either quote, or start and end' }];
  }
  const checks: Readonly<Record<string, MemberCheck>> = isRange ? BY_RANGE : BY_QUOTE;
  const at = (name: string) => `${place}.${name}`;
  const wrong = Object.entries(checks).flatMap(([name, check]) => {
    const issue = check(edit[name]);
    return issue === undefined ? [] : [{ field: at(name), issue }];
  });
  return [...wrong, ...unknownNameProblems(Object.keys(edit), Object.keys(checks), at)];
}
