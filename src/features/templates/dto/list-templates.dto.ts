import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength, NotContains } from 'class-validator';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { IfSent } from '../../../platform/http/envelope/field-decorators.js';
import { AskedFields } from '../../../platform/http/envelope/asked-fields.js';
import { Several } from '../../../platform/http/envelope/filter-decorators.js';
import { ApiSeveral, KEPT_TEXT } from '../../../platform/openapi/property-decorators.js';
import { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { IsSort } from '../../../platform/http/pagination/sort.js';
import { SHOWN_FIELDS, type ShownField } from '../template-fields.js';
import { LISTED_FIELDS } from '../template.presenter.js';

const TEMPLATE_SORTS = ['created_at', 'updated_at', 'name'] as const;
export type TemplateSort = (typeof TEMPLATE_SORTS)[number];

const MAX_QUERY_CHARACTERS = 200;

/** The query of `GET /v1/templates`. */
export class ListTemplatesDto extends PageQueryDto {
  @IsSort(TEMPLATE_SORTS, {
    description: 'Field to sort by.',
    example: 'name',
    isDefault: 'created_at',
  })
  sort: TemplateSort = 'created_at';

  @ApiSeveral(
    { type: 'string', enum: [...DOCUMENT_TYPES] },
    'Only templates of this type. Repeat it for several: any of them.',
    ['report'],
  )
  @Several()
  @IfSent()
  @IsIn(DOCUMENT_TYPES, { each: true, message: `must be one of ${DOCUMENT_TYPES.join(', ')}` })
  type?: DocumentType[];

  @ApiPropertyOptional({
    maxLength: MAX_QUERY_CHARACTERS,
    pattern: KEPT_TEXT,
    description: 'Only templates with each of these words, in any case, in name or description.',
    example: 'status report',
  })
  @IfSent()
  @NotContains('\0', { message: 'must not contain U+0000' })
  @MaxLength(MAX_QUERY_CHARACTERS, {
    message: `must not be longer than ${String(MAX_QUERY_CHARACTERS)} characters`,
  })
  @IsString({ message: 'must be given once' })
  q?: string;

  @AskedFields(LISTED_FIELDS)
  fields?: (typeof LISTED_FIELDS)[number][];
}

/** The query of `GET /v1/templates/{id}`. */
export class ReadTemplateDto {
  @AskedFields(SHOWN_FIELDS)
  fields?: ShownField[];
}
