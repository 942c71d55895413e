import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IfSent } from '../../envelope/field-presence.js';
import { PageQueryDto } from '../../pagination/page-query.dto.js';
import { DOCUMENT_SORTS, type DocumentSort } from '../document-listing.js';

/** The query of `GET /v1/documents`. */
export class ListDocumentsDto extends PageQueryDto {
  @ApiPropertyOptional({
    enum: DOCUMENT_SORTS,
    default: 'created_at',
    description: 'Field to sort by.',
    example: 'updated_at',
  })
  @IsIn(DOCUMENT_SORTS, { message: `must be one of ${DOCUMENT_SORTS.join(', ')}` })
  sort: DocumentSort = 'created_at';

  @ApiPropertyOptional({
    enum: ['content'],
    description: 'Adds the content to each item while the page stays under 8 MiB.',
    example: 'content',
  })
  @IfSent()
  @IsIn(['content'], { message: 'must be content' })
  include?: 'content';
}
