import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { validTimestamp } from '../../../platform/basics/clock/moment.js';
import { CurrentContext, RequireScope } from '../../auth/auth.decorators.js';
import type { Access } from '../../auth/access/access.js';
import { CurrentAccess, Reach } from '../../auth/access/reach.decorators.js';
import type { RequestContext } from '../../auth/request-context.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { DeliveriesService } from './deliveries.service.js';
import { presentDelivery, presentDeliveryWithAttempts } from './delivery.presenter.js';
import {
  DeliveryDto,
  DeliveryWithAttemptsDto,
  filterOf,
  ListAllDeliveriesDto,
  ListDeliveriesDto,
  RecoverDto,
  RecoveryDto,
} from './dto/delivery.dto.js';
import { DELIVERIES } from '../webhooks.refusals.js';

/** For the API document. The service rejects fields on routes that read no body. */
class NoFieldsDto {}

const NO_FIELDS = {
  type: NoFieldsDto,
  required: false,
  description: 'Empty, or an object without fields.',
};

@ApiTags('webhooks')
@Controller('webhooks/:id')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get('deliveries')
  @RequireScope('webhooks:read')
  @Reach('visible')
  @ApiOperation({
    operationId: 'listDeliveries',
    summary: "List a webhook's deliveries",
    description: 'Newest first. Deliveries are stored as long as their events.',
  })
  @ApiOkResponse({ type: DeliveryDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Query() query: ListDeliveriesDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.deliveries.listOf(access, id, filterOf(query), query);
    return new ApiResponse(JSON.stringify(rows.map(presentDelivery)), { pagination });
  }

  @Get('deliveries/:deliveryId')
  @RequireScope('webhooks:read')
  @Reach('visible')
  @ApiOperation({
    operationId: 'readDelivery',
    summary: 'Read a delivery with its attempts',
    description:
      'Returns each request and response, how long it took, and how to fix a failure. Bodies and headers are left out if you cannot see the document or collection of the event.',
  })
  @ApiOkResponse({ type: DeliveryWithAttemptsDto, description: 'The delivery.' })
  @Refuses(DELIVERIES.read)
  async read(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ) {
    const found = await this.deliveries.find(access, id, deliveryId);
    return presentDeliveryWithAttempts(found);
  }

  @Post('deliveries/:deliveryId/redeliver')
  @HttpCode(202)
  @RequireScope('webhooks:write')
  @Reach('visible')
  @ApiOperation({
    operationId: 'redeliver',
    summary: 'Redeliver an event',
    description:
      'Sends the delivery again whatever its status, with the same event, bytes and `webhook-id`. Earlier attempts are kept. A delivery that is in flight is not sent again.',
  })
  @ApiBody(NO_FIELDS)
  @ApiAcceptedResponse({ type: DeliveryDto, description: 'The delivery is sent right away.' })
  @Refuses(DELIVERIES.redeliver)
  async redeliver(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ) {
    return presentDelivery(await this.deliveries.redeliver(id, deliveryId, context));
  }

  @Post('recover')
  @HttpCode(202)
  @RequireScope('webhooks:write')
  @Reach('visible')
  @ApiOperation({
    operationId: 'recoverDeliveries',
    summary: 'Redeliver failed deliveries',
    description:
      'Sends failed and cancelled deliveries of events since a given time again. Repeating the request sends nothing twice. Events while the webhook was disabled have no deliveries; list them with `GET /v1/events`.',
  })
  @ApiBody({ type: RecoverDto })
  @ApiAcceptedResponse({ type: RecoveryDto, description: 'The deliveries are sent right away.' })
  @Refuses(DELIVERIES.recover)
  async recover(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() { since }: RecoverDto,
  ): Promise<RecoveryDto> {
    return this.deliveries.recover(id, validTimestamp(since), context);
  }

  @Post('test')
  @HttpCode(202)
  @RequireScope('webhooks:write')
  @Reach('visible')
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description:
      'Emits `webhook.test`, which is sent to this webhook only, regardless of the events it selects.',
  })
  @ApiBody(NO_FIELDS)
  @ApiAcceptedResponse({ type: DeliveryDto, description: 'The delivery. It is sent right away.' })
  @Refuses(DELIVERIES.test)
  async test(@CurrentContext() context: RequestContext, @Param('id') id: string) {
    return presentDelivery(await this.deliveries.test(id, context));
  }
}

@ApiTags('webhooks')
@Controller('deliveries')
export class AllDeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get()
  @RequireScope('webhooks:read')
  @Reach('visible')
  @ApiOperation({
    operationId: 'listAllDeliveries',
    summary: 'List deliveries',
    description:
      'Lists deliveries to all webhooks, including deleted ones, newest first. All filters must match. Deliveries are stored as long as their events.',
  })
  @ApiOkResponse({ type: DeliveryDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @Query() query: ListAllDeliveriesDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.deliveries.list(access, filterOf(query), query);
    return new ApiResponse(JSON.stringify(rows.map(presentDelivery)), { pagination });
  }
}
