import { textSchema, MAX_INT32 } from '../../../platform/openapi/schemas.js';
import { Field, type FieldOptions } from '../../../platform/openapi/field.js';
import { DocumentCreatorDto } from '../../documents/dto/document.dto.js';
import { MAX_METADATA_BYTES } from '../../content/open-objects.js';
import { MAX_CONTENT_BYTES, MAX_TITLE_CHARACTERS } from '../../content/text-fields.js';
import { MAX_MESSAGE } from '../proposals/proposal-limits.js';
import { ContentDiffDto } from '../../documents/versions/dto/version.dto.js';
import { JobDto, JobErrorDto } from '../../jobs/dto/job.dto.js';
import { OmitType, type SchemaObject } from '@nestjs/swagger';
import { CHECKS, ISSUE_STATUSES } from '@document-service/text-analysis/analysis';
import { ENHANCEMENT_STATUSES, PROPOSAL } from '../enhancements/enhancement.js';
import { GOALS, TEXT_SOURCES } from '../providers/analysis-provider.js';
import { EngineDto, ISSUE_ID, IssueDto, ScoresDto, SettingsDto } from './analysis.dto.js';
import { MAX_NAME_CHARACTERS, ISSUE_ID_FORM, MAX_INSTRUCTIONS } from './analyze.dto.js';

/** Any JSON value. */
const ANY_JSON = {
  anyOf: [
    textSchema(MAX_METADATA_BYTES),
    { type: 'number', format: 'double' },
    { type: 'boolean' },
    { type: 'object', additionalProperties: true },
    { type: 'array', maxItems: MAX_METADATA_BYTES, items: {} },
    { type: 'null' },
  ],
} as SchemaObject;

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

/** A proposed change and its status. */
export class SuggestionDto extends OmitType(IssueDto, ['category', 'source']) {
  @Field.oneOf([...CHECKS, PROPOSAL], { example: 'spelling' }) category: string;

  @Field.oneOf(['rule', 'model', PROPOSAL], { example: 'rule' }) source: string;

  @Field.text({ max: 5000, example: 'The word is not in any dictionary of this language.' })
  reason: string;

  @Field.text({
    max: MAX_CONTENT_BYTES,
    nullable: true,
    description: 'The replacement that was applied.',
    example: null,
  })
  chosen: string | null;

  @VersionField(
    'The document version that was created when the suggestion was applied. Null if it was accepted as an ordinary edit.',
    {
      nullable: true,
      example: null,
    },
  )
  appliedVersion: number | null;
}

/** A title or summary of a document. The client decides how to use it. */
class ProposedTextDto {
  @Field.oneOf(['title', 'summarise'], { example: 'title' }) goal: string;
  @Field.text({ max: 2000, example: 'How we use our tools' }) text: string;

  @Field.oneOf(TEXT_SOURCES, {
    description: '`extracted`: words of the document. `model`: written by the language model.',
    example: 'extracted',
  })
  source: string;
}

class ProposalKeyDto {
  @Field.id('key') id: string;
  @Field.text({ max: 100, example: 'Support bot' }) name: string;
}

class ProposalDocumentDto {
  @Field.text({ max: MAX_TITLE_CHARACTERS, example: 'Quarterly report' }) title: string;
  @VersionField('The current version.', { example: 4 }) version: number;
}

/** Who proposed changes, and to which document. */
class ProposalDto {
  @Field.text({
    max: MAX_MESSAGE,
    nullable: true,
    example: 'Corrects the figures of July.',
  })
  message: string | null;

  @Field.object(ProposalKeyDto, {
    nullable: true,
    description: 'The key that sent it; null for a signed-in person.',
  })
  key: ProposalKeyDto | null;

  @Field.object(ProposalDocumentDto) document: ProposalDocumentDto;
}

/** A proposed change of the title or of a metadata member. */
class FieldChangeDto {
  @Field.text({ max: 60, example: ISSUE_ID }) id: string;

  @Field.text({
    max: MAX_METADATA_BYTES + 20,
    description: '`title`, or `metadata.` and the name of a member.',
    example: 'metadata.department',
  })
  field: string;

  @Field.schema(ANY_JSON, { description: 'The value that it replaces, or null.', example: 'Sales' })
  from: unknown;

  @Field.schema(ANY_JSON, {
    description: 'The new value. Null removes the member.',
    example: 'Finance',
  })
  to: unknown;

  @Field.text({ max: MAX_MESSAGE, example: '' }) reason: string;
  @Field.oneOf(ISSUE_STATUSES, { example: 'open' }) status: string;

  @VersionField('The document version that was created when the change was applied.', {
    nullable: true,
    example: null,
  })
  appliedVersion: number | null;
}

/** An enhancement in a list. */
export class EnhancementItemDto {
  @Field.id('enhancement') id: string;
  @Field.id('document') documentId: string;
  @VersionField('The document version that was enhanced.', { example: 3 }) baseVersion: number;

  @VersionField('The version to which the ranges of open suggestions refer.', {
    example: 3,
  })
  textVersion: number;

