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
import { OmitType, PickType } from '@nestjs/swagger';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { AI_SETTINGS, METADATA } from '../../content/open-objects.js';
import { MAX_CONTENT_BYTES, MAX_TITLE_CHARACTERS } from '../../content/text-fields.js';
import {
  type ShownField,
  PATCHABLE_FIELDS,
  VERSIONED_FIELDS,
  SHOWN_FIELDS,
} from '../template-fields.js';
import type { Variable } from '../variables/variables.js';
import { Filter } from '../../../platform/openapi/filter.js';
import { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { LISTED_FIELDS } from '../template.presenter.js';

/** A user. */
class TemplatePersonDto {
  @Field.id('user') id: string;
  @Field.text({ max: 200, example: 'Ada Lovelace' }) name: string;
  @Field.email() email: string;
}

/** A variable in responses. */
class TemplateVariableDto implements Variable {
  @VariableNameField()
  name: string;

  @Field.flag({
    description: 'True if documents cannot be created without a value.',
    example: true,
  })
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
    description: 'Null if each document supplies its own title.',
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
    description: 'Increases by one with each change.',
    example: 1,
  })
  version: number;

  @Field.time() createdAt: string;
  @Field.time({ description: 'Equals `createdAt` until the first change.' }) updatedAt: string;

  @Field.object(TemplatePersonDto, {
    nullable: true,
    description: 'Null for a starter template of the account.',
  })
  createdBy: TemplatePersonDto | null;
}

/** A template in a list. */
export class TemplateListItemDto extends OmitType(TemplateDto, ['content']) {}

/** The response to a deletion. */
export class DeletedTemplateDto {
  @Field.id('template') id: string;
  @Field.constant(true) deleted: true;
}

/** A version of a template. */
export class TemplateVersionDto extends PickType(TemplateDto, VERSIONED_FIELDS) {
  @Field.integer({ min: 1, description: 'Starts at 1, without gaps.', example: 2 }) number: number;

  @Field.list(PATCHABLE_FIELDS, {
    max: PATCHABLE_FIELDS.length,
    description: 'The fields that differ from the previous version; empty for the first.',
    example: ['content', 'variables'],
  })
  changes: string[];

  @Field.object(TemplatePersonDto, {
    nullable: true,
    description: 'Its author. Null for the first version of a starter template.',
  })
  author: TemplatePersonDto | null;

  @Field.time({ description: 'When this version was created.' }) createdAt: string;
}

/** A version in a list. */
export class TemplateVersionListItemDto extends OmitType(TemplateVersionDto, ['content']) {}

const TEMPLATE_SORTS = ['created_at', 'updated_at', 'name'] as const;
export type TemplateSort = (typeof TEMPLATE_SORTS)[number];

const MAX_QUERY_CHARACTERS = 200;

/** The query of `GET /v1/templates`. */
export class ListTemplatesDto extends PageQueryDto {
  @Filter.sort(TEMPLATE_SORTS, {
    description: 'Field to sort by.',
    example: 'name',
    default: 'created_at',
  })
  sort: TemplateSort = 'created_at';

  @Filter.several(DOCUMENT_TYPES, {
    description: 'Only templates of this type. Repeat it to match any of several.',
    example: ['report'],
  })
  type?: DocumentType[];

  @Filter.text(MAX_QUERY_CHARACTERS, {
    description:
      'Only templates whose name or description contains all of these words, in any case.',
    example: 'status report',
  })
  q?: string;

  @Filter.members(LISTED_FIELDS)
  fields?: (typeof LISTED_FIELDS)[number][];
}

/** The query of `GET /v1/templates/{id}`. */
export class ReadTemplateDto {
  @Filter.members(SHOWN_FIELDS)
  fields?: ShownField[];
}
