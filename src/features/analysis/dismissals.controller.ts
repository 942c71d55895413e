import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../access/auth/authentication.js';
import { presentPerson } from '../access/auth/person.js';
import type { Principal } from '../access/auth/principal.js';
import type { RequestContext } from '../access/auth/request-context.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { KEPT_TEXT } from '../../platform/openapi/property-decorators.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { DismissalsService, type Dismissal } from './dismissals.service.js';
import { DismissIssuesDto, ListDismissalsDto } from './dto/enhance.dto.js';
import { DismissalDto, DismissedDto, RemovedDismissalDto } from './dto/enhancement.dto.js';
import { DISMISSALS } from './analysis.refusals.js';

@ApiTags('analysis')
@Controller('documents/:id/dismissals')
export class DismissalsController {
  constructor(private readonly dismissals: DismissalsService) {}

  @Post()
  @HttpCode(200)
  @RequireScope('documents:analyze')
  @ApiOperation({
    operationId: 'dismissIssues',
    summary: 'Dismiss issues',
    description:
      'Analyses show them as `rejected`, and enhancements leave them out: in this sentence of this document, in every later version, also when the sentence moves. An id that no analysis and no enhancement of this document has is refused, and nothing is dismissed.',
  })
  @ApiOkResponse({ type: DismissedDto, description: 'What is dismissed now.' })
  @Refuses(DISMISSALS.dismiss)
  async dismiss(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() { issueIds }: DismissIssuesDto,
  ): Promise<DismissedDto> {
    await this.dismissals.dismiss(id, issueIds, context);
    return { issueIds: [...new Set(issueIds)] };
  }

  @Get()
  @RequireScope('documents:read')
  @ApiOperation({
    operationId: 'listDismissals',
    summary: 'List the dismissed issues of a document',
    description: 'The newest first.',
  })
  @ApiOkResponse({ type: DismissalDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Query() query: ListDismissalsDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.dismissals.list(accountId, id, query);
    return new ApiResponse(JSON.stringify(rows.map(presentDismissal)), { pagination });
  }

  @Delete(':issueId')
  @RequireScope('documents:analyze')
  @ApiOperation({
    operationId: 'removeDismissal',
    summary: 'Take a dismissal back',
    description: 'The next analysis tells the issue again.',
  })
  @ApiParam({
    name: 'issueId',
    description: 'The id of the issue.',
    // Earlier releases stored any text: it is listed, so it can be taken back.
    schema: { type: 'string', maxLength: 60, pattern: KEPT_TEXT },
    example: 'iss_8Qm2xT0aWk3e9ZrLbD5uNg',
  })
  @ApiOkResponse({ type: RemovedDismissalDto, description: 'It is taken back.' })
  async remove(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Param('issueId') issueId: string,
  ): Promise<RemovedDismissalDto> {
    await this.dismissals.remove(accountId, id, issueId);
    return { id: issueId, deleted: true };
  }
}

function presentDismissal(dismissal: Dismissal): DismissalDto {
  const { issueId, createdAt, authorId: id, authorName: name, authorEmail: email } = dismissal;
  const createdBy = presentPerson({ id, name, email });
  return { issueId, createdBy, createdAt: createdAt.toISOString() };
}
