import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { ApiInteger, ApiTimestamp } from '../../../platform/openapi/property-decorators.js';
import { PATCHABLE_FIELDS, VERSIONED_FIELDS } from '../template-fields.js';
import { TemplateDto, TemplatePersonDto } from './template.dto.js';

/** A version of a template. */
export class TemplateVersionDto extends PickType(TemplateDto, VERSIONED_FIELDS) {
  @ApiInteger({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'From 1, without a gap.',
    example: 2,
  })
  number: number;

  @ApiProperty({
    type: 'array',
    maxItems: PATCHABLE_FIELDS.length,
    items: { type: 'string', enum: [...PATCHABLE_FIELDS] },
    description: 'In what it differs from the version before; empty for the first.',
    example: ['content', 'variables'],
  })
  changes: string[];

  @ApiProperty({
    type: TemplatePersonDto,
    nullable: true,
    description:
      'Who made this version; null for the first of a template that came with the account.',
  })
  author: TemplatePersonDto | null;

  @ApiTimestamp({ description: 'When this version was made.' })
  createdAt: string;
}

/** A version as lists show it. */
export class TemplateVersionListItemDto extends OmitType(TemplateVersionDto, ['content']) {}
