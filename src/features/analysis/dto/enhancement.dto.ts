import { textSchema, MAX_INT32 } from '../../../platform/openapi/schemas.js';
import { Field, type FieldOptions } from '../../../platform/openapi/field.js';
import { DocumentCreatorDto } from '../../documents/dto/document.dto.js';
import { MAX_CONTENT_BYTES } from '../../content/text-fields.js';
import { ContentDiffDto } from '../../documents/versions/dto/version.dto.js';
import { JobDto, JobErrorDto } from '../../jobs/dto/job.dto.js';
import { ENHANCEMENT_STATUSES } from '../enhancements/enhancement.js';
import { GOALS } from '../providers/analysis-provider.js';
import { EngineDto, ISSUE_ID, IssueDto, ScoresDto, SettingsDto } from './analysis.dto.js';
import { MAX_NAME_CHARACTERS } from './analyze.dto.js';
import { ISSUE_ID_FORM, MAX_INSTRUCTIONS } from './analyze.dto.js';

const VersionField = (description: string, options: FieldOptions) =>
  Field.integer({ min: 1, description, ...options });

class SuggestionCountsDto {
  @Field.integer({ example: 4 }) open: number;
  @Field.integer({ example: 2 }) accepted: number;
  @Field.integer({ example: 0 }) rejected: number;
  @Field.integer({ example: 1 }) stale: number;
}

class EnhancementSettingsDto extends SettingsDto {
  @Field.text({ max: MAX_NAME_CHARACTERS, nullable: true, example: null }) tone: string | null;

  @Field.text({ max: MAX_NAME_CHARACTERS, nullable: true, example: null })
  targetLanguage: string | null;
}

/** A change that is proposed, and what became of it. */
export class SuggestionDto extends IssueDto {
  @Field.text({ max: 5000, example: 'The word stands in no dictionary of this language.' })
  reason: string;

  @Field.text({
    max: MAX_CONTENT_BYTES,
    nullable: true,
    description: 'The replacement that was applied.',
    example: null,
  })
  chosen: string | null;

  @VersionField('The version of the document that applying it made.', {
    nullable: true,
    example: null,
  })
  appliedVersion: number | null;
}

/** A text that a model made of a document: send it by PATCH of the document, or use it elsewhere. */
class ProposedTextDto {
  @Field.oneOf(['title', 'summarise'], { example: 'title' }) goal: string;
  @Field.text({ max: 2000, example: 'How we use our tools' }) text: string;
}

/** An enhancement as lists show it. */
export class EnhancementItemDto {
  @Field.id('enhancement') id: string;
  @Field.id('document') documentId: string;
  @VersionField('The version that it was made from.', { example: 3 }) baseVersion: number;

  @VersionField('The version in whose content the ranges of open suggestions are.', { example: 3 })
  textVersion: number;

  @Field.oneOf(ENHANCEMENT_STATUSES, {
    description:
      '`pending` while it is made, `failed` when it could not be. Then what has become of its suggestions: none applied and some open (`proposed`), all (`applied`) or some (`partially_applied`) applied; else `stale` or `rejected`.',
    example: 'proposed',
  })
  status: string;

  @Field.flag({
    description: 'Whether nobody asked for it: `aiSettings.autoEnhance`.',
    example: false,
  })
  automatic: boolean;

  @Field.list(GOALS, { max: GOALS.length, example: ['correct'] }) goals: string[];
  @Field.text({ max: MAX_INSTRUCTIONS, nullable: true, example: null }) instructions: string | null;

  @Field.object(EnhancementSettingsDto, { description: 'By what it was made.' })
  effectiveSettings: EnhancementSettingsDto;

  @Field.object(SuggestionCountsDto) suggestionCounts: SuggestionCountsDto;
  @Field.list(textSchema(1000), { max: 100, example: [] }) warnings: string[];

  @Field.object(
    { additionalProperties: { type: 'integer', format: 'int32', minimum: 0, maximum: MAX_INT32 } },
    { description: 'Edits that were proposed and not kept, by why.', example: { 'not found': 1 } },
  )
  dropped: Record<string, number>;

  @Field.list(ProposedTextDto, {
    max: 2,
    description: 'What the goals `title` and `summarise` have made. Nothing applies it.',
  })
  texts: ProposedTextDto[];

  @Field.object(EngineDto) engine: EngineDto;
  @Field.id('job', { description: 'The job that makes it.' }) jobId: string;

  @Field.object(JobErrorDto, { nullable: true, description: 'Once it has failed.' })
  error: JobErrorDto | null;

  @Field.object(DocumentCreatorDto, { description: 'Who asked for it.' })
  createdBy: DocumentCreatorDto;

  @Field.time() createdAt: string;
  @Field.time() updatedAt: string;
}

/** Changes that are proposed for a document. */
export class EnhancementDto extends EnhancementItemDto {
  @Field.list(SuggestionDto, {
    max: 2_000,
    description:
      'In the order of the text. The ranges of accepted and stale ones are where they stood last.',
  })
  suggestions: SuggestionDto[];

  @Field.text({
    max: 4 * MAX_CONTENT_BYTES,
    nullable: true,
    description:
      'The content of `textVersion` with every open suggestion applied that overlaps none before it, by its first replacement. Null until it is made.',
    example: 'The results were definitely better.',
  })
  preview: string | null;

  @Field.object(ContentDiffDto, {
    nullable: true,
    description: 'From the content of `textVersion` to `preview`.',
  })
  diff: ContentDiffDto | null;
}

class ConflictDto {
  @Field.text({ max: 60, example: ISSUE_ID }) id: string;

  @Field.text({ max: 60, description: 'The edit that was made instead of it.', example: ISSUE_ID })
  with: string;
}

/** An enhancement of which suggestions were applied. */
export class AppliedEnhancementDto extends EnhancementDto {
  @VersionField('That of the document now; `ETag` is its entity tag.', { example: 4 })
  documentVersion: number;

  @Field.list(ConflictDto, {
    max: 2_000,
    description: 'Suggestions that were not applied because they overlap one that was.',
  })
  conflicts: ConflictDto[];
}

/** The answer to an enhancement that takes longer: its job, and which enhancement it makes. */
export class EnhancementJobDto extends JobDto {
  @Field.id('enhancement') enhancementId: string;
}

/** A finding that stays dismissed. */
export class DismissalDto {
  @Field.text({ max: 60, example: ISSUE_ID }) issueId: string;
  @Field.object(DocumentCreatorDto) createdBy: DocumentCreatorDto;
  @Field.time() createdAt: string;
}

/** The answer to dismissing. */
export class DismissedDto {
  @Field.list(
    { type: 'string', maxLength: 60, pattern: ISSUE_ID_FORM },
    { max: 1_000, description: 'All that were named, each once.', example: [ISSUE_ID] },
  )
  issueIds: string[];
}

/** The answer to taking a dismissal back. */
export class RemovedDismissalDto {
  @Field.text({ max: 60, example: ISSUE_ID }) id: string;
  @Field.constant(true) deleted: true;
}

/** The scores of one version of a document. */
export class VersionQualityDto {
  @VersionField('The version that was analysed.', { example: 3 }) documentVersion: number;
  @Field.id('analysis') analysisId: string;
  @Field.object(ScoresDto) scores: ScoresDto;
  @Field.time({ description: 'When it was analysed.' }) analyzedAt: string;
}
