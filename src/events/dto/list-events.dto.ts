import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { PageQueryDto } from '../../pagination/page-query.dto.js';
import { EVENT_SORTS, type EventSort } from '../event-list.js';

/** The query of `GET /v1/events`. */
export class ListEventsDto extends PageQueryDto {
  @ApiPropertyOptional({
    enum: EVENT_SORTS,
    default: 'created_at',
    description: 'Field to sort by.',
    example: 'created_at',
  })
  @IsIn(EVENT_SORTS, { message: `must be ${EVENT_SORTS.join(', ')}` })
  sort: EventSort = 'created_at';
}
