import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { PageQueryDto } from '../../../pagination/page-query.dto.js';

/** The query of `GET /v1/documents/{id}/versions`. */
export class ListVersionsDto extends PageQueryDto {
  @ApiPropertyOptional({
    enum: ['created_at'],
    default: 'created_at',
    description: 'Field to sort by.',
    example: 'created_at',
  })
  @IsIn(['created_at'], { message: 'must be created_at' })
  sort = 'created_at' as const;
}
