import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../auth/authentication.js';
import type { Principal } from '../auth/principal.js';
import { Answer } from '../envelope/answer.js';
import { ListWebhooksDto } from './dto/list-webhooks.dto.js';
import { RegisterWebhookDto } from './dto/register-webhook.dto.js';
import type { DeletedWebhookDto } from './dto/webhook.dto.js';
import { presentRegisteredWebhook, presentWebhook } from './webhook.presenter.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @RequireScope('webhooks:write')
  @ApiOperation({
    summary: 'Register a webhook',
    description:
      'A secret that the service makes is in this answer only; one that was sent is in none.',
  })
  async register(
    @CurrentPrincipal() { accountId }: Principal,
    @Body() body: RegisterWebhookDto,
  ): Promise<Answer> {
    const { webhook, generatedSecret, warnings } = await this.webhooks.register(accountId, body);
    const registered = presentRegisteredWebhook(webhook, generatedSecret);
    return new Answer(JSON.stringify(registered), {
      location: `/v1/webhooks/${registered.id}`,
      warnings,
    });
  }

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({ summary: 'List webhooks' })
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
  async read(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string) {
    return presentWebhook(await this.webhooks.find(accountId, id));
  }

  @Delete(':id')
  @RequireScope('webhooks:write')
  @ApiOperation({
    summary: 'Delete a webhook',
    description: 'What is still owed to it is not sent any more.',
  })
  async delete(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string) {
    await this.webhooks.delete(accountId, id);
    return { id, deleted: true } satisfies DeletedWebhookDto;
  }
}
