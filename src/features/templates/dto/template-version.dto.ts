import { Field } from '../../../platform/openapi/field.js';
import { OmitType, PickType } from '@nestjs/swagger';
import { PATCHABLE_FIELDS, VERSIONED_FIELDS } from '../template-fields.js';
import { TemplateDto, TemplatePersonDto } from './template.dto.js';

/** A version of a template. */
export class TemplateVersionDto extends PickType(TemplateDto, VERSIONED_FIELDS) {
  @Field.integer({ min: 1, description: 'From 1, without a gap.', example: 2 }) number: number;

  @Field.list(PATCHABLE_FIELDS, {
    max: PATCHABLE_FIELDS.length,
    description: 'In what it differs from the version before; empty for the first.',
    example: ['content', 'variables'],
  })
  changes: string[];

  @Field.object(TemplatePersonDto, {
    nullable: true,
    description:
      'Who made this version; null for the first of a template that came with the account.',
  })
  author: TemplatePersonDto | null;

  @Field.time({ description: 'When this version was made.' }) createdAt: string;
}

/** A version as lists show it. */
export class TemplateVersionListItemDto extends OmitType(TemplateVersionDto, ['content']) {}
