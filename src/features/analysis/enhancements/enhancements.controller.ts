import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentContext, OrScope, RequireScope } from '../../auth/auth.decorators.js';
import type { Access } from '../../auth/access/access.js';
import { CurrentAccess, Reach } from '../../auth/access/reach.decorators.js';
import type { RequestContext } from '../../auth/request-context.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../../platform/http/envelope/preconditions.js';
import { endHeadRequest } from '../../events/stream/event-stream.js';
import { headers } from '../../../platform/openapi/headers.js';
import {
  ApiPreconditions,
  Refuses,
  WithoutEnvelope,
} from '../../../platform/openapi/route-decorators.js';
import {
  AcceptSuggestionsDto,
  APPLY_EXAMPLES,
  ApplySuggestionsDto,
  EnhanceDocumentDto,
  ListEnhancementsDto,
  RejectSuggestionsDto,
} from '../dto/analyze.dto.js';
import {
  AppliedEnhancementDto,
  EnhancementDto,
  EnhancementItemDto,
  EnhancementJobDto,
} from '../dto/enhancement.dto.js';
import {
  appliedResponse,
  enhancementResponse,
  presentHead,
  requestedResponse,
} from './enhancement.presenter.js';
import { ENHANCEMENT_STREAM_EXAMPLE, EnhancementStreams } from './enhancement-streams.js';
import { EnhancementsService } from './enhancements.service.js';
import { ENHANCEMENTS } from '../analysis.refusals.js';
import { SuggestionReviewService } from './suggestion-review.service.js';

@ApiTags('analysis')
@Controller('documents/:id')
export class EnhancementsController {
  constructor(
    private readonly enhancements: EnhancementsService,
    private readonly review: SuggestionReviewService,
    private readonly streams: EnhancementStreams,
  ) {}

  @Post('enhance')
  @RequireScope('documents:analyze')
  @Reach('editor')
  @ApiOperation({
    operationId: 'enhanceDocument',
    summary: 'Suggest changes to a document',
    description:
      'Suggests changes to the current version, which you can apply. Rejected and dismissed suggestions are not repeated for the same sentence. Emits `document.enhanced`.',
  })
  @ApiBody({ type: EnhanceDocumentDto, required: false })
  @ApiCreatedResponse({
    type: EnhancementDto,
    description: 'The enhancement. If it failed, `status` and `error` say so.',
    headers: headers('Location'),
  })
  @ApiAcceptedResponse({
    type: EnhancementJobDto,
    description:
      'The job and the id of the enhancement it creates, if the text is long, a model is used, or the service is busy. `Location` is the path of the job.',
  })
  @Refuses(ENHANCEMENTS.enhance)
  async enhance(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() wishes: EnhanceDocumentDto,
  ): Promise<ApiResponse> {
    return requestedResponse(await this.enhancements.enhance(id, wishes, context));
  }

