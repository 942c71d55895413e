import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { validTimestamp } from '../../../platform/basics/clock/timestamp.js';
import {
  CurrentContext,
  CurrentPrincipal,
  RequireScope,
} from '../../access/auth/authentication.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import type { Principal } from '../../access/auth/principal.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { DeliveriesService } from './deliveries.service.js';
import { presentDelivery, presentDeliveryWithAttempts } from './delivery.presenter.js';
import { DeliveryDto, DeliveryWithAttemptsDto } from './dto/delivery.dto.js';
import { ListDeliveriesDto } from './dto/list-deliveries.dto.js';
import { RecoverDto, RecoveryDto } from './dto/recover.dto.js';
import { DELIVERIES } from '../webhooks.refusals.js';

/** Shown in the API document; the service refuses fields on routes that read no body. */
class NoFieldsDto {}

const NO_FIELDS = { type: NoFieldsDto, required: false, description: 'Nothing, or no fields.' };

@ApiTags('webhooks')
@Controller('webhooks/:id')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get('deliveries')
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'listDeliveries',
    summary: "List a webhook's deliveries",
    description: 'Newest first. They are kept as long as their events.',
  })
  @ApiOkResponse({ type: DeliveryDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Query() query: ListDeliveriesDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.deliveries.listOf(accountId, id, query);
    return new ApiResponse(JSON.stringify(rows.map(presentDelivery)), { pagination });
  }

  @Get('deliveries/:deliveryId')
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'readDelivery',
    summary: 'Read a delivery with its attempts',
    description: 'What was sent, what came back, how long it took, and what to do when it failed.',
  })
  @ApiOkResponse({ type: DeliveryWithAttemptsDto, description: 'The delivery.' })
  @Refuses(DELIVERIES.read)
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ) {
    const found = await this.deliveries.find(accountId, id, deliveryId);
    return presentDeliveryWithAttempts(found);
  }

  @Post('deliveries/:deliveryId/redeliver')
  @HttpCode(202)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'redeliver',
    summary: 'Send a delivery anew',
    description:
      'Whatever became of it: the same event, the same bytes and the same `webhook-id`, with all attempts before it. One that is just being sent stays as it is.',
  })
  @ApiBody(NO_FIELDS)
  @ApiAcceptedResponse({ type: DeliveryDto, description: 'It is sent at once.' })
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
  @ApiOperation({
    operationId: 'recoverDeliveries',
    summary: 'Send anew what failed',
    description:
      'Every delivery that failed or was cancelled, of events since a time. Repeating it sends nothing twice. Events that happened while the webhook was disabled were never owed to it: list them by `GET /v1/events`.',
  })
  @ApiBody({ type: RecoverDto })
  @ApiAcceptedResponse({ type: RecoveryDto, description: 'They are sent at once.' })
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
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test',
    description:
      'Emits `webhook.test`, which goes to this webhook only, whatever it and others listen to.',
  })
  @ApiBody(NO_FIELDS)
  @ApiAcceptedResponse({ type: DeliveryDto, description: 'The delivery; it is sent at once.' })
  @Refuses(DELIVERIES.test)
  async test(@CurrentContext() context: RequestContext, @Param('id') id: string) {
    return presentDelivery(await this.deliveries.test(id, context));
  }
}
