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
import { CurrentPrincipal, Public, RequireScope } from '../../access/auth/authentication.js';
import type { Principal } from '../../access/auth/principal.js';
import { Config } from '../../../platform/config/config.js';
import { BodyReadBy } from '../../../platform/http/envelope/body-readers.js';
import { AnyFields } from '../../../platform/http/envelope/unknown-fields.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { publicOrigin } from '../../../platform/http/public-origin.js';
import { ReceivedDeliveryDto, ReceivedDto, ReceiverDto } from './dto/receiver.dto.js';
import type { TestReceiverEntity } from './entities/test-receiver.entity.js';
import { RawBodyReader } from './raw-body-reader.js';
import { TestReceivers } from './test-receivers.service.js';
import { RECEIVERS } from './receivers.refusals.js';

/** Receivers of an account for trying its webhooks. */
@ApiTags('receivers')
@ApiParam({ name: 'accountId' })
@Controller({ path: 'dashboard/api/accounts/:accountId/receivers', version: VERSION_NEUTRAL })
export class ReceiversController {
  constructor(
    private readonly receivers: TestReceivers,
    private readonly config: Config,
  ) {}

  @Post()
  @RequireScope('webhooks:write')
  @ApiOperation({
    summary: 'Make a test receiver',
    description: 'It works for a day, and keeps the last 50 deliveries.',
  })
  @ApiCreatedResponse({ type: ReceiverDto, description: 'The receiver.' })
  @Refuses(RECEIVERS.create)
  async create(
    @CurrentPrincipal() { accountId }: Principal,
    @Req() request: Request,
  ): Promise<ReceiverDto> {
    return present(await this.receivers.create(accountId, publicOrigin(request, this.config)));
  }

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({ summary: 'List the test receivers' })
  @ApiOkResponse({ type: ReceiverDto, isArray: true, description: 'The newest first.' })
  @Refuses(RECEIVERS.list)
  async list(@CurrentPrincipal() { accountId }: Principal): Promise<ReceiverDto[]> {
    return (await this.receivers.list(accountId)).map(present);
  }

  @Get(':receiverId/deliveries')
  @RequireScope('webhooks:read')
  @ApiOperation({
    summary: 'List what a test receiver got',
    operationId: 'listReceivedDeliveries',
  })
  @ApiOkResponse({ type: ReceivedDeliveryDto, isArray: true, description: 'The newest first.' })
  async deliveries(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('receiverId') id: string,
  ): Promise<ReceivedDeliveryDto[]> {
    const deliveries = await this.receivers.deliveries(accountId, id);
    return deliveries.map(({ id: own, receivedAt, eventType, headers, body, signature }) => ({
      ...{ id: own, receivedAt: receivedAt.toISOString(), eventType, headers, body, signature },
    }));
  }

  @Delete(':receiverId')
  @HttpCode(204)
  @RequireScope('webhooks:write')
  @ApiOperation({ summary: 'Delete a test receiver' })
  @ApiNoContentResponse({ description: 'It is gone, with all that it got.' })
  async delete(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('receiverId') id: string,
  ): Promise<void> {
    await this.receivers.delete(accountId, id);
  }
}

/** Where deliveries come in. */
@ApiTags('receivers')
@Public()
@Controller({ path: 'dashboard/receivers', version: VERSION_NEUTRAL })
export class ReceivedDeliveriesController {
  constructor(private readonly receivers: TestReceivers) {}

  @Post(':token')
  @HttpCode(200)
  @AnyFields()
  @BodyReadBy(RawBodyReader)
  @ApiOperation({
    summary: 'Send something to a test receiver',
    operationId: 'deliverToReceiver',
    description: 'At most 256 KiB, ten times a second.',
  })
  @ApiOkResponse({ type: ReceivedDto, description: 'It is shown in the dashboard.' })
  async receive(@Req() request: Request, @Param('token') token: string): Promise<ReceivedDto> {
    const { headers, bodyBytes = Buffer.alloc(0) } = request;
    await this.receivers.receive(token, { headers, body: bodyBytes });
    return { received: true };
  }
}

/** The one list of a receiver's public fields. */
function present({ id, url, expiresAt }: TestReceiverEntity): ReceiverDto {
  return { id: encodeId('receiver', id), url, expiresAt: expiresAt.toISOString() };
}
