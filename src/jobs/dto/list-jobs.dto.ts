import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { PageQueryDto } from '../../pagination/page-query.dto.js';
import { JOB_SORTS, type JobSort } from '../job-list.js';

/** The query of `GET /v1/jobs`. */
export class ListJobsDto extends PageQueryDto {
  @ApiPropertyOptional({
    enum: JOB_SORTS,
    default: 'created_at',
    description: 'Field to sort by.',
    example: 'created_at',
  })
  @IsIn(JOB_SORTS, { message: `must be ${JOB_SORTS.join(', ')}` })
  sort: JobSort = 'created_at';
}