  @Field.oneOf(ENHANCEMENT_STATUSES, {
    description:
      '`failed`: no suggestions. `proposed`: some are open, none is applied. `applied`: all are applied. `partially_applied`: some are. Otherwise `stale` or `rejected`.',
    example: 'proposed',
  })
  status: string;

  @Field.flag({
    description: 'True if created automatically (`aiSettings.autoEnhance`).',
    example: false,
  })
  automatic: boolean;

  @Field.list(GOALS, { max: GOALS.length, example: ['correct'] }) goals: string[];
  @Field.text({ max: MAX_INSTRUCTIONS, nullable: true, example: null }) instructions: string | null;

  @Field.object(EnhancementSettingsDto, { description: 'The engine of the enhancement.' })
  effectiveSettings: EnhancementSettingsDto;

  @Field.object(SuggestionCountsDto, { description: 'Suggestions and field changes by status.' })
  suggestionCounts: SuggestionCountsDto;
  @Field.list(textSchema(1000), { max: 100, example: [] }) warnings: string[];

  @Field.object(
    { additionalProperties: { type: 'integer', format: 'int32', minimum: 0, maximum: MAX_INT32 } },
    {
      description: 'Number of discarded edits of the model or the proposal, by reason.',
      example: { 'not found': 1 },
    },
  )
  dropped: Record<string, number>;

  @Field.list(ProposedTextDto, {
    max: 2,
    description: 'Results of `title` and `summarise`, which are not applied.',
  })
  texts: ProposedTextDto[];

  @Field.object(EngineDto) engine: EngineDto;
  @Field.id('job', {
    nullable: true,
    description: 'The job that creates it. Null for proposals.',
  })
  jobId: string | null;

  @Field.object(JobErrorDto, { nullable: true, description: 'Present if it failed.' })
  error: JobErrorDto | null;

  @Field.object(DocumentCreatorDto, { description: 'The user who requested it.' })
  createdBy: DocumentCreatorDto;

  @Field.time() createdAt: string;
  @Field.time() updatedAt: string;

  @Field.object(ProposalDto, {
    nullable: true,
    description: 'Set if a person or a program sent the changes. Null for generated suggestions.',
  })
  proposal: ProposalDto | null;
}

/** Proposed changes to a document. */
export class EnhancementDto extends EnhancementItemDto {
  @Field.list(SuggestionDto, {
    max: 2_000,
    description: 'In text order. Applied and stale suggestions keep their last ranges.',
  })
  suggestions: SuggestionDto[];

  @Field.list(FieldChangeDto, {
    max: 1_000,
    description:
      'Changes of the title and metadata that were proposed. Select them by id like suggestions. They become `stale` if the value is no longer `from`.',
    example: [],
  })
  fieldChanges: FieldChangeDto[];

  @Field.text({
    max: 4 * MAX_CONTENT_BYTES,
    nullable: true,
    description:
      'The content of `textVersion` with the first replacement of each open suggestion, except those that overlap an earlier one. Null while pending.',
    example: 'The results were definitely better.',
  })
  preview: string | null;

  @Field.object(ContentDiffDto, {
    nullable: true,
    description: 'The differences between the content of `textVersion` and `preview`.',
  })
  diff: ContentDiffDto | null;
}

class ConflictDto {
  @Field.text({ max: 60, example: ISSUE_ID }) id: string;

  @Field.text({
    max: 60,
    description: 'The suggestion that was applied instead.',
    example: ISSUE_ID,
  })
  with: string;
}

/** An enhancement after suggestions were applied. */
export class AppliedEnhancementDto extends EnhancementDto {
  @VersionField('The current version of the document. `ETag` is its entity tag.', { example: 4 })
  documentVersion: number;

  @Field.list(ConflictDto, {
    max: 2_000,
    description: 'Suggestions that were not applied because they overlap an applied one.',
  })
  conflicts: ConflictDto[];
}

/** The response while an enhancement is in progress: its job, and the id of the enhancement. */
export class EnhancementJobDto extends JobDto {
  @Field.id('enhancement') enhancementId: string;
}

/** A dismissed finding. */
export class DismissalDto {
  @Field.text({ max: 60, example: ISSUE_ID }) issueId: string;
  @Field.object(DocumentCreatorDto) createdBy: DocumentCreatorDto;
  @Field.time() createdAt: string;
}

/** The response to a dismissal. */
export class DismissedDto {
  @Field.list(
    { type: 'string', maxLength: 60, pattern: ISSUE_ID_FORM },
    { max: 1_000, description: 'All requested issues, without duplicates.', example: [ISSUE_ID] },
  )
  issueIds: string[];
}

/** The response to undoing a dismissal. */
export class RemovedDismissalDto {
  @Field.text({ max: 60, example: ISSUE_ID }) id: string;
  @Field.constant(true) deleted: true;
}

/** The scores of one version of a document. */
export class VersionQualityDto {
  @VersionField('The analyzed version.', { example: 3 }) documentVersion: number;
  @Field.id('analysis') analysisId: string;
  @Field.object(ScoresDto) scores: ScoresDto;
  @Field.time({ description: 'When the version was analyzed.' }) analyzedAt: string;
}
