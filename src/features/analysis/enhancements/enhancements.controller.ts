import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  CurrentContext,
  CurrentPrincipal,
  RequireScope,
} from '../../access/auth/authentication.js';
import type { Principal } from '../../access/auth/principal.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import { documentETag } from '../../documents/document.presenter.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../../platform/http/envelope/preconditions.js';
import { writeStreamHead } from '../../events/stream/event-stream.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { jobPath, presentJob } from '../../jobs/job.presenter.js';
import { hasEnded } from '../../jobs/job.js';
import { headers } from '../../../platform/openapi/headers.js';
import {
  ApiPreconditions,
  Refuses,
  WithoutEnvelope,
} from '../../../platform/openapi/route-decorators.js';
import {
  APPLY_EXAMPLES,
  ApplySuggestionsDto,
  EnhanceDocumentDto,
  ListEnhancementsDto,
  RejectSuggestionsDto,
} from '../dto/enhance.dto.js';
import {
  AppliedEnhancementDto,
  EnhancementDto,
  EnhancementItemDto,
  EnhancementJobDto,
} from '../dto/enhancement.dto.js';
import { presentEnhancement, presentHead } from './enhancement.presenter.js';
import { ENHANCEMENT_STREAM_EXAMPLE, EnhancementStreams } from './enhancement-streams.js';
import { EnhancementsService } from './enhancements.service.js';
import { EnhancementRequests } from './enhancement-requests.service.js';
import { SuggestionApplication } from './suggestion-application.js';
import { SuggestionRejection } from './suggestion-rejection.js';
import { ENHANCEMENTS } from '../analysis.refusals.js';

@ApiTags('analysis')
@Controller('documents/:id')
export class EnhancementsController {
  constructor(
    private readonly requests: EnhancementRequests,
    private readonly enhancements: EnhancementsService,
    private readonly application: SuggestionApplication,
    private readonly rejection: SuggestionRejection,
    private readonly streams: EnhancementStreams,
  ) {}

  @Post('enhance')
  @RequireScope('documents:analyze')
  @ApiOperation({
    operationId: 'enhanceDocument',
    summary: 'Propose changes of a document',
    description:
      'Looks at the document as it is now, and proposes suggestions; the text changes only when somebody applies them. What was rejected or dismissed does not come back for the same sentence. Emits `document.enhanced`.',
  })
  @ApiBody({ type: EnhanceDocumentDto, required: false })
  @ApiCreatedResponse({
    type: EnhancementDto,
    description: 'The enhancement. When it could not be made, `status` and `error` say so.',
    headers: headers('Location'),
  })
  @ApiAcceptedResponse({
    type: EnhancementJobDto,
    description:
      'A long text, a model, or a busy service: the job, and the id of the enhancement that it makes; `Location` is the path of the job.',
  })
  @Refuses(ENHANCEMENTS.enhance)
  async enhance(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() wishes: EnhanceDocumentDto,
  ): Promise<ApiResponse> {
    const made = await this.requests.enhance(id, wishes, context);
    const { job } = made;
    const enhancementId = encodeId('enhancement', made.enhancementId);
    if (!hasEnded(job)) {
      const body = JSON.stringify({ ...presentJob(job), enhancementId });
      return new ApiResponse(body, { job: jobPath(job) });
    }
    const { accountId } = context.principal;
    const { enhancement, preview } = await this.enhancements.find(accountId, id, enhancementId);
    const location = `/v1/documents/${id}/enhancements/${enhancementId}`;
    return new ApiResponse(presentEnhancement(enhancement, preview), { location });
  }

