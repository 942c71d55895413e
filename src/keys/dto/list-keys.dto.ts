import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { PageQueryDto } from '../../pagination/page-query.dto.js';
import { KEY_SORTS, type KeySort } from '../key-record.js';

/** The query of `GET /v1/keys`. */
export class ListKeysDto extends PageQueryDto {
  @ApiPropertyOptional({
    enum: KEY_SORTS,
    default: 'created_at',
    description: 'Field to sort by.',
    example: 'created_at',
  })
  @IsIn(KEY_SORTS, { message: `must be ${KEY_SORTS.join(', ')}` })
  sort: KeySort = 'created_at';
}
