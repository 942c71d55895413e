import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../auth/auth.decorators.js';
import { Reach } from '../auth/access/reach.decorators.js';
import type { RequestContext } from '../auth/request-context.js';
import type { Principal } from '../auth/principal.js';
import { ApiResponse, OneTimeSecret } from '../../platform/http/envelope/api-response.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import {
  ListWebhooksDto,
  PatchWebhookDto,
  REGISTER_WEBHOOK_EXAMPLES,
  RegisterWebhookDto,
  RotateSecretDto,
  RotatedSecretDto,
} from './dto/write-webhook.dto.js';
import { DeletedWebhookDto, RegisteredWebhookDto, WebhookDto } from './dto/webhook.dto.js';
import { SecretRotationService } from './signing/secret-rotation.service.js';
import { SECRET_SHOWN_ONCE } from './signing/webhook-secret.js';
import { registeredResponse, rotatedResponse, presentWebhook } from './webhook.presenter.js';
import { WebhooksService } from './webhooks.service.js';
import { WEBHOOKS } from './webhooks.refusals.js';

@ApiTags('webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly rotation: SecretRotationService,
  ) {}

  @Post()
  @RequireScope('webhooks:write')
  @Reach('everything')
  @OneTimeSecret(SECRET_SHOWN_ONCE)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Register a webhook',
    description:
      'If the service generates the secret, only this response contains it. A secret that you send is never returned. `meta.warnings` names active webhooks that send the same events to the same URL.',
  })
  @ApiBody({ type: RegisterWebhookDto, examples: REGISTER_WEBHOOK_EXAMPLES })
  @ApiCreatedResponse({
    type: RegisteredWebhookDto,
    description: 'The webhook. It is active.',
  })
  @Refuses(WEBHOOKS.register)
  async register(
    @CurrentContext() context: RequestContext,
    @Body() body: RegisterWebhookDto,
  ): Promise<ApiResponse> {
    return registeredResponse(await this.webhooks.register(body, context));
  }

  @Get()
  @RequireScope('webhooks:read')
  @Reach('account')
  @ApiOperation({ summary: 'List webhooks', description: 'Newest first.' })
  @ApiOkResponse({ type: WebhookDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListWebhooksDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.webhooks.list(accountId, query);
    return new ApiResponse(JSON.stringify(rows.map(presentWebhook)), { pagination });
  }

  @Get(':id')
  @RequireScope('webhooks:read')
  @Reach('account')
  @ApiOperation({ summary: 'Read a webhook' })
  @ApiOkResponse({ type: WebhookDto, description: 'The webhook, without its secret.' })
  async read(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string) {
    return presentWebhook(await this.webhooks.find(accountId, id));
  }

  @Delete(':id')
  @RequireScope('webhooks:write')
  @Reach('account')
  @ApiOperation({
    summary: 'Delete a webhook',
    description: 'Cancels its pending deliveries.',
  })
  @ApiOkResponse({ type: DeletedWebhookDto, description: 'The webhook is deleted.' })
  async delete(@CurrentContext() context: RequestContext, @Param('id') id: string) {
    await this.webhooks.delete(id, context);
    return { id, deleted: true } satisfies DeletedWebhookDto;
  }

  @Patch(':id')
  @RequireScope('webhooks:write')
  @Reach('everything')
  @ApiOperation({
    operationId: 'patchWebhook',
    summary: 'Change a webhook',
    description:
      'Takes a JSON Merge Patch (RFC 7396): omitted fields keep their value. If nothing changes, nothing is written. Disabling stops deliveries within a second, cancels pending ones and emits `webhook.disabled`; `recover` sends them again.',
  })
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchWebhookDto, required: false })
  @ApiOkResponse({ type: WebhookDto, description: 'The webhook.' })
  @Refuses(WEBHOOKS.patch)
  async patch(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() body: PatchWebhookDto,
  ) {
    const { webhook, warnings } = await this.webhooks.change(id, body, context);
    return new ApiResponse(JSON.stringify(presentWebhook(webhook)), { warnings });
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @RequireScope('webhooks:write')
  @Reach('account')
  @OneTimeSecret(SECRET_SHOWN_ONCE)
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook',
    description:
      'Signs deliveries with the new and the previous secret for 24 hours, then with the new one only. Another rotation within that time ends the older one. Sending the current secret changes nothing.',
  })
  @ApiBody({ type: RotateSecretDto, required: false })
  @ApiOkResponse({
    type: RotatedSecretDto,
    description: 'The webhook. A generated secret is shown only once.',
  })
  async rotate(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() { secret }: RotateSecretDto,
  ): Promise<ApiResponse> {
    return rotatedResponse(await this.rotation.rotate(id, secret, context));
  }
}