  @Get('enhancements')
  @RequireScope('documents:read')
  @ApiOperation({
    operationId: 'listEnhancements',
    summary: 'List the enhancements of a document',
    description:
      'The newest first, without their suggestions; the newest 100 of a document are kept.',
  })
  @ApiOkResponse({ type: EnhancementItemDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Query() query: ListEnhancementsDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.enhancements.list(accountId, id, query);
    return new ApiResponse(JSON.stringify(rows.map(presentHead)), { pagination });
  }

  @Get('enhancements/:enhancementId')
  @RequireScope('documents:read')
  @ApiOperation({
    operationId: 'readEnhancement',
    summary: 'Read an enhancement',
    description: 'With its suggestions, and what the text would be with them.',
  })
  @ApiOkResponse({ type: EnhancementDto, description: 'The enhancement.' })
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Param('enhancementId') enhancementId: string,
  ): Promise<ApiResponse> {
    const found = await this.enhancements.find(accountId, id, enhancementId);
    return new ApiResponse(presentEnhancement(found.enhancement, found.preview));
  }

  @Get('enhancements/:enhancementId/stream')
  @RequireScope('documents:read')
  @WithoutEnvelope()
  @ApiOperation({
    operationId: 'streamEnhancement',
    summary: 'Follow how an enhancement is made',
    description:
      'Server-sent events: `progress` while it is made, then `done` or `failed` with the enhancement as lists show it, and the stream ends. A comment comes when nothing else does. Failures before the stream begins are in the envelope.',
  })
  @ApiOkResponse({
    description: 'The stream.',
    content: { 'text/event-stream': { example: ENHANCEMENT_STREAM_EXAMPLE } },
  })
  @Refuses(ENHANCEMENTS.stream)
  async stream(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Param('enhancementId') enhancementId: string,
    @Req() { method }: Request,
    @Res() response: Response,
  ): Promise<void> {
    const head = await this.enhancements.head(accountId, id, enhancementId);
    if (method === 'HEAD') {
      writeStreamHead(response);
      response.end();
      return;
    }
    this.streams.open(accountId, head, response);
  }

  @Post('enhancements/:enhancementId/apply')
  @HttpCode(200)
  @RequireScope('documents:write')
  @ApiOperation({
    operationId: 'applySuggestions',
    summary: 'Apply suggestions',
    description:
      'Makes one version of the document, whose `origin` says which suggestions it holds, and emits `document.updated`. When the text has changed meanwhile, suggestions move with it where their passage stands unchanged; the others become `stale`. What was applied before is not applied again: the same request twice changes nothing the second time. Of suggestions that overlap, `all` applies the first.',
  })
  @ApiBody({ type: ApplySuggestionsDto, examples: APPLY_EXAMPLES })
  @ApiPreconditions()
  @ApiOkResponse({
    type: AppliedEnhancementDto,
    description: 'The enhancement; `ETag` is that of the document.',
    headers: headers('ETag'),
  })
  @Refuses(ENHANCEMENTS.apply)
  async apply(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Param('enhancementId') enhancementId: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() selection: ApplySuggestionsDto,
  ): Promise<ApiResponse> {
    const target = { id, enhancementId };
    const { document, conflicts } = await this.application.apply(
      target,
      selection,
      preconditions,
      context,
    );
    const { accountId } = context.principal;
    const { enhancement, preview } = await this.enhancements.find(accountId, id, enhancementId);
    const application = { documentVersion: document.version, conflicts };
    return new ApiResponse(presentEnhancement(enhancement, preview, application), {
      etag: documentETag(document),
    });
  }

  @Post('enhancements/:enhancementId/reject')
  @HttpCode(200)
  @RequireScope('documents:analyze')
  @ApiOperation({
    operationId: 'rejectSuggestions',
    summary: 'Reject suggestions',
    description:
      'The document does not change. They do not come back for the same sentence, in analyses neither, until the dismissal is taken back.',
  })
  @ApiOkResponse({ type: EnhancementDto, description: 'The enhancement.' })
  @Refuses(ENHANCEMENTS.reject)
  async reject(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Param('enhancementId') enhancementId: string,
    @Body() selection: RejectSuggestionsDto,
  ): Promise<ApiResponse> {
    await this.rejection.reject({ id, enhancementId }, selection, context);
    const { accountId } = context.principal;
    const found = await this.enhancements.find(accountId, id, enhancementId);
    return new ApiResponse(presentEnhancement(found.enhancement, found.preview));
  }
}
