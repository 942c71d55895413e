import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../auth/auth.decorators.js';
import type { Access } from '../auth/access/access.js';
import { CurrentAccess, Reach } from '../auth/access/reach.decorators.js';
import type { Principal } from '../auth/principal.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { ListRequestsDto, RequestDto } from './dto/request.dto.js';
import { presentRequest } from './request.presenter.js';
import { RequestsService } from './requests.service.js';
import { REQUESTS } from './requests.refusals.js';

@ApiTags('requests')
@Controller('requests')
export class RequestsController {
  constructor(private readonly requests: RequestsService) {}

  @Get()
  @RequireScope('usage:read')
  @Reach('visible')
  @ApiOperation({
    summary: 'List requests',
    description:
      'Lists requests of the keys of the account, and failed requests from the dashboard, newest first, without bodies. A request appears a second or two after its response. All filters must match. `meta.requestLog` reports for how many days requests are stored, and how many are missing and why. If you cannot see all documents, only your own requests are listed.',
  })
  @ApiOkResponse({ type: RequestDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListRequestsDto,
  ): Promise<ApiResponse> {
    const { rows, pagination, log } = await this.requests.list(access, principal, query);
    const items = JSON.stringify(rows.map((row) => presentRequest(row, principal)));
    return new ApiResponse(items, { pagination, requestLog: log });
  }

  @Get(':id')
  @RequireScope('usage:read')
  @Reach('visible')
  @ApiOperation({
    summary: 'Read a request',
    description:
      'To find what a request changed, filter `GET /v1/audit`, `GET /v1/events` and `GET /v1/deliveries` by `requestId`. A 404 explains in `details.reason` why the request may not be stored.',
  })
  @ApiOkResponse({ type: RequestDto, description: 'The request.' })
  @Refuses(REQUESTS.read)
  async read(
    @CurrentAccess() access: Access,
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<RequestDto> {
    return presentRequest(await this.requests.find(access, principal, id), principal);
  }
}
