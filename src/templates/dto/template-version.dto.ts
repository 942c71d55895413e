import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ApiId, ApiInteger, ApiTimestamp } from '../../openapi/property-decorators.js';
import { TEMPLATE_FIELDS } from '../template.js';
import { TemplateDto } from './template.dto.js';

/** A version of a template. */
export class TemplateVersionDto extends OmitType(TemplateDto, [
  'id',
  'version',
  'createdAt',
  'updatedAt',
]) {
  @ApiId('template')
  templateId: string;

  @ApiInteger({ minimum: 1, maximum: 2_147_483_647, description: 'Its number.', example: 1 })
  version: number;

  @ApiProperty({
    enum: TEMPLATE_FIELDS,
    isArray: true,
    maxItems: TEMPLATE_FIELDS.length,
    description: 'The fields in which it differs from the version before; none in the first.',
    example: ['content', 'variables'],
  })
  changes: string[];

  @ApiTimestamp({ description: 'When this version was made.' })
  createdAt: string;
}

/** A version as lists show it. */
export class TemplateVersionListItemDto extends OmitType(TemplateVersionDto, ['content']) {}
