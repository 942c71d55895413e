import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { headers } from '../../../platform/openapi/headers.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { CurrentContext, RequireScope } from '../../auth/auth.decorators.js';
import type { Access } from '../../auth/access/access.js';
import { CurrentAccess, Reach } from '../../auth/access/reach.decorators.js';
import type { RequestContext } from '../../auth/request-context.js';
import { PROPOSALS } from '../analysis.refusals.js';
import { EnhancementDto, EnhancementItemDto } from '../dto/enhancement.dto.js';
import { createdResponse, presentHead } from '../enhancements/enhancement.presenter.js';
import { ListProposalsDto, PROPOSAL_EXAMPLES, ProposeChangesDto } from './proposals.dto.js';
import { ProposalsService } from './proposals.service.js';

@ApiTags('proposals')
@Controller()
export class ProposalsController {
  constructor(private readonly proposals: ProposalsService) {}

  @Post('documents/:id/proposals')
  @RequireScope('documents:suggest')
  @Reach('viewer', { browser: true })
  @ApiOperation({
    operationId: 'proposeChanges',
    summary: 'Propose changes to a document',
    description:
      'The document stays as it is until somebody with `documents:write` applies the suggestions. Changes that were rejected for the same sentence, that are open in another proposal, or whose passage has changed since the base version are left out and counted in `dropped`; if none is left, the response is 409. Emits `proposal.created`.',
  })
  @ApiBody({ type: ProposeChangesDto, examples: PROPOSAL_EXAMPLES })
  @ApiCreatedResponse({
    type: EnhancementDto,
    description: 'The proposal, which is an enhancement.',
    headers: headers('Location'),
  })
  @Refuses(PROPOSALS.propose)
  async propose(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() body: ProposeChangesDto,
  ): Promise<ApiResponse> {
    return createdResponse(await this.proposals.propose(id, body, context));
  }

  @Get('proposals')
  @RequireScope('documents:read')
  @Reach('visible')
  @ApiOperation({
    operationId: 'listProposals',
    summary: 'List proposals',
    description:
      'The proposals for all documents outside the trash, newest first, without their suggestions. The total is exact to 10,000; above that, `totalIsLowerBound` is true.',
  })
  @ApiOkResponse({ type: EnhancementItemDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @Query() query: ListProposalsDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.proposals.list(access, query);
    return new ApiResponse(JSON.stringify(rows.map(presentHead)), { pagination });
  }
}
