import { Field, type FieldOptions } from '../../../../platform/openapi/field.js';
import { Filter } from '../../../../platform/openapi/filter.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../../content/document-type.js';
import { DocumentCreatorDto } from '../../dto/document.dto.js';
import { PUBLICATION_CHECKS, type PublicationProblem } from '../publication-checks.js';
import {
  MAX_ALLOWED,
  MAX_REASON_CHARACTERS,
  MAX_RULES,
  MAX_SCORE,
  OVERRIDERS,
  type Overrider,
} from '../publication-rules.js';
import { MAX_CACHE_SECONDS } from '../publishing-settings.repository.js';

const ErrorsField = (options: FieldOptions = {}) =>
  Field.integer({
    ...options,
    nullable: true,
    max: MAX_ALLOWED,
    description:
      'Maximum number of errors that the analysis finds. Issues that it does not list count as errors. Null: not checked.',
    example: 0,
  });

const MinScoreField = (options: FieldOptions = {}) =>
  Field.integer({
    ...options,
    nullable: true,
    max: MAX_SCORE,
    description:
      'Minimum overall score of the analysis. Texts that are too short for a score need none. Null: not checked.',
    example: 70,
  });

const OpenSuggestionsField = (options: FieldOptions = {}) =>
  Field.integer({
    ...options,
    nullable: true,
    max: MAX_ALLOWED,
    description:
      'Maximum number of open suggestions for this version, those of proposals included. Null: not checked.',
    example: 0,
  });

const TypesField = (options: FieldOptions = {}) =>
  Field.list(DOCUMENT_TYPES, {
    ...options,
    nullable: true,
    min: 1,
    max: DOCUMENT_TYPES.length,
    unique: 'must have each type once',
    description: 'The types of documents that the rule applies to. Null: all.',
    example: ['article'],
  });

const OverrideField = (options: FieldOptions = {}) =>
  Field.oneOf(OVERRIDERS, {
    ...options,
    description:
      'Who can publish a version despite its problems: people with at least this role, and keys with the scope `*`. `nobody`: nobody.',
    example: 'admin',
  });

/** What a version needs to be published. */
export class RequiredChecksDto {
  @ErrorsField() errors: number | null;
  @MinScoreField() minScore: number | null;
  @OpenSuggestionsField() openSuggestions: number | null;
}

/** What documents need to be published. */
export class PublicationRuleDto {
  @TypesField() types: DocumentType[] | null;
  @Field.object(RequiredChecksDto) checks: RequiredChecksDto;
  @OverrideField() override: Overrider;
}

/** What a version needs to be published. Omitted checks are not made. */
export class RequiredChecksInputDto {
  @ErrorsField({ optional: true }) errors?: number | null;
  @MinScoreField({ optional: true }) minScore?: number | null;
  @OpenSuggestionsField({ optional: true }) openSuggestions?: number | null;
}

/** What documents need to be published. `override` is `nobody` by default. */
export class PublicationRuleInputDto {
  @TypesField({ optional: true }) types?: DocumentType[] | null;
  @Field.object(RequiredChecksInputDto) checks: RequiredChecksInputDto;
  @OverrideField({ optional: true }) override?: Overrider;
}

/** The body of `PUT /v1/publishing`. Omitted settings get their defaults. */
export class PutPublishingDto {
  @Field.flag({
    description: 'Whether documents with the status `published` have a published version.',
    example: true,
  })
  enabled: boolean;

  @Field.integer({
    optional: true,
    max: MAX_CACHE_SECONDS,
    description:
      'How long browsers and caches may reuse responses with published versions, in seconds. Default: 0.',
    example: 60,
  })
  cacheSeconds?: number;

  @Field.flag({
    optional: true,
    description:
      'Whether caches between your website and this service may store these responses. Default: false.',
    example: false,
  })
  sharedCache?: boolean;

  @Field.list(PublicationRuleInputDto, {
    optional: true,
    max: MAX_RULES,
    description:
      'What documents need to be published. The first rule that fits the type of a document applies. Default: none.',
  })
  rules?: PublicationRuleInputDto[];
}

