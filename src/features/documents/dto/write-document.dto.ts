import { FieldOptions, Field, AcceptsFields } from '../../../platform/openapi/field.js';
import {
  contentProblem,
  externalIdProblem,
  titleProblem,
  MAX_CONTENT_BYTES,
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_TITLE_CHARACTERS,
} from '../../content/text-fields.js';
import {
  AiSettingsPatchField,
  MetadataPatchField,
  AI_SETTINGS,
  METADATA,
} from '../../content/open-objects.js';
import { InputsField } from '../../templates/dto/write-template.dto.js';
import { getSchemaPath, OmitType, PickType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { inputProblems } from '../../templates/variables/variables.js';
import { fieldOf, SHOWN_FIELDS } from '../document-fields.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../document-fields.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { aiSettingsProblems, metadataProblems } from '../../content/open-objects.js';

const ExternalIdField = (description: string) =>
  Field.text({
    optional: true,
    nullable: true,
    min: 1,
    max: MAX_EXTERNAL_ID_CHARACTERS,
    description: `${description} 1 to 255 characters, no control characters; compared exactly. 409 tells which document has it already.`,
    example: 'crm/4711',
    check: externalIdProblem,
  });

/** A title. {@link CreateDocumentDto} checks its own only when no template supplies one. */
const TitleField = (options: FieldOptions) =>
  Field.text({ min: 1, max: MAX_TITLE_CHARACTERS, check: titleProblem, ...options });

/**
 * The body of `POST /v1/documents`. The API document requires the title here and leaves it out in
 * {@link CreateDocumentFromTemplateDto}; validation reads this class alone.
 */
export class CreateDocumentDto {
  static readonly elsewhere = {
    status: 'is changed by PATCH /v1/documents/{id}; a new document is a draft',
  };

  @ValidateIf(
    ({ templateId }: CreateDocumentDto, title) => title !== undefined || templateId == null,
  )
  @TitleField({
    description: 'Kept as sent. Must not be blank.',
    example: 'Quarterly report',
  })
  title?: string;

  @Field.oneOf(DOCUMENT_TYPES, { optional: true, default: 'document', example: 'report' })
  type?: DocumentType;

  @Field.text({
    optional: true,
    max: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. Line breaks are kept as sent.',
    example: '# Results\n\nRevenue grew by 12 %.',
    check: contentProblem,
  })
  content?: string;

  @Field.object(METADATA, { optional: true, check: metadataProblems })
  metadata?: Record<string, unknown>;

  @Field.object(AI_SETTINGS, { optional: true, check: aiSettingsProblems })
  aiSettings?: Record<string, unknown>;

  @ExternalIdField('Your own id of it, unique in the account.')
  externalId?: string | null;

  @Field.id('template', {
    optional: true,
    description: 'A template of this account. It supplies every field that the body omits.',
    ignoresNull: true,
    check: (id) => (typeof id === 'string' ? undefined : 'must be a string'),
  })
  templateId?: string | null;

  @InputsField((value, { dto }) =>
    (dto as CreateDocumentDto).templateId == null
      ? 'goes only with templateId; name the template, or leave the variables out'
      : inputProblems(value),
  )
  templateVariables?: Record<string, unknown> | null;
}

/** A body of `POST /v1/documents` without a title, for the API document only. */
export class CreateDocumentFromTemplateDto extends OmitType(CreateDocumentDto, [
  'title',
  'templateId',
]) {
  @TitleField({
    optional: true,
    description: "Defaults to the template's title; required if the template has none.",
    example: 'Offer for Ada',
  })
  title?: string;

  @Field.id('template', {
    description: 'A template of this account. It supplies every field that the body omits.',
  })
  templateId: string;
}

/** The two forms of a new document, so that generated types refuse a body with neither title nor template. */
export const NEW_DOCUMENT = {
  anyOf: [
    { $ref: getSchemaPath(CreateDocumentDto) },
    { $ref: getSchemaPath(CreateDocumentFromTemplateDto) },
  ],
};

/** The body of `POST /v1/documents/{id}/copy`. */
export class CopyDocumentDto extends PickType(CreateDocumentDto, ['type', 'metadata']) {
  @TitleField({
    optional: true,
    description: 'Left out, it is `Copy of` and the title, as much as fits.',
    example: 'Quarterly report, second half',
  })
  title?: string;
}

/** Lets a body carry what answers carry and nobody can change, so that a document that was read can be sent back. */
const AcceptsReadOnlyFields = () =>
  AcceptsFields([
    ...SHOWN_FIELDS.filter((name) => fieldOf(name).patchable === false),
    'highlight',
    'deletedAt',
  ]);

/** The body of `PUT /v1/documents/{id}`: the whole document; what is left out is as in a new one. */
@AcceptsReadOnlyFields()
export class ReplaceDocumentDto extends OmitType(CreateDocumentDto, [
  'title',
  'externalId',
  'templateId',
  'templateVariables',
]) {
  @TitleField({
    description: 'Kept as sent. Not only white space.',
    example: 'Quarterly report, final',
  })
  title: string;

  @Field.oneOf(DOCUMENT_STATUSES, {
    optional: true,
    description: 'Left out, the status stays.',
    example: 'in_review',
  })
  status?: DocumentStatus;

  @ExternalIdField('Left out, it stays; null removes it.')
  externalId?: string | null;
}

/** The body of `PATCH /v1/documents/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsReadOnlyFields()
export class PatchDocumentDto {
  @TitleField({
    optional: true,
    description: 'Kept as sent. Not only white space.',
    example: 'Quarterly report, final',
  })
  title?: string;

  @Field.oneOf(DOCUMENT_TYPES, {
    optional: true,
    nullable: true,
    description: 'Null makes it a `document`.',
    example: 'report',
  })
  type?: DocumentType | null;

  @Field.text({
    optional: true,
    nullable: true,
    max: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. Null empties it.',
    example: '# Results\n\nRevenue grew by 13 %.',
    check: contentProblem,
  })
  content?: string | null;

  @MetadataPatchField()
  metadata?: Record<string, unknown> | null;

  @AiSettingsPatchField()
  aiSettings?: Record<string, unknown> | null;

  @Field.oneOf(DOCUMENT_STATUSES, {
    optional: true,
    description:
      'draft and in_review turn into each other and into published; published turns into draft; any turns into archived, and archived into draft.',
    example: 'in_review',
  })
  status?: DocumentStatus;

  @ExternalIdField('Null removes it.')
  externalId?: string | null;
}

type Example = { summary: string; value: CreateDocumentDto };

/** Bodies of `POST /v1/documents` that the API document shows. */
export const CREATE_DOCUMENT_EXAMPLES: Readonly<Record<string, Example>> = {
  titleOnly: { summary: 'Only what is required', value: { title: 'Meeting notes' } },
  report: {
    summary: 'A report with metadata and AI settings',
    value: {
      title: 'Quarterly report',
      type: 'report',
      content: '# Results\n\nRevenue grew by 12 %.',
      metadata: { tags: ['finance', 'q3'], department: 'Sales', project: 'Apollo' },
      aiSettings: { autoEnhance: true, suggestionLevel: 'moderate', language: 'en' },
    },
  },
  ownMetadata: {
    summary: 'Metadata with keys of your own',
    value: {
      title: 'Heat pumps in old buildings',
      type: 'research',
      content: 'Abstract\n\nWe measured 31 houses over two winters.',
      metadata: { tags: ['energy'], reviewers: [{ name: 'Grace', round: 2 }], confidential: false },
    },
  },
};
