import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { CREATION_SORTS, type CreationSort } from './creation-order.js';
import { PageQueryDto } from './page-query.dto.js';

/** The parameters of a list whose items show no time of change. */
export class CreationOrderDto extends PageQueryDto {
  @ApiPropertyOptional({
    enum: CREATION_SORTS,
    default: 'created_at',
    description: 'Field to sort by. Items show no time of change: `updated_at` is the same order.',
    example: 'created_at',
  })
  @IsIn(CREATION_SORTS, { message: `must be one of ${CREATION_SORTS.join(', ')}` })
  sort: CreationSort = 'created_at';
}