  @Get('enhancements')
  @RequireScope('documents:read')
  @Reach('viewer', { browser: true })
  @ApiOperation({
    operationId: 'listEnhancements',
    summary: 'List the enhancements of a document',
    description:
      'Newest first, without their suggestions. The newest 100 enhancements of a document are stored.',
  })
  @ApiOkResponse({ type: EnhancementItemDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Query() query: ListEnhancementsDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.enhancements.list(access, id, query);
    return new ApiResponse(JSON.stringify(rows.map(presentHead)), { pagination });
  }

  @Get('enhancements/:enhancementId')
  @RequireScope('documents:read')
  @Reach('viewer', { browser: true })
  @ApiOperation({
    operationId: 'readEnhancement',
    summary: 'Read an enhancement',
    description: 'Includes its suggestions and a preview of the text with them.',
  })
  @ApiOkResponse({ type: EnhancementDto, description: 'The enhancement.' })
  async read(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Param('enhancementId') enhancementId: string,
  ): Promise<ApiResponse> {
    return enhancementResponse(await this.enhancements.find(access, id, enhancementId));
  }

  @Get('enhancements/:enhancementId/stream')
  @RequireScope('documents:read')
  @Reach('viewer')
  @WithoutEnvelope()
  @ApiOperation({
    operationId: 'streamEnhancement',
    summary: 'Follow the progress of an enhancement',
    description:
      'Sends server-sent events: `progress`, then `done` or `failed` with the enhancement as in lists, after which the stream ends. Comments keep the connection alive. Errors before the stream starts use the envelope.',
  })
  @ApiOkResponse({
    description: 'The stream.',
    content: { 'text/event-stream': { example: ENHANCEMENT_STREAM_EXAMPLE } },
  })
  @Refuses(ENHANCEMENTS.stream)
  async stream(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Param('enhancementId') enhancementId: string,
    @Res() response: Response,
  ): Promise<void> {
    const head = await this.enhancements.head(access, id, enhancementId);
    if (!endHeadRequest(response)) this.streams.open(access.accountId, head, response);
  }

  @Post('enhancements/:enhancementId/apply')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'applySuggestions',
    summary: 'Apply suggestions',
    description:
      'Creates one version, whose `origin` lists the suggestions, and emits `document.updated`. If the text has changed since, suggestions for unchanged passages move with it; others become `stale`. Applied suggestions are skipped, so repeating is safe. If suggestions overlap, `all` applies the most certain.',
  })
  @ApiBody({ type: ApplySuggestionsDto, examples: APPLY_EXAMPLES })
  @ApiPreconditions()
  @ApiOkResponse({
    type: AppliedEnhancementDto,
    description: 'The enhancement. `ETag` is the entity tag of the document.',
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
    return appliedResponse(await this.review.apply(target, selection, preconditions, context));
  }

  @Post('enhancements/:enhancementId/accept')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'acceptSuggestions',
    summary: 'Mark suggestions as accepted',
    description:
      'For editors: records that you have written suggestions into the document yourself. The document does not change. Stale suggestions can be accepted too. Repeating the request is safe.',
  })
  @ApiOkResponse({ type: EnhancementDto, description: 'The enhancement.' })
  @Refuses(ENHANCEMENTS.accept)
  async accept(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Param('enhancementId') enhancementId: string,
    @Body() { suggestionIds }: AcceptSuggestionsDto,
  ): Promise<ApiResponse> {
    const target = { id, enhancementId };
    return enhancementResponse(await this.review.accept(target, suggestionIds, context));
  }

  @Post('enhancements/:enhancementId/reject')
  @HttpCode(200)
  @RequireScope('documents:analyze')
  @Reach('editor')
  @OrScope('documents:write')
  @ApiOperation({
    operationId: 'rejectSuggestions',
    summary: 'Reject suggestions',
    description:
      'Enhancements and analyses no longer report these suggestions for the same sentence, and nobody can propose them again, until you undo the dismissal. Proposals need the scope `documents:write` instead of `documents:analyze`.',
  })
  @ApiOkResponse({ type: EnhancementDto, description: 'The enhancement.' })
  @Refuses(ENHANCEMENTS.reject)
  async reject(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Param('enhancementId') enhancementId: string,
    @Body() selection: RejectSuggestionsDto,
  ): Promise<ApiResponse> {
    const target = { id, enhancementId };
    return enhancementResponse(await this.review.reject(target, selection, context));
  }

  @Post('enhancements/:enhancementId/withdraw')
  @HttpCode(200)
  @RequireScope('documents:suggest')
  @Reach('viewer', { browser: true })
  @ApiOperation({
    operationId: 'withdrawProposal',
    summary: 'Withdraw a proposal',
    description:
      'Only the key that sent it, its successor after a rotation, or the person can do this. Open suggestions become `stale`; they can be proposed again. Emits `proposal.decided`. Repeating the request is safe.',
  })
  @ApiOkResponse({ type: EnhancementDto, description: 'The proposal.' })
  @Refuses(ENHANCEMENTS.withdraw)
  async withdraw(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Param('enhancementId') enhancementId: string,
  ): Promise<ApiResponse> {
    return enhancementResponse(await this.review.withdraw({ id, enhancementId }, context));
  }
}
