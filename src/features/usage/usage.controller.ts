import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, ApiExtraModels } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../auth/auth.decorators.js';
import { Reach } from '../auth/access/reach.decorators.js';
import type { Principal } from '../auth/principal.js';
import { CurrentRateLimitUsage } from '../rate-limit/request-rate-limit.js';
import type { RateLimitUsage } from '../rate-limit/rate-limit-storage.js';
import { UsageDto } from './dto/usage.dto.js';
import { presentUsage } from './usage.presenter.js';
import { UsageService } from './usage.service.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { SeriesQueryDto, SeriesValueDto, UsageSeriesDto } from './series/dto/usage-series.dto.js';
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
  @Reach('account')
  @ApiOperation({
    summary: 'Read the usage of the account',
    description:
      'Returns the usage and limits of the account, and its rate-limit windows. Counts as one request.',
  })
  @ApiOkResponse({
    type: UsageDto,
    description: 'The plan, its quotas and the rate-limit windows.',
  })
  async read(
    @CurrentPrincipal() principal: Principal,
    @CurrentRateLimitUsage() counted: RateLimitUsage | undefined,
  ): Promise<UsageDto> {
    const { used, windows } = await this.usage.overview(principal, counted);
    return presentUsage(principal, used, windows);
  }

  @Get('series')
  @RequireScope('usage:read')
  @Reach('account')
  @ApiOperation({
    operationId: 'readUsageSeries',
    summary: 'Read usage over time',
    description:
      'Returns request counts and durations of the keys of the account, or webhook delivery attempts, by minute, hour or day in UTC; at most 1,000 points. Requests count in the minute they arrived, even if they are not in the request log, and appear after a second or two. Attempts have `succeeded`, will be `retried`, or have `failed` permanently.',
  })
  @ApiOkResponse({ type: UsageSeriesDto, description: 'The data points.' })
  @Refuses(USAGE.readSeries)
  readSeries(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: SeriesQueryDto,
  ): Promise<UsageSeriesDto> {
    return this.series.read(accountId, query);
  }
}
