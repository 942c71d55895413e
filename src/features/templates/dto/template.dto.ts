import { ApiProperty, OmitType } from '@nestjs/swagger';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { AI_SETTINGS, METADATA } from '../../content/open-objects.js';
import { MAX_CONTENT_BYTES, MAX_TITLE_CHARACTERS } from '../../content/text-fields.js';
import {
  ApiEmail,
  ApiId,
  ApiInteger,
  ApiText,
  ApiTimestamp,
} from '../../../platform/openapi/property-decorators.js';
import type { ShownField } from '../template-fields.js';
import type { Variable } from '../variables/variables.js';
import {
  ApiDescription,
  ApiTemplateName,
  ApiVariables,
  CONTENT_EXAMPLE,
  DEFAULT_TEXT,
  TITLE_EXAMPLE,
  VARIABLE_DESCRIPTION,
  VARIABLE_NAME,
} from './template-texts.js';

/** A user. */
export class TemplatePersonDto {
  @ApiId('user')
  id: string;

  @ApiText({ maxLength: 200, example: 'Ada Lovelace' })
  name: string;

  @ApiEmail()
  email: string;
}

/** A variable as answers show it. */
export class TemplateVariableDto implements Variable {
  @ApiProperty(VARIABLE_NAME)
  name: string;

  @ApiProperty({
    type: Boolean,
    description: 'Whether no document can be made without it.',
    example: true,
  })
  required: boolean;

  @ApiProperty(DEFAULT_TEXT)
  default: string | null;

  @ApiProperty(VARIABLE_DESCRIPTION)
  description: string | null;
}

/** A template. */
export class TemplateDto implements Record<ShownField, unknown> {
  @ApiId('template')
  id: string;

  @ApiTemplateName()
  name: string;

  @ApiDescription()
  description: string | null;

  @ApiProperty({ enum: DOCUMENT_TYPES, example: 'document' })
  type: DocumentType;

  @ApiText({
    nullable: true,
    minLength: 1,
    maxLength: MAX_TITLE_CHARACTERS,
    title: 'TemplateTitle',
    description: 'Null where each document brings its own.',
    example: TITLE_EXAMPLE,
  })
  title: string | null;

  @ApiText({ maxLength: MAX_CONTENT_BYTES, example: CONTENT_EXAMPLE })
  content: string;

  @ApiVariables(TemplateVariableDto, { required: true })
  variables: TemplateVariableDto[];

  @ApiProperty({ ...METADATA, example: { tags: ['meeting'], project: '{{project}}' } })
  metadata: Record<string, unknown>;

  @ApiProperty(AI_SETTINGS)
  aiSettings: Record<string, unknown>;

  @ApiInteger({
    minimum: 1,
    maximum: 2_147_483_647,
    title: 'VersionNumber',
    description: 'Grows by one with every change.',
    example: 1,
  })
  version: number;

  @ApiTimestamp()
  createdAt: string;

  @ApiTimestamp({ description: 'Equals `createdAt` until the first change.' })
  updatedAt: string;

  @ApiProperty({
    type: TemplatePersonDto,
    nullable: true,
    description: 'Null for a template that came with the account.',
  })
  createdBy: TemplatePersonDto | null;
}

/** A template as lists show it. */
export class TemplateListItemDto extends OmitType(TemplateDto, ['content']) {}

/** The answer to a deletion. */
export class DeletedTemplateDto {
  @ApiId('template')
  id: string;

  @ApiProperty({ enum: [true], example: true })
  deleted: true;
}
