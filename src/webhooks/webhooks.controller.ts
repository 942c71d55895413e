import { Body, Controller, Delete, Get, Header, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCause, CurrentPrincipal, RequireScope } from '../auth/authentication.js';
import type { Cause } from '../auth/cause.js';
import type { Principal } from '../auth/principal.js';
import { Answer } from '../envelope/answer.js';
import { ShownOnce } from '../envelope/shown-once.js';
import { invalidFields, type FieldProblem } from '../errors/app-error.js';
import { Refuses } from '../openapi/route-decorators.js';
import { quotaExceeded } from '../usage/quota-refusal.js';
import { ListWebhooksDto } from './dto/list-webhooks.dto.js';
import { RegisterWebhookDto } from './dto/register-webhook.dto.js';
import { REGISTER_WEBHOOK_EXAMPLES } from './dto/register-webhook.examples.js';
import { DeletedWebhookDto, RegisteredWebhookDto, WebhookDto } from './dto/webhook.dto.js';
import { eventProblems } from '../events/event-selection.js';
import { receiverUrlProblems, type ReceiverPolicy } from './receiver-url.js';
import { SECRET_SHOWN_ONCE } from './webhook-secret.js';
import { presentRegisteredWebhook, presentWebhook } from './webhook.presenter.js';
import { WebhooksService } from './webhooks.service.js';

/** The policy of an operator who has opened nothing. */
const ONLY_PUBLIC: ReceiverPolicy = { webhookAllowedNetworks: [], webhookAllowHttp: false };

@ApiTags('webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @RequireScope('webhooks:write')
  @ShownOnce(SECRET_SHOWN_ONCE)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Register a webhook',
    description:
      'A secret that the service makes is in this answer only; one that was sent is in none.',
  })
  @ApiBody({ type: RegisterWebhookDto, examples: REGISTER_WEBHOOK_EXAMPLES })
  @ApiCreatedResponse({
    type: RegisteredWebhookDto,
    description: 'The webhook, active from now on.',
  })
  @Refuses('Unknown event', invalidFields(eventProblems(['document.create']) as [FieldProblem]))
  @Refuses(
    'Private address',
    invalidFields(receiverUrlProblems('https://10.0.0.7/', ONLY_PUBLIC) as [FieldProblem]),
  )
  @Refuses(
    'Too many webhooks',
    quotaExceeded({ quota: 'webhooks', limit: 5, used: 5, plan: 'free', requested: 1 }),
  )
  async register(@CurrentCause() cause: Cause, @Body() body: RegisterWebhookDto): Promise<Answer> {
    const { webhook, generatedSecret, warnings } = await this.webhooks.register(body, cause);
    const registered = presentRegisteredWebhook(webhook, generatedSecret);
    return new Answer(JSON.stringify(registered), {
      location: `/v1/webhooks/${registered.id}`,
      warnings,
    });
  }

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({ summary: 'List webhooks', description: 'Newest first.' })
  @ApiOkResponse({ type: WebhookDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListWebhooksDto,
  ): Promise<Answer> {
    const { rows, pagination } = await this.webhooks.list(accountId, query);
    return new Answer(JSON.stringify(rows.map(presentWebhook)), { pagination });
  }

  @Get(':id')
  @RequireScope('webhooks:read')
  @ApiOperation({ summary: 'Read a webhook' })
  @ApiOkResponse({ type: WebhookDto, description: 'The webhook, without its secret.' })
  async read(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string) {
    return presentWebhook(await this.webhooks.find(accountId, id));
  }

  @Delete(':id')
  @RequireScope('webhooks:write')
  @ApiOperation({
    summary: 'Delete a webhook',
    description: 'What is still owed to it is not sent any more.',
  })
  @ApiOkResponse({ type: DeletedWebhookDto, description: 'It is gone.' })
  async delete(@CurrentCause() cause: Cause, @Param('id') id: string) {
    await this.webhooks.delete(id, cause);
    return { id, deleted: true } satisfies DeletedWebhookDto;
  }
}
