import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { AI_SETTINGS_PATCH, METADATA_PATCH } from '../../content/open-objects.js';
import {
  IsContent,
  IsTitle,
  MAX_CONTENT_BYTES,
  MAX_TITLE_CHARACTERS,
} from '../../content/text-fields.js';
import {
  AcceptsFields,
  CheckedBy,
  IfSent,
} from '../../../platform/http/envelope/field-decorators.js';
import { isObject } from '../../../platform/http/bodies/json-text.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { ApiText } from '../../../platform/openapi/property-decorators.js';
import { fieldOf, SHOWN_FIELDS, type PatchableField } from '../template-fields.js';
import { variablesProblems } from '../variables/variables.js';
import { CreateTemplateDto, DeclaredVariableDto } from './create-template.dto.js';
import {
  ApiDescription,
  ApiTemplateName,
  ApiVariables,
  IsDescription,
  IsTemplateName,
  TITLE_EXAMPLE,
} from './template-texts.js';

/** What answers carry and nobody can change. */
const READ_ONLY = SHOWN_FIELDS.filter((name) => fieldOf(name).patchable === false);

const objectOrNull =
  (field: string) =>
  (value: unknown): FieldProblem[] =>
    value === null || isObject(value)
      ? []
      : [{ field, issue: 'must be an object, or null to empty it' }];

/** The body of `PATCH /v1/templates/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields(READ_ONLY)
export class PatchTemplateDto implements Partial<Record<PatchableField, unknown>> {
  @ApiTemplateName({ required: false })
  @IfSent()
  @IsTemplateName()
  name?: string;

  @ApiDescription({ required: false })
  @IsOptional()
  @IsDescription()
  description?: string | null;

  @ApiPropertyOptional({
    enum: [...DOCUMENT_TYPES, null],
    nullable: true,
    description: 'Null makes it `document`.',
    example: 'report',
  })
  @IsOptional()
  @IsIn(DOCUMENT_TYPES, { message: `must be one of ${DOCUMENT_TYPES.join(', ')}` })
  type?: DocumentType | null;

  @ApiText({
    required: false,
    nullable: true,
    minLength: 1,
    maxLength: MAX_TITLE_CHARACTERS,
    description: 'Null removes it.',
    example: TITLE_EXAMPLE,
  })
  @IsOptional()
  @IsTitle()
  title?: string | null;

  @ApiText({
    required: false,
    nullable: true,
    maxLength: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. Null empties it.',
    example: 'Dear {{client}},\n',
  })
  @IsOptional()
  @IsContent()
  content?: string | null;

  @ApiVariables(DeclaredVariableDto, { required: false, nullable: true })
  @CheckedBy((value: unknown) => (value === null ? [] : variablesProblems(value)))
  variables?: DeclaredVariableDto[] | null;

  @ApiPropertyOptional(METADATA_PATCH)
  @CheckedBy(objectOrNull('metadata'))
  metadata?: Record<string, unknown> | null;

  @ApiPropertyOptional(AI_SETTINGS_PATCH)
  @CheckedBy(objectOrNull('aiSettings'))
  aiSettings?: Record<string, unknown> | null;
}

/** The body of `PUT /v1/templates/{id}`: the whole template; what is left out is as in a new one. */
@AcceptsFields(READ_ONLY)
export class ReplaceTemplateDto extends CreateTemplateDto {}
