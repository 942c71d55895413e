import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, getSchemaPath, OmitType, PickType } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, registerDecorator, ValidateIf } from 'class-validator';
import {
  AcceptsFields,
  CheckedBy,
  IfSent,
  IsRequired,
} from '../../../platform/http/envelope/field-decorators.js';
import { isObject } from '../../../platform/http/bodies/json-text.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { ApiId, ApiText } from '../../../platform/openapi/property-decorators.js';
import { TEMPLATE_VARIABLES } from '../../templates/dto/preview-template.dto.js';
import { inputProblems } from '../../templates/variables/variables.js';
import {
  fieldOf,
  SHOWN_FIELDS,
  DOCUMENT_STATUSES,
  type DocumentStatus,
} from '../document-fields.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import {
  aiSettingsProblems,
  metadataProblems,
  AI_SETTINGS,
  AI_SETTINGS_PATCH,
  METADATA,
  METADATA_PATCH,
} from '../../content/open-objects.js';
import {
  IsContent,
  IsExternalId,
  IsTitle,
  MAX_CONTENT_BYTES,
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_TITLE_CHARACTERS,
} from '../../content/text-fields.js';

/** An external id, or null for none. */
const ExternalId = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiText({
      required: false,
      nullable: true,
      minLength: 1,
      maxLength: MAX_EXTERNAL_ID_CHARACTERS,
      description: `${description} 1 to 255 characters, no control characters; compared exactly. 409 tells which document has it already.`,
      example: 'crm/4711',
    }),
    IsOptional(),
    IsExternalId(),
  );

/** Values without a template would be lost. */
const GoesWithTemplate = (): PropertyDecorator => (target, propertyName) => {
  registerDecorator({
    name: 'goesWithTemplate',
    target: target.constructor,
    propertyName: propertyName as string,
    validator: {
      validate: (value: unknown, validation) =>
        value == null || (validation?.object as CreateDocumentDto).templateId != null,
      defaultMessage: () =>
        'goes only with templateId; name the template, or leave the variables out',
    },
  });
};

/**
 * The body of `POST /v1/documents`. The API document requires the title here and leaves it out in
 * {@link CreateDocumentFromTemplateDto}; validation reads this class alone.
 */
export class CreateDocumentDto {
  static readonly elsewhere = {
    status: 'is changed by PATCH /v1/documents/{id}; a new document is a draft',
  };

  @ApiText({
    minLength: 1,
    maxLength: MAX_TITLE_CHARACTERS,
    description: 'Kept as sent. Must not be blank.',
    example: 'Quarterly report',
  })
  @ValidateIf(
    ({ templateId }: CreateDocumentDto, title) => title !== undefined || templateId == null,
  )
  @IsTitle()
  @IsRequired()
  title?: string;

  @ApiPropertyOptional({ enum: DOCUMENT_TYPES, default: 'document', example: 'report' })
  @IfSent()
  @IsIn(DOCUMENT_TYPES, { message: `must be one of ${DOCUMENT_TYPES.join(', ')}` })
  type?: DocumentType;

  @ApiText({
    required: false,
    maxLength: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. Line breaks are kept as sent.',
    example: '# Results\n\nRevenue grew by 12 %.',
  })
  @IfSent()
  @IsContent()
  content?: string;

  @ApiPropertyOptional(METADATA)
  @CheckedBy(metadataProblems)
  metadata?: Record<string, unknown>;

  @ApiPropertyOptional(AI_SETTINGS)
  @CheckedBy(aiSettingsProblems)
  aiSettings?: Record<string, unknown>;

  @ExternalId('Your own id of it, unique in the account.')
  externalId?: string | null;

  @ApiId('template', {
    required: false,
    description: 'A template of this account. It supplies every field that the body omits.',
  })
  // Answers say null where there is none; sent back, it means none.
  @IsOptional()
  @IsString({ message: 'must be a string' })
  templateId?: string | null;

  @ApiPropertyOptional(TEMPLATE_VARIABLES)
  @GoesWithTemplate()
  @CheckedBy(inputProblems)
  templateVariables?: Record<string, unknown> | null;
}

/** A body of `POST /v1/documents` without a title, for the API document only. */
export class CreateDocumentFromTemplateDto extends OmitType(CreateDocumentDto, [
  'title',
  'templateId',
]) {
  @ApiText({
    required: false,
    minLength: 1,
    maxLength: MAX_TITLE_CHARACTERS,
    description: "Defaults to the template's title; required if the template has none.",
    example: 'Offer for Ada',
  })
  title?: string;

  @ApiId('template', {
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
  @ApiText({
    required: false,
    minLength: 1,
    maxLength: MAX_TITLE_CHARACTERS,
    description: 'Left out, it is `Copy of` and the title, as much as fits.',
    example: 'Quarterly report, second half',
  })
  @IfSent()
  @IsTitle()
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
  @ApiText({
    minLength: 1,
    maxLength: MAX_TITLE_CHARACTERS,
    description: 'Kept as sent. Not only white space.',
    example: 'Quarterly report, final',
  })
  @IsTitle()
  @IsRequired()
  title: string;

  @ApiPropertyOptional({
    enum: DOCUMENT_STATUSES,
    description: 'Left out, the status stays.',
    example: 'in_review',
  })
  @IfSent()
  @IsIn(DOCUMENT_STATUSES, { message: `must be one of ${DOCUMENT_STATUSES.join(', ')}` })
  status?: DocumentStatus;

  @ExternalId('Left out, it stays; null removes it.')
  externalId?: string | null;
}

const objectOrNull =
  (field: string) =>
  (value: unknown): FieldProblem[] =>
    value === null || isObject(value)
      ? []
      : [{ field, issue: 'must be an object, or null to empty it' }];

/** The body of `PATCH /v1/documents/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsReadOnlyFields()
export class PatchDocumentDto {
  @ApiText({
    required: false,
    minLength: 1,
    maxLength: MAX_TITLE_CHARACTERS,
    description: 'Kept as sent. Not only white space.',
    example: 'Quarterly report, final',
  })
  @IfSent()
  @IsTitle()
  title?: string;

  @ApiPropertyOptional({
    enum: [...DOCUMENT_TYPES, null],
    nullable: true,
    description: 'Null makes it a `document`.',
    example: 'report',
  })
  @IsOptional()
  @IsIn(DOCUMENT_TYPES, { message: `must be one of ${DOCUMENT_TYPES.join(', ')}` })
  type?: DocumentType | null;

  @ApiText({
    required: false,
    nullable: true,
    maxLength: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. Null empties it.',
    example: '# Results\n\nRevenue grew by 13 %.',
  })
  @IsOptional()
  @IsContent()
  content?: string | null;

  @ApiPropertyOptional(METADATA_PATCH)
  @CheckedBy(objectOrNull('metadata'))
  metadata?: Record<string, unknown> | null;

  @ApiPropertyOptional(AI_SETTINGS_PATCH)
  @CheckedBy(objectOrNull('aiSettings'))
  aiSettings?: Record<string, unknown> | null;

  @ApiPropertyOptional({
    enum: DOCUMENT_STATUSES,
    description:
      'draft and in_review turn into each other and into published; published turns into draft; any turns into archived, and archived into draft.',
    example: 'in_review',
  })
  @IfSent()
  @IsIn(DOCUMENT_STATUSES, { message: `must be one of ${DOCUMENT_STATUSES.join(', ')}` })
  status?: DocumentStatus;

  @ExternalId('Null removes it.')
  externalId?: string | null;
}
