import { contentProblem, MAX_CONTENT_BYTES } from '../../content/text-fields.js';
import { Field } from '../../../platform/openapi/field.js';
import { CHECKS, type Check } from '@document-service/text-analysis/analysis';
import { TEXT_FORMATS, type TextFormat } from '@document-service/text-analysis/analysis-request';
import { isObject } from '../../../platform/http/bodies/json-text.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { KEPT_TEXT } from '../../../platform/openapi/schemas.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';
import { REQUESTED_GOALS, type RequestedGoal } from '../providers/analysis-provider.js';
import { ISSUE_ID } from './analysis.dto.js';

export const MAX_NAME_CHARACTERS = 100;

/** The body of `POST /v1/documents/{id}/analyze`. */
export class AnalyzeDocumentDto {
  @Field.list(CHECKS, {
    optional: true,
    min: 1,
    max: CHECKS.length,
    empty: 'must contain at least one check; omit it for all checks',
    description: 'The checks to run. Default: all.',
    example: ['spelling', 'grammar'],
  })
  checks?: Check[];

  @Field.text({
    optional: true,
    max: MAX_NAME_CHARACTERS,
    description:
      'A BCP 47 tag, an English name, or `auto`, which detects the language of each paragraph. Default: as in `aiSettings`, or `auto`.',
    example: 'en-GB',
  })
  language?: string;

  @Field.text({
    optional: true,
    max: MAX_NAME_CHARACTERS,
    description:
      '`low` reports errors, `medium` also warnings, `high` also style issues. Default: as in `aiSettings`, or `medium`. An unknown level means `medium`, with a warning.',
    example: 'high',
  })
  suggestionLevel?: string;
}

/** A part of a text. */
export class TextPartDto {
  @Field.integer({ max: MAX_CONTENT_BYTES, description: 'In UTF-16 code units.', example: 0 })
  start: number;

  @Field.integer({
    max: MAX_CONTENT_BYTES,
    description: 'Exclusive, in UTF-16 code units.',
    example: 35,
  })
  end: number;
}

const MAX_PARTS = 1_000;

const RangesField = (description: string) =>
  Field.list(TextPartDto, {
    optional: true,
    min: 1,
    max: MAX_PARTS,
    empty: 'must contain at least one range; omit it for the whole text',
    description,
  });

/** The body of `POST /v1/analyze`. */
export class AnalyzeTextDto extends AnalyzeDocumentDto {
  @Field.text({
    max: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. It is deleted after the analysis.',
    example: 'The results was definately better.',
    check: contentProblem,
  })
  content: string;

  @Field.oneOf(TEXT_FORMATS, { optional: true, default: 'markdown', example: 'markdown' })
  format?: TextFormat;

  @Field.flag({
    optional: true,
    default: true,
    description:
      '`false` checks the text at once, for editors: no job, nothing is stored, and only rules and dictionaries are used. The text can have 65,536 UTF-16 code units. Counts against `checkCharactersPerDay` instead of `analysesPerDay`; unchanged paragraphs are free for an hour.',
    example: false,
  })
  store?: boolean;

  @Field.id('document', {
    optional: true,
    description:
      'Only with `store: false`. Uses the `aiSettings` of this document, and reports its dismissed issues as `rejected`.',
  })
  documentId?: string;

  @RangesField(
    'Only with `store: false`. Reports issues only in the paragraphs of these ranges, and counts only those. The rest of the text is context. Scores refer to the reported issues.',
  )
  ranges?: TextPartDto[];
}

export const MAX_INSTRUCTIONS = 4_000;
/** Maximum number of ids in one request, and of suggestions in an enhancement. */
const MAX_IDS = 2_000;
const MAX_ACCEPTED = 500;
const MAX_DISMISSED = 1_000;
const MAX_ID_CHARACTERS = 60;
/** Ids of issues and suggestions. */
export const ISSUE_ID_FORM = '^[\\x21-\\x7e]+$';

/** The body of `POST /v1/documents/{id}/enhance`. */
export class EnhanceDocumentDto extends AnalyzeDocumentDto {
  @Field.list(REQUESTED_GOALS, {
    optional: true,
    min: 1,
    max: REQUESTED_GOALS.length,
    empty: 'must contain at least one goal; omit it for correct',
    unique: 'must not contain a goal twice',
    description:
      '`correct` fixes findings, `consistency` unifies spelling and style, `simplify` suggests plain words, `title` proposes one. The others need a model. `custom` follows the `instructions`.',
    default: ['correct'],
    example: ['correct'],
  })
  goals?: RequestedGoal[];

  @Field.text({
    optional: true,
    max: MAX_INSTRUCTIONS,
    description: 'Instructions for the model in addition to the goals.',
    example: 'Keep the product names as they are.',
  })
  instructions?: string;

  @Field.text({
    optional: true,
    max: MAX_NAME_CHARACTERS,
    description: 'Required for the goal `tone`.',
    example: 'friendly',
  })
  tone?: string;

