import { Injectable } from '@nestjs/common';
import { auditRow, insertAuditEntries } from '../audit/audit-entry.js';
import type { Cause } from '../auth/cause.js';
import { Clock } from '../clock/clock.js';
import { Database, type Statement } from '../database/database.js';
import { notFound, type FieldProblem } from '../errors/app-error.js';
import { newUuid, uuidOf } from '../identifiers/identifiers.js';
import { readPage, type Page, type PageRequest } from '../pagination/read-page.js';
import { SecretBox } from '../secrets/secret-box.js';
import { Quotas } from '../usage/quotas.js';
import type { RegisterWebhookDto } from './dto/register-webhook.dto.js';
import { repetitionWarnings, withoutRepetitions } from '../events/event-selection.js';
import { generateSecret, previewOf, secretWarnings } from './webhook-secret.js';
import { WEBHOOK_COLUMNS, WEBHOOK_LISTING, type Webhook, type WebhookSort } from './webhook.js';

const REGISTER: Statement = {
  name: 'webhooks.register',
  text: `WITH audited AS (${insertAuditEntries('$10')})
    INSERT INTO webhooks AS item (id, account_id, url, events, payload, description, secret_encrypted, secret_preview,
                                  created_at, updated_at)
    VALUES ($1::uuid, $2::uuid, $3, $4::text[], $5, $6, $7::bytea, $8, $9::timestamptz, $9::timestamptz)
    RETURNING ${WEBHOOK_COLUMNS}`,
};

const FIND: Statement = {
  name: 'webhooks.find',
  text: `SELECT ${WEBHOOK_COLUMNS} FROM webhooks AS item WHERE item.id = $1 AND item.account_id = $2`,
};

/**
 * One statement and so one transaction. What is owed is removed with its attempts, as much of it as can be while a
 * client waits, and without waiting for what a worker is writing at this moment: the two could wait for each other. What
 * is left nobody sends, and the workers cancel it.
 */
const DELETE: Statement = {
  name: 'webhooks.delete',
  text: `WITH gone AS (
      DELETE FROM webhooks WHERE id = $1 AND account_id = $2 RETURNING id
    ), owed AS (
      DELETE FROM webhook_deliveries WHERE id IN (
        SELECT delivery.id FROM webhook_deliveries AS delivery JOIN gone ON delivery.webhook_id = gone.id
         WHERE delivery.account_id = $2 AND delivery.status = 'pending'
         LIMIT 10000 FOR UPDATE OF delivery SKIP LOCKED)
      RETURNING id
    ), attempts AS (
      DELETE FROM webhook_delivery_attempts WHERE delivery_id IN (SELECT id FROM owed)
    ), audited AS (${insertAuditEntries('$3', 'WHERE resource_id IN (SELECT id FROM gone)')})
    SELECT id FROM gone`,
};

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
    private readonly database: Database,
    private readonly quotas: Quotas,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes a receiver in; events that commit after this are owed to it. Throws `forbidden` when the plan allows no more
   * webhooks.
   */
  async register(body: RegisterWebhookDto, cause: Cause): Promise<Registration> {
    const { accountId, plan } = cause.principal;
    const generatedSecret = body.secret === undefined ? generateSecret() : undefined;
    const secret = body.secret ?? generatedSecret ?? '';
    const id = newUuid();
    const now = this.clock.now();
    const entry = auditRow({ action: 'webhook.create', resourceId: id, at: now, cause });
    const values = [
      id,
      accountId,
      body.url,
      withoutRepetitions(body.events),
      body.payload,
      body.description ?? null,
      this.secretBox.seal(secret, id),
      previewOf(secret),
      now,
      JSON.stringify([entry]),
    ];
    const [webhook] = await this.quotas.whereRoom({ ...cause, accountId, plan }, 'webhooks', () =>
      this.database.run<Webhook>(REGISTER, values),
    );
    if (!webhook) throw new Error('An inserted webhook was not returned.');
    const warnings = [...secretWarnings(secret), ...repetitionWarnings(body.events)];
    return { webhook, generatedSecret, warnings };
  }

  /** One webhook of the account. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<Webhook> {
    const [webhook] = await this.database.run<Webhook>(FIND, [uuidOf('webhook', id), accountId]);
    if (!webhook) throw notFound('webhook');
    return webhook;
  }

  /** One page of the account's webhooks, disabled ones too. Throws `bad_request` for a cursor of another list. */
  async list(accountId: string, request: PageRequest<WebhookSort>): Promise<Page<Webhook>> {
    return readPage<Webhook, WebhookSort>(this.database, WEBHOOK_LISTING, accountId, request);
  }

  /** Removes a webhook and what is still owed to it, or neither. Throws `not_found`, also for an id that is none. */
  async delete(id: string, cause: Cause): Promise<void> {
    const uuid = uuidOf('webhook', id);
    const at = this.clock.now();
    const entry = auditRow({ action: 'webhook.delete', resourceId: uuid, at, cause });
    const gone = await (cause.executor ?? this.database).run(DELETE, [
      uuid,
      cause.principal.accountId,
      JSON.stringify([entry]),
    ]);
    if (gone.length === 0) throw notFound('webhook');
  }
}
