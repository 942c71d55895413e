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
  aiSettingsProblems,
  metadataProblems,
} from '../../content/open-objects.js';
import { InputsField } from '../../templates/dto/write-template.dto.js';
import { getSchemaPath, OmitType, PickType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { inputProblems } from '../../templates/variables/variables.js';
import {
  fieldOf,
  SHOWN_FIELDS,
  DOCUMENT_STATUSES,
  type DocumentStatus,
} from '../model/document-fields.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';

const ExternalIdField = (description: string) =>
  Field.text({
    optional: true,
    nullable: true,
    min: 1,
    max: MAX_EXTERNAL_ID_CHARACTERS,
    description: `${description} 1 to 255 characters, no control characters; compared exactly. If another document has it, the response is 409 and names it.`,
    example: 'crm/4711',
    check: externalIdProblem,
  });

/** The collection of a document. Unknown IDs are refused when the document is written. */
const CollectionIdField = (description: string) =>
  Field.id('collection', {
    optional: true,
    nullable: true,
    description,
    example: null,
    check: (id) => (typeof id === 'string' ? undefined : 'must be a string or null'),
  });

/** A title. {@link CreateDocumentDto} checks it only if no template supplies one. */
const TitleField = (options: FieldOptions) =>
  Field.text({ min: 1, max: MAX_TITLE_CHARACTERS, check: titleProblem, ...options });

/**
 * The body of `POST /v1/documents`. The API document requires the title here and omits it in {@link
 * CreateDocumentFromTemplateDto}. Validation uses only this class.
 */
export class CreateDocumentDto {
  static readonly elsewhere = {
    status:
      'cannot be set here: a new document is a draft; change its status with PATCH /v1/documents/{id}',
  };

  @ValidateIf(
    ({ templateId }: CreateDocumentDto, title) => title !== undefined || templateId == null,
  )
  @TitleField({
    description: 'Stored as sent. Must not be blank.',
    example: 'Quarterly report',
  })
  title?: string;

  @Field.oneOf(DOCUMENT_TYPES, { optional: true, default: 'document', example: 'report' })
  type?: DocumentType;

  @Field.text({
    optional: true,
    max: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. Line breaks are stored as sent.',
    example: '# Results\n\nRevenue grew by 12 %.',
    check: contentProblem,
  })
  content?: string;

  @Field.object(METADATA, { optional: true, check: metadataProblems })
  metadata?: Record<string, unknown>;

  @Field.object(AI_SETTINGS, { optional: true, check: aiSettingsProblems })
  aiSettings?: Record<string, unknown>;

  @ExternalIdField('Your own ID for the document, unique in the account.')
  externalId?: string | null;

  @CollectionIdField('The collection that contains it. Without it, or if null, it is at the root.')
  collectionId?: string | null;

  @Field.id('template', {
    optional: true,
    description: 'A template of this account. It supplies all fields that the body omits.',
    ignoresNull: true,
    check: (id) => (typeof id === 'string' ? undefined : 'must be a string'),
  })
  templateId?: string | null;

  @InputsField((value, dto) =>
    (dto as CreateDocumentDto).templateId == null
      ? 'requires templateId; add the template, or remove the variables'
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
    description: 'A template of this account. It supplies all fields that the body omits.',
  })
  templateId: string;
}

/** The two forms of a new document. With them, generated types reject a body without title and template. */
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
    description: 'Default: `Copy of` and the title, truncated if needed.',
    example: 'Quarterly report, second half',
  })
  title?: string;

  @CollectionIdField('Default: the collection of the document. Null is the root.')
  collectionId?: string | null;
}

/** The body of `POST /v1/documents/{id}/restore`. */
export class RestoreDocumentDto {
  @CollectionIdField(
    'The collection to restore it to, as after a `PATCH`. Default: where it was. Null is the root.',
  )
  collectionId?: string | null;
}

/** Allows the read-only fields of responses in a body, so that clients can send back a document they have read. */
const AcceptsReadOnlyFields = () =>
  AcceptsFields([
    ...SHOWN_FIELDS.filter((name) => fieldOf(name).patchable === false),
    'highlight',
    'deletedAt',
  ]);

const BaseVersionField = (others: string) =>
  Field.integer({
    optional: true,
    min: 1,
    description: `The version that you changed. If there are newer ones, your title and content are merged with the current ones by lines and words. ${others} If both changed the same passage, the response is 409 with both texts.`,
    example: 1,
  });

/** The body of `PUT /v1/documents/{id}`: the whole document. Omitted fields are reset to their defaults. */
@AcceptsReadOnlyFields()
export class ReplaceDocumentDto extends OmitType(CreateDocumentDto, [
  'title',
  'externalId',
  'collectionId',
  'templateId',
  'templateVariables',
]) {
  @TitleField({
    description: 'Stored as sent. Must not be blank.',
    example: 'Quarterly report, final',
  })
  title: string;

  @Field.oneOf(DOCUMENT_STATUSES, {
    optional: true,
    description: 'If omitted, the status does not change.',
    example: 'in_review',
  })
  status?: DocumentStatus;

  @ExternalIdField('If omitted, it does not change. Null removes it.')
  externalId?: string | null;

  @CollectionIdField('If omitted, it does not change. Null moves it to the root.')
  collectionId?: string | null;

  @BaseVersionField('Other fields are set only if you changed them.')
  baseVersion?: number;
}

/** The body of `PATCH /v1/documents/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsReadOnlyFields()
export class PatchDocumentDto {
  @TitleField({
    optional: true,
    description: 'Stored as sent. Must not be blank.',
    example: 'Quarterly report, final',
  })
  title?: string;

  @Field.oneOf(DOCUMENT_TYPES, {
    optional: true,
    nullable: true,
    description: 'Null resets it to `document`.',
    example: 'report',
  })
  type?: DocumentType | null;

  @Field.text({
    optional: true,
    nullable: true,
    max: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. Null clears it.',
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
      'Allowed changes: `draft` and `in_review` to each other and to `published`, `published` and `archived` to `draft`, and any status to `archived`.',
    example: 'in_review',
  })
  status?: DocumentStatus;

  @ExternalIdField('Null removes it.')
  externalId?: string | null;

  @CollectionIdField('Moves it to this collection. Null moves it to the root.')
  collectionId?: string | null;

  @BaseVersionField('Other fields are set as without it.')
  baseVersion?: number;
}

type Example = { summary: string; value: CreateDocumentDto };

/** Example bodies of `POST /v1/documents` for the API document. */
export const CREATE_DOCUMENT_EXAMPLES: Readonly<Record<string, Example>> = {
  titleOnly: { summary: 'Only the required fields', value: { title: 'Meeting notes' } },
  report: {
    summary: 'A report with metadata and AI settings',
    value: {
      title: 'Quarterly report',
      type: 'report',
      content: '# Results\n\nRevenue grew by 12 %.',
      metadata: { tags: ['finance', 'q3'], department: 'Sales', project: 'Apollo' },
      aiSettings: { autoEnhance: true, suggestionLevel: 'medium', language: 'en' },
    },
  },
  ownMetadata: {
    summary: 'Metadata with custom keys',
    value: {
      title: 'Heat pumps in old buildings',
      type: 'research',
      content: 'Abstract\n\nWe measured 31 houses over two winters.',
      metadata: { tags: ['energy'], reviewers: [{ name: 'Grace', round: 2 }], confidential: false },
    },
  },
};
