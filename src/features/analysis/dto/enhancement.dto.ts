import { ApiProperty } from '@nestjs/swagger';
import { DocumentCreatorDto } from '../../documents/dto/document.dto.js';
import { MAX_CONTENT_BYTES } from '../../content/text-fields.js';
import { ContentDiffDto } from '../../documents/versions/dto/version.dto.js';
import { JobDto, JobErrorDto } from '../../jobs/dto/job.dto.js';
import {
  ApiId,
  ApiInteger,
  ApiText,
  ApiTimestamp,
  KEPT_TEXT,
} from '../../../platform/openapi/property-decorators.js';
import { ENHANCEMENT_STATUSES } from '../enhancements/enhancement.js';
import { GOALS } from '../providers/analysis-provider.js';
import { EngineDto, ISSUE_ID, IssueDto, ScoresDto, SettingsDto } from './analysis.dto.js';
import { MAX_NAME_CHARACTERS } from './analyze.dto.js';
import { ISSUE_ID_FORM, MAX_INSTRUCTIONS } from './enhance.dto.js';

const LARGEST = 2_147_483_647;
const count = (example: number) => ({ minimum: 0, maximum: LARGEST, example });
const version = (description: string, example: number) => ({
  minimum: 1,
  maximum: LARGEST,
  description,
  example,
});

class SuggestionCountsDto {
  @ApiInteger(count(4))
  open: number;

  @ApiInteger(count(2))
  accepted: number;

  @ApiInteger(count(0))
  rejected: number;

  @ApiInteger(count(1))
  stale: number;
}

class EnhancementSettingsDto extends SettingsDto {
  @ApiText({ maxLength: MAX_NAME_CHARACTERS, nullable: true, example: null })
  tone: string | null;

  @ApiText({ maxLength: MAX_NAME_CHARACTERS, nullable: true, example: null })
  targetLanguage: string | null;
}

/** A change that is proposed, and what became of it. */
export class SuggestionDto extends IssueDto {
  @ApiText({ maxLength: 5000, example: 'The word stands in no dictionary of this language.' })
  reason: string;

  @ApiText({
    maxLength: MAX_CONTENT_BYTES,
    nullable: true,
    description: 'The replacement that was applied.',
    example: null,
  })
  chosen: string | null;

  @ApiInteger({
    ...version('The version of the document that applying it made.', 4),
    nullable: true,
    example: null,
  })
  appliedVersion: number | null;
}

/** A text that a model made of a document: send it by PATCH of the document, or use it elsewhere. */
class ProposedTextDto {
  @ApiProperty({ enum: ['title', 'summarise'], example: 'title' })
  goal: string;

  @ApiText({ maxLength: 2000, example: 'How we use our tools' })
  text: string;
}

/** An enhancement as lists show it. */
export class EnhancementItemDto {
  @ApiId('enhancement')
  id: string;

  @ApiId('document')
  documentId: string;

  @ApiInteger(version('The version that it was made from.', 3))
  baseVersion: number;

  @ApiInteger(version('The version in whose content the ranges of open suggestions are.', 3))
  textVersion: number;

  @ApiProperty({
    enum: ENHANCEMENT_STATUSES,
    description:
      '`pending` while it is made, `failed` when it could not be. Then what has become of its suggestions: none applied and some open (`proposed`), all (`applied`) or some (`partially_applied`) applied; else `stale` or `rejected`.',
    example: 'proposed',
  })
  status: string;

