import { MAX_CONTENT_BYTES } from '../../content/text-fields.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsString,
  MaxLength,
} from 'class-validator';
import { isObject } from '../../../platform/http/bodies/json-text.js';
import { CheckedBy, IfSent, IsRequired } from '../../../platform/http/envelope/field-decorators.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { ApiText, KEPT_TEXT } from '../../../platform/openapi/property-decorators.js';
import { CreationOrderDto } from '../../../platform/http/pagination/sort.js';
import { GOALS, type Goal } from '../providers/analysis-provider.js';
import { ISSUE_ID } from './analysis.dto.js';
import { AnalyzeDocumentDto, MAX_NAME_CHARACTERS } from './analyze.dto.js';

export const MAX_INSTRUCTIONS = 4_000;
/** Ids in one request; an enhancement has at most as many suggestions. */
const MAX_IDS = 2_000;
const MAX_DISMISSED = 1_000;
const MAX_ID_CHARACTERS = 60;
/** Ids of issues, and so of suggestions. */
export const ISSUE_ID_FORM = '^[\\x21-\\x7e]+$';

/** The body of `POST /v1/documents/{id}/enhance`. */
export class EnhanceDocumentDto extends AnalyzeDocumentDto {
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: [...GOALS] },
    minItems: 1,
    maxItems: GOALS.length,
    description:
      'What to do. `correct` mends what an analysis finds; all others need a model. `custom` does what `instructions` say.',
    default: ['correct'],
    example: ['correct'],
  })
  @IfSent()
  @IsIn(GOALS, { each: true, message: `must be one of ${GOALS.join(', ')}` })
  @ArrayUnique({ message: 'must not name a goal twice' })
  @ArrayNotEmpty({ message: 'must name at least one goal; leave it out to correct' })
  @IsArray({ message: 'must be an array' })
  goals?: Goal[];

  @ApiText({
    required: false,
    maxLength: MAX_INSTRUCTIONS,
    description: 'What a model is told beside the goals.',
    example: 'Keep the product names as they are.',
  })
  @IfSent()
  @MaxLength(MAX_INSTRUCTIONS, { message: 'must not be longer than 4000 characters' })
  @IsString({ message: 'must be a string' })
  instructions?: string;

  @ApiText({
    required: false,
    maxLength: MAX_NAME_CHARACTERS,
    description: 'For the goal `tone`, which needs it.',
    example: 'friendly',
  })
  @IfSent()
  @MaxLength(MAX_NAME_CHARACTERS, { message: 'must not be longer than 100 characters' })
  @IsString({ message: 'must be a string' })
  tone?: string;

  @ApiText({
    required: false,
    maxLength: MAX_NAME_CHARACTERS,
    description: 'A BCP-47 tag or an English name, for the goal `translate`, which needs it.',
    example: 'de',
  })
  @IfSent()
  @MaxLength(MAX_NAME_CHARACTERS, { message: 'must not be longer than 100 characters' })
  @IsString({ message: 'must be a string' })
  targetLanguage?: string;

  @ApiPropertyOptional({
    enum: [false],
    default: false,
    description: 'Nothing is applied before somebody has seen it: only `false`.',
    example: false,
  })
  @IfSent()
  @IsIn([false], {
    message:
      'must be false: suggestions are applied when somebody approves them, by POST …/enhancements/{id}/apply',
  })
  apply?: false;
}

/** The query of `GET /v1/documents/{id}/enhancements`. */
export class ListEnhancementsDto extends CreationOrderDto {}

/** The query of `GET /v1/documents/{id}/dismissals`. */
export class ListDismissalsDto extends CreationOrderDto {}

/** The query of `GET /v1/documents/{id}/quality`. */
export class ListQualityDto extends CreationOrderDto {
  @ApiPropertyOptional({
    enum: ['asc', 'desc'],
    default: 'asc',
    description: 'The oldest version first, or the newest.',
    example: 'asc',
  })
  @IsIn(['asc', 'desc'], { message: 'must be asc or desc' })
  override order: 'asc' | 'desc' = 'asc';
}

const SELECTED = {
  oneOf: [
    {
      type: 'array' as const,
      minItems: 1,
      maxItems: MAX_IDS,
      items: { type: 'string' as const, maxLength: MAX_ID_CHARACTERS, pattern: ISSUE_ID_FORM },
    },
    { type: 'string' as const, enum: ['all'] },
  ],
  description: 'Ids of suggestions, or `all` that are open.',
  example: 'all',
};

/** The body of `POST …/enhancements/{id}/reject`. */
export class RejectSuggestionsDto {
  @ApiProperty(SELECTED)
  @CheckedBy(selectionProblems)
  @IsRequired()
  suggestionIds: string[] | 'all';
}

export const APPLY_EXAMPLES = {
  safe: {
    summary: 'Those that are all but certain',
    value: { suggestionIds: 'all', safe: true },
  },
  chosen: {
    summary: 'One, with the replacement that is wanted',
    value: { suggestionIds: [ISSUE_ID], replacements: { [ISSUE_ID]: 'definitely' } },
  },
};

/** The body of `POST …/enhancements/{id}/apply`. */
export class ApplySuggestionsDto extends RejectSuggestionsDto {
  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Applies of them only those with a single replacement of confidence 0.9 or more.',
    example: true,
  })
  @IfSent()
  @IsBoolean({ message: 'must be true or false' })
  safe?: boolean;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: MAX_CONTENT_BYTES, pattern: KEPT_TEXT },
    description:
      'By the id of a suggestion: which of its replacements to apply. Left out, the first one.',
    example: { [ISSUE_ID]: 'definitely' },
  })
  @IfSent()
  @CheckedBy(replacementProblems)
  replacements?: Record<string, string>;
}

/** The body of `POST /v1/documents/{id}/dismissals`. */
export class DismissIssuesDto {
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_DISMISSED,
    items: { type: 'string', maxLength: MAX_ID_CHARACTERS, pattern: ISSUE_ID_FORM },
    description: 'Ids of issues, as an analysis tells them.',
    example: [ISSUE_ID],
  })
  @MaxLength(MAX_ID_CHARACTERS, { each: true, message: 'must be ids of issues' })
  @IsString({ each: true, message: 'must be ids of issues' })
  @ArrayMaxSize(MAX_DISMISSED, { message: 'must have at most 1000 items' })
  @ArrayNotEmpty({ message: 'must name at least one issue' })
  @IsArray({ message: 'must be an array' })
  @IsRequired()
  issueIds: string[];
}

function selectionProblems(value: unknown): FieldProblem[] {
  const field = 'suggestionIds';
  if (value === 'all' || value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    return [{ field, issue: "must be an array of ids, or 'all'" }];
  }
  if (value.length === 0) return [{ field, issue: 'must name at least one suggestion' }];
  if (value.length > MAX_IDS) {
    return [{ field, issue: `must have at most ${String(MAX_IDS)} items` }];
  }
  const wrong = value.findIndex((id) => typeof id !== 'string');
  return wrong < 0
    ? []
    : [{ field: `${field}[${String(wrong)}]`, issue: 'must be the id of a suggestion' }];
}

function replacementProblems(value: unknown): FieldProblem[] {
  const field = 'replacements';
  if (value === undefined) return [];
  if (!isObject(value)) return [{ field, issue: 'must be an object' }];
  return Object.entries(value).flatMap(([id, chosen]) =>
    typeof chosen === 'string' ? [] : [{ field: `${field}.${id}`, issue: 'must be a string' }],
  );
}
