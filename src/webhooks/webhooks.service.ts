import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../clock/clock.js';
import { Database } from '../database/database.js';
import { notFound, type FieldProblem } from '../errors/app-error.js';
import { decodeId, newUuid } from '../identifiers/identifiers.js';
import { readPage, type Page } from '../pagination/read-page.js';
import { SecretBox } from '../secrets/secret-box.js';
import type { ListWebhooksDto } from './dto/list-webhooks.dto.js';
import type { RegisterWebhookDto } from './dto/register-webhook.dto.js';
import { WebhookDeliveryEntity } from './entities/webhook-delivery.entity.js';
import { WebhookEntity } from './entities/webhook.entity.js';
import { repetitionWarnings, withoutRepetitions } from './event-selection.js';
import { generateSecret, previewOf, secretWarnings } from './webhook-secret.js';
import { WEBHOOK_LISTING, type Webhook, type WebhookSort } from './webhook.js';

export interface Registration {
  webhook: Webhook;
  /** Only when the client sent no secret of its own. */
  generatedSecret: string | undefined;
  warnings: FieldProblem[];
}

/** The webhooks of an account. */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectRepository(WebhookEntity) private readonly webhooks: Repository<WebhookEntity>,
    private readonly database: Database,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Takes a receiver in; events that commit after this are owed to it. */
  async register(accountId: string, body: RegisterWebhookDto): Promise<Registration> {
    const generatedSecret = body.secret === undefined ? generateSecret() : undefined;
    const secret = body.secret ?? generatedSecret ?? '';
    const id = newUuid();
    const now = this.clock.now();
    const webhook: Webhook = {
      id,
      url: body.url,
      events: withoutRepetitions(body.events),
      payload: body.payload,
      status: 'active',
      description: body.description ?? null,
      secretPreview: previewOf(secret),
      disabledReason: null,
      lastDeliveryAt: null,
      createdAt: now,
      updatedAt: now,
    };
    await this.webhooks.insert({
      ...webhook,
      accountId,
      secretEncrypted: this.secretBox.seal(secret, id),
    });
    const warnings = [...secretWarnings(secret), ...repetitionWarnings(body.events)];
    return { webhook, generatedSecret, warnings };
  }

  /** One webhook of the account. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<Webhook> {
    const webhook = await this.webhooks.findOneBy({ id: uuidOf(id), accountId });
    if (!webhook) throw notFound('webhook');
    return webhook;
  }

  async list(accountId: string, query: ListWebhooksDto): Promise<Page<Webhook>> {
    return readPage<Webhook, WebhookSort>(this.database, WEBHOOK_LISTING, accountId, query);
  }

  /** Removes a webhook and what is still owed to it, or neither. Throws `not_found`, also for an id that is none. */
  async delete(accountId: string, id: string): Promise<void> {
    const webhookId = uuidOf(id);
    await this.webhooks.manager.transaction(async (transaction) => {
      const { affected } = await transaction.delete(WebhookEntity, { id: webhookId, accountId });
      if (!affected) throw notFound('webhook');
      await transaction.delete(WebhookDeliveryEntity, { webhookId, status: 'pending' });
    });
  }
}

function uuidOf(id: string): string {
  const uuid = decodeId('webhook', id);
  if (uuid === undefined) throw notFound('webhook');
  return uuid;
}
