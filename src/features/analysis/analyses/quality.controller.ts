import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../../access/auth/authentication.js';
import type { Principal } from '../../access/auth/principal.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { AnalysesService } from './analyses.service.js';
import { presentQuality } from './analysis.presenter.js';
import { ListQualityDto } from '../dto/analyze.dto.js';
import { VersionQualityDto } from '../dto/enhancement.dto.js';

@ApiTags('analysis')
@Controller('documents/:id/quality')
export class QualityController {
  constructor(private readonly analyses: AnalysesService) {}

  @Get()
  @RequireScope('documents:read')
  @ApiOperation({
    operationId: 'listQuality',
    summary: 'Compare the scores of versions',
    description:
      'Of each version that was analysed the newest analysis, the oldest version first. To compare like with like, analyse with the same checks and level.',
  })
  @ApiOkResponse({ type: VersionQualityDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Query() query: ListQualityDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.analyses.quality(accountId, id, query);
    return new ApiResponse(`[${rows.map(presentQuality).join(',')}]`, { pagination });
  }
}
