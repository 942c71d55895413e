import { Controller, Get, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../../access/auth/authentication.js';
import type { Principal } from '../../access/auth/principal.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { SeriesQueryDto } from './dto/series-query.dto.js';
import { SeriesValueDto, UsageSeriesDto } from './dto/usage-series.dto.js';
import { UsageSeriesService } from './usage-series.service.js';
import { USAGE } from '../usage.refusals.js';

@ApiTags('usage')
@ApiExtraModels(SeriesValueDto)
@Controller('usage/series')
export class UsageSeriesController {
  constructor(private readonly series: UsageSeriesService) {}

  @Get()
  @RequireScope('usage:read')
  @ApiOperation({
    operationId: 'readUsageSeries',
    summary: 'Read usage over time',
    description:
      'How many requests were made with keys of the account and how long they took, or how many attempts to deliver were made, in minutes, hours or days of UTC; at most 1,000 points. Every request counts, also one that is not in the log of requests, in the minute in which it came, a second or two after its answer. Attempts `succeeded`, are `retried` later, or have `failed` for good.',
  })
  @ApiOkResponse({ type: UsageSeriesDto, description: 'The points.' })
  @Refuses(USAGE.read)
  read(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: SeriesQueryDto,
  ): Promise<UsageSeriesDto> {
    return this.series.read(accountId, query);
  }
}
