import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, ApiExtraModels } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../access/auth/authentication.js';
import type { Principal } from '../access/auth/principal.js';
import { CurrentTake } from '../access/rate-limit/plan-rate-limit.guard.js';
import type { Take } from '../access/rate-limit/rate-limit-storage.js';
import { UsageDto } from './dto/usage.dto.js';
import { presentUsage } from './usage.presenter.js';
import { UsageService } from './usage.service.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { SeriesQueryDto } from './series/dto/series-query.dto.js';
import { SeriesValueDto, UsageSeriesDto } from './series/dto/usage-series.dto.js';
import { UsageSeriesService } from './series/usage-series.service.js';
import { USAGE } from './usage.refusals.js';

@ApiTags('usage')
@ApiExtraModels(SeriesValueDto)
@Controller('usage')
export class UsageController {
  constructor(
    private readonly usage: UsageService,
    private readonly series: UsageSeriesService,
  ) {}

  @Get()
  @RequireScope('usage:read')
  @ApiOperation({
    summary: 'Read the usage of the account',
    description:
      'What the account has beside what its plan allows, and its windows of requests. Counts as one request itself, like every other with a key.',
  })
  @ApiOkResponse({ type: UsageDto, description: 'Plan, quotas and windows of requests.' })
  async read(
    @CurrentPrincipal() principal: Principal,
    @CurrentTake() take: Take | undefined,
  ): Promise<UsageDto> {
    const { used, windows } = await this.usage.overview(principal, take);
    return presentUsage(principal, used, windows);
  }

  @Get('series')
  @RequireScope('usage:read')
  @ApiOperation({
    operationId: 'readUsageSeries',
    summary: 'Read usage over time',
    description:
      'How many requests were made with keys of the account and how long they took, or how many attempts to deliver were made, in minutes, hours or days of UTC; at most 1,000 points. Every request counts, also one that is not in the log of requests, in the minute in which it came, a second or two after its answer. Attempts `succeeded`, are `retried` later, or have `failed` for good.',
  })
  @ApiOkResponse({ type: UsageSeriesDto, description: 'The points.' })
  @Refuses(USAGE.readSeries)
  readSeries(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: SeriesQueryDto,
  ): Promise<UsageSeriesDto> {
    return this.series.read(accountId, query);
  }
}