  @Field.text({
    optional: true,
    max: MAX_NAME_CHARACTERS,
    description: 'A BCP 47 tag or an English language name. Required for the goal `translate`.',
    example: 'de',
  })
  targetLanguage?: string;

  @Field.constant(false, {
    optional: true,
    default: false,
    description: 'Only `false`: suggestions are never applied without review.',
    issue: 'must be false; apply suggestions with POST …/enhancements/{id}/apply',
  })
  apply?: false;
}

/** The query of `GET /v1/documents/{id}/enhancements`. */
export class ListEnhancementsDto extends CreationOrderDto {}

/** The query of `GET /v1/documents/{id}/dismissals`. */
export class ListDismissalsDto extends CreationOrderDto {}

/** The query of `GET /v1/documents/{id}/quality`. */
export class ListQualityDto extends CreationOrderDto {
  @Field.oneOf(['asc', 'desc'], {
    optional: true,
    default: 'asc',
    description: '`asc`: oldest version first. `desc`: newest first.',
    example: 'asc',
  })
  override order: 'asc' | 'desc' = 'asc';
}

/** The body of `POST …/enhancements/{id}/reject`. */
export class RejectSuggestionsDto {
  @Field.schema(
    {
      oneOf: [
        {
          type: 'array',
          minItems: 1,
          maxItems: MAX_IDS,
          items: { type: 'string', maxLength: MAX_ID_CHARACTERS, pattern: ISSUE_ID_FORM },
        },
        { type: 'string', enum: ['all'] },
      ],
    },
    {
      description: 'Suggestion IDs, or `all` for all open suggestions.',
      example: 'all',
      check: (value) => selectionProblems(value, MAX_IDS),
    },
  )
  suggestionIds: string[] | 'all';
}

/** The body of `POST …/enhancements/{id}/accept`. */
export class AcceptSuggestionsDto {
  @Field.list(
    { type: 'string', maxLength: MAX_ID_CHARACTERS, pattern: ISSUE_ID_FORM },
    {
      min: 1,
      max: MAX_ACCEPTED,
      description: 'Suggestion IDs.',
      example: [ISSUE_ID],
      check: (ids) =>
        Array.isArray(ids)
          ? selectionProblems(ids, MAX_ACCEPTED)
          : 'must be an array of suggestion ids',
    },
  )
  suggestionIds: string[];
}

export const APPLY_EXAMPLES = {
  safe: {
    summary: 'Only near-certain suggestions',
    value: { suggestionIds: 'all', safe: true },
  },
  chosen: {
    summary: 'One suggestion, with a chosen replacement',
    value: { suggestionIds: [ISSUE_ID], replacements: { [ISSUE_ID]: 'definitely' } },
  },
};

/** The body of `POST …/enhancements/{id}/apply`. */
export class ApplySuggestionsDto extends RejectSuggestionsDto {
  @Field.flag({
    optional: true,
    default: false,
    description: 'Applies only `safe` suggestions.',
    example: true,
  })
  safe?: boolean;

  @Field.object(
    { additionalProperties: { type: 'string', maxLength: MAX_CONTENT_BYTES, pattern: KEPT_TEXT } },
    {
      optional: true,
      description: 'The replacement to apply, by suggestion ID. Default: the first one.',
      example: { [ISSUE_ID]: 'definitely' },
      check: replacementProblems,
    },
  )
  replacements?: Record<string, string>;
}

/** The body of `POST /v1/documents/{id}/dismissals`. */
export class DismissIssuesDto {
  @Field.list(
    { type: 'string', maxLength: MAX_ID_CHARACTERS, pattern: ISSUE_ID_FORM },
    {
      min: 1,
      max: MAX_DISMISSED,
      description: 'Issue IDs, as in an analysis.',
      example: [ISSUE_ID],
      check: issueIdsIssue,
    },
  )
  issueIds: string[];

  @Field.text({
    optional: true,
    max: MAX_CONTENT_BYTES,
    description:
      'The text in which `POST /v1/analyze` with `store: false` found the issues. It is checked again, and not stored.',
    example: 'The results was definately better.',
    check: contentProblem,
  })
  content?: string;

  @RangesField('The `ranges` of that request.')
  ranges?: TextPartDto[];
}

function selectionProblems(value: unknown, max: number): FieldProblem[] {
  const field = 'suggestionIds';
  if (value === 'all' || value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    return [{ field, issue: "must be an array of ids, or 'all'" }];
  }
  if (value.length === 0) return [{ field, issue: 'must contain at least one suggestion' }];
  if (value.length > max) {
    return [{ field, issue: `must have at most ${String(max)} items` }];
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

function issueIdsIssue(ids: unknown): string | undefined {
  if (!Array.isArray(ids)) return 'must be an array';
  if (ids.length === 0) return 'must contain at least one issue';
  if (ids.length > MAX_DISMISSED) return 'must have at most 1000 items';
  const isId = (id: unknown) => typeof id === 'string' && id.length <= MAX_ID_CHARACTERS;
  return ids.every(isId) ? undefined : 'must be ids of issues';
}
