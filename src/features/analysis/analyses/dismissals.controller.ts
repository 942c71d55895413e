import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentContext, RequireScope } from '../../auth/auth.decorators.js';
import type { Access } from '../../auth/access/access.js';
import { CurrentAccess, Reach } from '../../auth/access/reach.decorators.js';
import type { RequestContext } from '../../auth/request-context.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { KEPT_TEXT } from '../../../platform/openapi/schemas.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { presentDismissal } from './analysis.presenter.js';
import { DismissalsService } from './dismissals.service.js';
import { DismissIssuesDto, ListDismissalsDto } from '../dto/analyze.dto.js';
import { DismissalDto, DismissedDto, RemovedDismissalDto } from '../dto/enhancement.dto.js';
import { DISMISSALS } from '../analysis.refusals.js';
import { TextCheckService } from '../checker/text-check.service.js';

@ApiTags('analysis')
@Controller('documents/:id/dismissals')
export class DismissalsController {
  constructor(
    private readonly dismissals: DismissalsService,
    private readonly checks: TextCheckService,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('documents:analyze')
  @Reach('editor')
  @ApiOperation({
    operationId: 'dismissIssues',
    summary: 'Dismiss issues',
    description:
      'Analyses report dismissed issues as `rejected`, and enhancements skip them. This applies to the sentence in all later versions, even if it moves. If an id belongs to no analysis or enhancement of this document, and to no issue in `content`, nothing is dismissed.',
  })
  @ApiOkResponse({ type: DismissedDto, description: 'The dismissed issues.' })
  @Refuses(DISMISSALS.dismiss)
  async dismiss(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() { issueIds, content, ranges }: DismissIssuesDto,
  ): Promise<DismissedDto> {
    const known =
      content === undefined
        ? undefined
        : await this.checks.issueIds({ documentId: id, content, ranges }, context);
    await this.dismissals.dismiss(id, issueIds, context, known);
    return { issueIds: [...new Set(issueIds)] };
  }

  @Get()
  @RequireScope('documents:read')
  @Reach('viewer')
  @ApiOperation({
    operationId: 'listDismissals',
    summary: 'List the dismissed issues of a document',
    description: 'Newest first.',
  })
  @ApiOkResponse({ type: DismissalDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Query() query: ListDismissalsDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.dismissals.list(access, id, query);
    return new ApiResponse(JSON.stringify(rows.map(presentDismissal)), { pagination });
  }

  @Delete(':issueId')
  @RequireScope('documents:analyze')
  @Reach('editor')
  @ApiOperation({
    operationId: 'removeDismissal',
    summary: 'Undo a dismissal',
    description: 'The next analysis reports the issue again.',
  })
  @ApiParam({
    name: 'issueId',
    description: 'The id of the issue.',
    // Earlier releases stored any text as an id. Those dismissals can be undone too.
    schema: { type: 'string', maxLength: 60, pattern: KEPT_TEXT },
    example: 'iss_8Qm2xT0aWk3e9ZrLbD5uNg',
  })
  @ApiOkResponse({ type: RemovedDismissalDto, description: 'The dismissal is removed.' })
  async remove(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Param('issueId') issueId: string,
  ): Promise<RemovedDismissalDto> {
    await this.dismissals.remove(access, id, issueId);
    return { id: issueId, deleted: true };
  }
}
