import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import {
  AI_SETTINGS,
  METADATA,
  aiSettingsProblems,
  metadataProblems,
} from '../../content/open-objects.js';
import {
  IsContent,
  IsTitle,
  MAX_CONTENT_BYTES,
  MAX_TITLE_CHARACTERS,
} from '../../content/text-fields.js';
import { CheckedBy, IfSent, IsRequired } from '../../../platform/http/envelope/field-decorators.js';
import { ApiText } from '../../../platform/openapi/property-decorators.js';
import type { PatchableField } from '../template-fields.js';
import { variablesProblems, type DeclaredVariable } from '../variables/variables.js';
import {
  ApiDescription,
  ApiTemplateName,
  ApiVariables,
  CONTENT_EXAMPLE,
  DEFAULT_TEXT,
  IsDescription,
  IsTemplateName,
  TITLE_EXAMPLE,
  VARIABLE_DESCRIPTION,
  VARIABLE_NAME,
} from './template-texts.js';

/** A variable as it is declared. */
export class DeclaredVariableDto implements DeclaredVariable {
  @ApiProperty(VARIABLE_NAME)
  name: string;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Whether no document can be made without it.',
    example: true,
  })
  required?: boolean;

  @ApiPropertyOptional(DEFAULT_TEXT)
  default?: string | null;

  @ApiPropertyOptional(VARIABLE_DESCRIPTION)
  description?: string | null;
}

/** The body of `POST /v1/templates`. */
export class CreateTemplateDto implements Partial<Record<PatchableField, unknown>> {
  @ApiTemplateName()
  @IsTemplateName()
  @IsRequired()
  name: string;

  @ApiDescription({ required: false })
  @IsOptional()
  @IsDescription()
  description?: string | null;

  @ApiPropertyOptional({
    enum: DOCUMENT_TYPES,
    default: 'document',
    description: 'The type of the documents made from it.',
    example: 'report',
  })
  @IfSent()
  @IsIn(DOCUMENT_TYPES, { message: `must be one of ${DOCUMENT_TYPES.join(', ')}` })
  type?: DocumentType;

  @ApiText({
    required: false,
    nullable: true,
    minLength: 1,
    maxLength: MAX_TITLE_CHARACTERS,
    description:
      'The title of the documents made from it, with variables. Without one each document must bring its own.',
    example: TITLE_EXAMPLE,
  })
  @IsOptional()
  @IsTitle()
  title?: string | null;

  @ApiText({
    required: false,
    maxLength: MAX_CONTENT_BYTES,
    description: 'Text with variables such as `{{topic}}`. At most 1 MiB of UTF-8.',
    example: CONTENT_EXAMPLE,
  })
  @IfSent()
  @IsContent()
  content?: string;

  @ApiVariables(DeclaredVariableDto, { required: false })
  @CheckedBy(variablesProblems)
  variables?: DeclaredVariableDto[];

  @ApiPropertyOptional({
    ...METADATA,
    example: { tags: ['meeting'], project: '{{project}}' },
  })
  @CheckedBy(metadataProblems)
  metadata?: Record<string, unknown>;

  @ApiPropertyOptional(AI_SETTINGS)
  @CheckedBy(aiSettingsProblems)
  aiSettings?: Record<string, unknown>;
}
