import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentContext, RequireScope } from '../../auth/auth.decorators.js';
import type { Access } from '../../auth/access/access.js';
import { CurrentAccess, Reach } from '../../auth/access/reach.decorators.js';
import type { RequestContext } from '../../auth/request-context.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { JobDto } from '../../jobs/dto/job.dto.js';
import { jobResponse } from '../../jobs/job.presenter.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';
import { AnalysesService } from './analyses.service.js';
import { ListQualityDto, AnalyzeDocumentDto, AnalyzeTextDto } from '../dto/analyze.dto.js';
import { VersionQualityDto } from '../dto/enhancement.dto.js';
import { presentAnalysis, presentQuality } from './analysis.presenter.js';
import { AnalysisDto, TextAnalysisDto } from '../dto/analysis.dto.js';
import { ANALYSES, onlyUnstored, TEXT_ANALYSIS } from '../analysis.refusals.js';
import { TextCheckService } from '../checker/text-check.service.js';

const STILL_AT_IT = 'The job, if the text is long or the service is busy. `Location` is its path.';

/** The query of `GET /v1/documents/{id}/analyses`. */
class ListAnalysesDto extends CreationOrderDto {}

@ApiTags('analysis')
@Controller('documents/:id')
export class AnalysesController {
  constructor(private readonly analyses: AnalysesService) {}

  @Post('analyze')
  @HttpCode(200)
  @RequireScope('documents:analyze')
  @Reach('editor')
  @ApiOperation({
    operationId: 'analyzeDocument',
    summary: 'Analyze a document',
    description:
      'Analyzes the current version. Repeating the request for the same version and settings returns the stored analysis and does not count against the plan. Emits `document.analyzed`.',
  })
  @ApiBody({ type: AnalyzeDocumentDto, required: false })
  @ApiOkResponse({ type: AnalysisDto, description: 'The analysis.' })
  @ApiAcceptedResponse({ type: JobDto, description: STILL_AT_IT })
  @Refuses(ANALYSES.analyze)
  async analyze(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() wishes: AnalyzeDocumentDto,
  ): Promise<ApiResponse> {
    const made = await this.analyses.analyze(id, wishes, context);
    if ('analysis' in made) return new ApiResponse(presentAnalysis(made.analysis));
    return jobResponse(made.job);
  }

  @Get('analyses')
  @RequireScope('documents:read')
  @Reach('viewer')
  @ApiOperation({
    operationId: 'listAnalyses',
    summary: 'List the analyses of a document',
    description:
      'Newest first. The newest 100 analyses of a document are stored. A page has at most 8 MiB: lower `limit` for long documents.',
  })
  @ApiOkResponse({ type: AnalysisDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Query() query: ListAnalysesDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.analyses.list(access, id, query);
    return new ApiResponse(`[${rows.map(presentAnalysis).join(',')}]`, { pagination });
  }

  @Get('analyses/:analysisId')
  @RequireScope('documents:read')
  @Reach('viewer')
  @ApiOperation({ operationId: 'readAnalysis', summary: 'Read an analysis' })
  @ApiOkResponse({ type: AnalysisDto, description: 'The analysis.' })
  async read(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Param('analysisId') analysisId: string,
  ): Promise<ApiResponse> {
    return new ApiResponse(presentAnalysis(await this.analyses.find(access, id, analysisId)));
  }

  @Get('quality')
  @RequireScope('documents:read')
  @Reach('viewer')
  @ApiOperation({
    operationId: 'listQuality',
    summary: 'List the scores of each version',
    description:
      'Returns the newest analysis of each analyzed version, oldest version first. Scores are comparable only between analyses with the same checks and level.',
  })
  @ApiOkResponse({ type: VersionQualityDto, isArray: true, description: 'One page.' })
  async listQuality(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Query() query: ListQualityDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.analyses.listQuality(access, id, query);
    return new ApiResponse(`[${rows.map(presentQuality).join(',')}]`, { pagination });
  }
}

@ApiTags('analysis')
@Controller('analyze')
export class TextAnalysisController {
  constructor(
    private readonly analyses: AnalysesService,
    private readonly checks: TextCheckService,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('documents:analyze')
  @Reach('none')
  @ApiOperation({
    operationId: 'analyzeText',
    summary: 'Analyze a text without storing it',
    description:
      'The text is deleted after the analysis; the findings are stored with the job for 30 days. With `store: false`, nothing is stored.',
  })
  @ApiOkResponse({ type: TextAnalysisDto, description: 'The findings.' })
  @ApiAcceptedResponse({ type: JobDto, description: STILL_AT_IT })
  @Refuses(TEXT_ANALYSIS.analyzeText)
  async analyzeText(
    @CurrentContext() context: RequestContext,
    @Body() { store = true, documentId, ranges, ...text }: AnalyzeTextDto,
  ): Promise<ApiResponse> {
    const { format = 'markdown' } = text;
    if (!store) {
      const result = await this.checks.check({ ...text, format, documentId, ranges }, context);
      return new ApiResponse(result);
    }
    if (documentId !== undefined) throw onlyUnstored('documentId');
    if (ranges) throw onlyUnstored('ranges');
    const job = await this.analyses.analyzeText({ ...text, format }, context);
    if (job.status === 'succeeded') return new ApiResponse(JSON.stringify(job.result));
    return jobResponse(job);
  }
}