/** The publishing settings of an account. */
export class PublishingDto {
  @Field.flag({
    description: 'Whether documents with the status `published` have a published version.',
    example: true,
  })
  enabled: boolean;

  @Field.integer({
    max: MAX_CACHE_SECONDS,
    description:
      'How long browsers and caches may reuse responses with published versions, in seconds.',
    example: 60,
  })
  cacheSeconds: number;

  @Field.flag({
    description: 'Whether caches between your website and this service may store these responses.',
    example: false,
  })
  sharedCache: boolean;

  @Field.list(PublicationRuleDto, {
    max: MAX_RULES,
    description:
      'What documents need to be published. The first rule that fits the type of a document applies.',
  })
  rules: PublicationRuleDto[];

  @Field.flag({
    description: 'False while the service adds or removes published versions after a change.',
    example: true,
  })
  settled: boolean;

  @Field.time({ nullable: true, description: 'Null if the settings have never been changed.' })
  updatedAt: string | null;
}

/** Publishes a version although a rule refuses it. */
export class OverrideDto {
  @Field.text({
    max: MAX_REASON_CHARACTERS,
    notBlank: true,
    description: 'Why. It is in the audit log, with the problems.',
    example: 'The legal department has approved this wording.',
  })
  reason: string;
}

/** The body of `POST /v1/documents/{id}/publish`. */
export class PublishDocumentDto {
  @Field.integer({
    optional: true,
    min: 1,
    description:
      'The version to publish. An older one is a rollback. Default: the current version.',
    example: 3,
  })
  version?: number;

  @Field.object(OverrideDto, {
    optional: true,
    description:
      'Publishes the version despite problems, if the rule lets the caller do that. It also holds when this version is published again.',
  })
  override?: OverrideDto;
}

/** Why a version cannot be published. */
export class PublicationProblemDto implements PublicationProblem {
  @Field.oneOf(PUBLICATION_CHECKS, {
    description:
      '`analysis_missing`: no analysis of this text with the present rules, dictionary, engine and dismissals; `unchecked_language`: no check for mistakes is available for its language.',
    example: 'errors',
  })
  check: PublicationProblem['check'];

  @Field.text({
    max: 500,
    description: 'What is wrong, and what to do.',
    example: 'The analysis found 3 errors, and 0 are allowed. Correct or dismiss them.',
  })
  issue: string;

  @Field.id('analysis', { optional: true, description: 'The analysis that found it.' })
  analysisId?: string;
}

/** The query of `GET /v1/documents/{id}/publication-checks`. */
export class PublicationChecksQueryDto {
  @Filter.integer({
    min: 1,
    description: 'The version to check. Default: the current one.',
    example: 3,
  })
  version?: number;
}

/** What publishing a version would find. */
export class PublicationChecksDto {
  @Field.integer({ min: 1, description: 'The version that would be published.', example: 3 })
  version: number;

  @Field.list(PublicationProblemDto, {
    max: 20,
    description: 'Why the rules refuse it. Empty if they do not.',
  })
  problems: PublicationProblemDto[];

  @Field.flag({
    description: 'True if there are problems, and the caller can publish it despite them.',
    example: false,
  })
  canOverride: boolean;
}

/** What readers of a document saw, and when. */
export class PublicationDto {
  @Field.integer({
    min: 1,
    description: 'Counts the publications of the document.',
    example: 2,
  })
  number: number;

  @Field.integer({ min: 1, description: 'The version that was published.', example: 3 })
  version: number;

  @Field.time() publishedAt: string;

  @Field.object(DocumentCreatorDto, {
    nullable: true,
    description: 'Null if the service published it when publishing was turned on.',
  })
  publishedBy: DocumentCreatorDto | null;

  @Field.time({
    nullable: true,
    description:
      'When another version replaced it, or the document was unpublished. Null while readers get it.',
  })
  endedAt: string | null;
}