  @ApiProperty({
    type: Boolean,
    description: 'Whether nobody asked for it: `aiSettings.autoEnhance`.',
    example: false,
  })
  automatic: boolean;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...GOALS] },
    maxItems: GOALS.length,
    example: ['correct'],
  })
  goals: string[];

  @ApiText({ maxLength: MAX_INSTRUCTIONS, nullable: true, example: null })
  instructions: string | null;

  @ApiProperty({ type: EnhancementSettingsDto, description: 'By what it was made.' })
  effectiveSettings: EnhancementSettingsDto;

  @ApiProperty({ type: SuggestionCountsDto })
  suggestionCounts: SuggestionCountsDto;

  @ApiProperty({
    type: 'array',
    maxItems: 100,
    items: { type: 'string', maxLength: 1000, pattern: KEPT_TEXT },
    example: [],
  })
  warnings: string[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer', format: 'int32', minimum: 0, maximum: LARGEST },
    description: 'Edits that were proposed and not kept, by why.',
    example: { 'not found': 1 },
  })
  dropped: Record<string, number>;

  @ApiProperty({
    type: [ProposedTextDto],
    maxItems: 2,
    description: 'What the goals `title` and `summarise` have made. Nothing applies it.',
  })
  texts: ProposedTextDto[];

  @ApiProperty({ type: EngineDto })
  engine: EngineDto;

  @ApiId('job', { description: 'The job that makes it.' })
  jobId: string;

  @ApiProperty({ type: JobErrorDto, nullable: true, description: 'Once it has failed.' })
  error: JobErrorDto | null;

  @ApiProperty({ type: DocumentCreatorDto, description: 'Who asked for it.' })
  createdBy: DocumentCreatorDto;

  @ApiTimestamp()
  createdAt: string;

  @ApiTimestamp()
  updatedAt: string;
}

/** Changes that are proposed for a document. */
export class EnhancementDto extends EnhancementItemDto {
  @ApiProperty({
    type: [SuggestionDto],
    maxItems: 2_000,
    description:
      'In the order of the text. The ranges of accepted and stale ones are where they stood last.',
  })
  suggestions: SuggestionDto[];

  @ApiText({
    maxLength: 4 * MAX_CONTENT_BYTES,
    nullable: true,
    description:
      'The content of `textVersion` with every open suggestion applied that overlaps none before it, by its first replacement. Null until it is made.',
    example: 'The results were definitely better.',
  })
  preview: string | null;

  @ApiProperty({
    type: ContentDiffDto,
    nullable: true,
    description: 'From the content of `textVersion` to `preview`.',
  })
  diff: ContentDiffDto | null;
}

class ConflictDto {
  @ApiText({ maxLength: 60, example: ISSUE_ID })
  id: string;

  @ApiText({
    maxLength: 60,
    description: 'The edit that was made instead of it.',
    example: ISSUE_ID,
  })
  with: string;
}

/** An enhancement of which suggestions were applied. */
export class AppliedEnhancementDto extends EnhancementDto {
  @ApiInteger(version('That of the document now; `ETag` is its entity tag.', 4))
  documentVersion: number;

  @ApiProperty({
    type: [ConflictDto],
    maxItems: 2_000,
    description: 'Suggestions that were not applied because they overlap one that was.',
  })
  conflicts: ConflictDto[];
}

/** The answer to an enhancement that takes longer: its job, and which enhancement it makes. */
export class EnhancementJobDto extends JobDto {
  @ApiId('enhancement')
  enhancementId: string;
}

/** A finding that stays dismissed. */
export class DismissalDto {
  @ApiText({ maxLength: 60, example: ISSUE_ID })
  issueId: string;

  @ApiProperty({ type: DocumentCreatorDto })
  createdBy: DocumentCreatorDto;

  @ApiTimestamp()
  createdAt: string;
}

/** The answer to dismissing. */
export class DismissedDto {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', maxLength: 60, pattern: ISSUE_ID_FORM },
    maxItems: 1_000,
    description: 'All that were named, each once.',
    example: [ISSUE_ID],
  })
  issueIds: string[];
}

/** The answer to taking a dismissal back. */
export class RemovedDismissalDto {
  @ApiText({ maxLength: 60, example: ISSUE_ID })
  id: string;

  @ApiProperty({ enum: [true], example: true })
  deleted: true;
}

/** The scores of one version of a document. */
export class VersionQualityDto {
  @ApiInteger(version('The version that was analysed.', 3))
  documentVersion: number;

  @ApiId('analysis')
  analysisId: string;

  @ApiProperty({ type: ScoresDto })
  scores: ScoresDto;

  @ApiTimestamp({ description: 'When it was analysed.' })
  analyzedAt: string;
}
