import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { DOCUMENT_TYPES, type DocumentType } from '../../documents/document-type.js';
import { IfSent } from '../../envelope/field-decorators.js';
import { KEPT_TEXT } from '../../openapi/property-decorators.js';
import { PageQueryDto } from '../../pagination/page-query.dto.js';

const TEMPLATE_SORTS = ['created_at', 'updated_at', 'name'] as const;
export type TemplateSort = (typeof TEMPLATE_SORTS)[number];

const MAX_QUERY_CHARACTERS = 200;

/** The query of `GET /v1/templates`. */
export class ListTemplatesDto extends PageQueryDto {
  @ApiPropertyOptional({
    enum: TEMPLATE_SORTS,
    default: 'created_at',
    description: 'Field to sort by.',
    example: 'name',
  })
  @IsIn(TEMPLATE_SORTS, { message: `must be one of ${TEMPLATE_SORTS.join(', ')}` })
  sort: TemplateSort = 'created_at';

  @ApiPropertyOptional({
    enum: DOCUMENT_TYPES,
    description: 'Only templates of this type.',
    example: 'report',
  })
  @IfSent()
  @IsIn(DOCUMENT_TYPES, { message: `must be one of ${DOCUMENT_TYPES.join(', ')}` })
  type?: DocumentType;

  @ApiPropertyOptional({
    maxLength: MAX_QUERY_CHARACTERS,
    pattern: KEPT_TEXT,
    description: 'Only templates with each of these words, in any case, in name or description.',
    example: 'status report',
  })
  @IfSent()
  @MaxLength(MAX_QUERY_CHARACTERS, {
    message: `must not be longer than ${String(MAX_QUERY_CHARACTERS)} characters`,
  })
  @IsString({ message: 'must be given once' })
  q?: string;
}
