import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Req,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentPrincipal, Public, RequireScope } from '../../auth/auth.decorators.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import type { Principal } from '../../auth/principal.js';
import { Config } from '../../../platform/config/config.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { BodyReadBy } from '../../../platform/http/bodies/body.interceptor.js';
import { AnyFields } from '../../../platform/http/envelope/unknown-fields.interceptors.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { publicOrigin } from '../../../platform/http/public-origin.js';
import { ReceivedDeliveryDto, ReceivedDto, ReceiverDto } from './dto/receiver.dto.js';
import { presentReceiver } from './receiver.presenter.js';
import { RawBodyReader } from './raw-body-reader.js';
import { TestReceiversService } from './test-receivers.service.js';
import { RECEIVERS } from './receivers.refusals.js';

@ApiTags('receivers')
@ApiParam({ name: 'accountId' })
@Controller({ path: 'dashboard/api/accounts/:accountId/receivers', version: VERSION_NEUTRAL })
export class ReceiversController {
  constructor(
    private readonly receivers: TestReceiversService,
    private readonly config: Config,
  ) {}

  @Post()
  @RequireScope('webhooks:write')
  @Reach('account')
  @ApiOperation({
    summary: 'Create a test receiver',
    description: 'A receiver works for a day and stores the last 50 deliveries.',
  })
  @ApiCreatedResponse({ type: ReceiverDto, description: 'The receiver.' })
  @Refuses(RECEIVERS.create)
  async create(
    @CurrentPrincipal() { accountId }: Principal,
    @Req() request: Request,
  ): Promise<ReceiverDto> {
    return presentReceiver(
      await this.receivers.create(accountId, publicOrigin(request, this.config)),
    );
  }

  @Get()
  @RequireScope('webhooks:read')
  @Reach('account')
  @ApiOperation({ summary: 'List test receivers' })
  @ApiOkResponse({ type: ReceiverDto, isArray: true, description: 'Newest first.' })
  @Refuses(RECEIVERS.list)
  async list(@CurrentPrincipal() { accountId }: Principal): Promise<ReceiverDto[]> {
    return (await this.receivers.list(accountId)).map(presentReceiver);
  }

  @Get(':receiverId/deliveries')
  @RequireScope('webhooks:read')
  @Reach('everything')
  @ApiOperation({
    summary: 'List the deliveries of a test receiver',
    operationId: 'listReceivedDeliveries',
  })
  @ApiOkResponse({
    type: ReceivedDeliveryDto,
    isArray: true,
    description: 'Newest first, with the first 16 Ki characters of each body.',
  })
  async deliveries(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('receiverId') id: string,
  ): Promise<ApiResponse> {
    return new ApiResponse(await this.receivers.deliveries(accountId, id));
  }

  @Get(':receiverId/deliveries/:deliveryId')
  @RequireScope('webhooks:read')
  @Reach('everything')
  @ApiOperation({
    summary: 'Read a delivery of a test receiver',
    operationId: 'readReceivedDelivery',
  })
  @ApiParam({ name: 'deliveryId' })
  @ApiOkResponse({ type: ReceivedDeliveryDto, description: 'The delivery with its whole body.' })
  async delivery(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('receiverId') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<ApiResponse> {
    return new ApiResponse(await this.receivers.delivery(accountId, id, deliveryId));
  }

  @Delete(':receiverId')
  @HttpCode(204)
  @RequireScope('webhooks:write')
  @Reach('account')
  @ApiOperation({ summary: 'Delete a test receiver' })
  @ApiNoContentResponse({ description: 'The receiver and its deliveries are deleted.' })
  async delete(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('receiverId') id: string,
  ): Promise<void> {
    await this.receivers.delete(accountId, id);
  }
}

/** The public side of test receivers. */
@ApiTags('receivers')
@Public()
@Reach('none')
@Controller({ path: 'dashboard/receivers', version: VERSION_NEUTRAL })
export class ReceivedDeliveriesController {
  constructor(private readonly receivers: TestReceiversService) {}

  @Post(':token')
  @HttpCode(200)
  @AnyFields()
  @BodyReadBy(RawBodyReader)
  @ApiOperation({
    summary: 'Send a delivery to a test receiver',
    operationId: 'deliverToReceiver',
    description: 'Accepts up to 256 KiB per delivery and ten deliveries per second.',
  })
  @ApiOkResponse({ type: ReceivedDto, description: 'The dashboard shows the delivery.' })
  async receive(@Req() request: Request, @Param('token') token: string): Promise<ReceivedDto> {
    const { headers, bodyBytes = Buffer.alloc(0) } = request;
    await this.receivers.receive(token, { headers, body: bodyBytes });
    return { received: true };
  }
}
