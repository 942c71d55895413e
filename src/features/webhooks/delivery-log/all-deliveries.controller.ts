import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../../access/auth/authentication.js';
import type { Principal } from '../../access/auth/principal.js';
import { parseMoment } from '../../../platform/basics/clock/moment.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { decodeId, type IdKind } from '../../../platform/basics/identifiers/identifiers.js';
import { DeliveriesService } from './deliveries.service.js';
import { presentDelivery } from './delivery.presenter.js';
import type { DeliveryFilter } from './delivery-log.repository.js';
import { DeliveryDto } from './dto/delivery.dto.js';
import { ListAllDeliveriesDto } from './dto/delivery.dto.js';

@ApiTags('webhooks')
@Controller('deliveries')
export class AllDeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'listAllDeliveries',
    summary: 'List deliveries',
    description:
      'To all webhooks of the account, also to those that were deleted since, newest first. Filters can be combined; all must match. They are kept as long as their events.',
  })
  @ApiOkResponse({ type: DeliveryDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListAllDeliveriesDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.deliveries.list(accountId, filterOf(query), query);
    return new ApiResponse(JSON.stringify(rows.map(presentDelivery)), { pagination });
  }
}

/** The filter of a query that was found valid. */
function filterOf(query: ListAllDeliveriesDto): DeliveryFilter {
  const { status, eventType, requestId, since, until } = query;
  const uuid = (kind: IdKind, id?: string) => (id === undefined ? undefined : decodeId(kind, id));
  return {
    status,
    eventType,
    requestId,
    webhookId: uuid('webhook', query.webhookId),
    documentId: uuid('document', query.documentId),
    eventId: uuid('event', query.eventId),
    since: since === undefined ? undefined : parseMoment(since),
    until: until === undefined ? undefined : parseMoment(until),
  };
}
