import {
  NameField,
  DescriptionField,
  VariableNameField,
  DefaultField,
  VariableDescriptionField,
  VariablesField,
  CONTENT_EXAMPLE,
  TITLE_EXAMPLE,
} from './template-texts.js';
import { Field } from '../../../platform/openapi/field.js';
import { OmitType } from '@nestjs/swagger';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { AI_SETTINGS, METADATA } from '../../content/open-objects.js';
import { MAX_CONTENT_BYTES, MAX_TITLE_CHARACTERS } from '../../content/text-fields.js';
import type { ShownField } from '../template-fields.js';
import type { Variable } from '../variables.js';

/** A user. */
export class TemplatePersonDto {
  @Field.id('user') id: string;
  @Field.text({ max: 200, example: 'Ada Lovelace' }) name: string;
  @Field.email() email: string;
}

/** A variable as answers show it. */
export class TemplateVariableDto implements Variable {
  @VariableNameField()
  name: string;

  @Field.flag({ description: 'Whether no document can be made without it.', example: true })
  required: boolean;

  @DefaultField()
  default: string | null;

  @VariableDescriptionField()
  description: string | null;
}

/** A template. */
export class TemplateDto implements Record<ShownField, unknown> {
  @Field.id('template') id: string;

  @NameField()
  name: string;

  @DescriptionField()
  description: string | null;

  @Field.oneOf(DOCUMENT_TYPES, { example: 'document' }) type: DocumentType;

  @Field.text({
    nullable: true,
    min: 1,
    max: MAX_TITLE_CHARACTERS,
    title: 'TemplateTitle',
    description: 'Null where each document brings its own.',
    example: TITLE_EXAMPLE,
  })
  title: string | null;

  @Field.text({ max: MAX_CONTENT_BYTES, example: CONTENT_EXAMPLE }) content: string;

  @VariablesField(TemplateVariableDto)
  variables: TemplateVariableDto[];

  @Field.object(METADATA, { example: { tags: ['meeting'], project: '{{project}}' } })
  metadata: Record<string, unknown>;

  @Field.object(AI_SETTINGS)
  aiSettings: Record<string, unknown>;

  @Field.integer({
    min: 1,
    title: 'VersionNumber',
    description: 'Grows by one with every change.',
    example: 1,
  })
  version: number;

  @Field.time() createdAt: string;
  @Field.time({ description: 'Equals `createdAt` until the first change.' }) updatedAt: string;

  @Field.object(TemplatePersonDto, {
    nullable: true,
    description: 'Null for a template that came with the account.',
  })
  createdBy: TemplatePersonDto | null;
}

/** A template as lists show it. */
export class TemplateListItemDto extends OmitType(TemplateDto, ['content']) {}

/** The answer to a deletion. */
export class DeletedTemplateDto {
  @Field.id('template') id: string;
  @Field.constant(true) deleted: true;
}
