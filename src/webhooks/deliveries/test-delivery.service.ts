import { Injectable } from '@nestjs/common';
import { auditRow, insertAuditEntries } from '../../audit/audit-entry.js';
import type { Cause } from '../../auth/cause.js';
import { Clock } from '../../clock/clock.js';
import { Database, type Statement } from '../../database/database.js';
import { insertEvents } from '../../events/outbox.js';
import { originOf, webhookEvent } from '../webhook-events.js';
import { webhookIsDisabled } from '../webhook-refusals.js';
import { WebhooksService } from '../webhooks.service.js';
import { DELIVERY_COLUMNS, DELIVERY_JOINS, type Delivery } from './delivery.js';

/**
 * The event and its one delivery: the trigger that plans deliveries leaves tests out, for they go to the webhook that is
 * tested, whatever others listen to. An update that disables it at the same time waits for this, or is seen.
 */
const TEST: Statement = {
  name: 'webhooks.test',
  text: `WITH target AS (
      SELECT id FROM webhooks WHERE id = $1 AND account_id = $2 AND status = 'active' FOR NO KEY UPDATE
    ), emitted AS (
      ${insertEvents('$3', 'WHERE EXISTS (SELECT FROM target)')}
      RETURNING id, account_id, type, subject_id, created_at
    ), owed AS (
      INSERT INTO webhook_deliveries
        (id, account_id, event_id, webhook_id, subject_id, event_type, next_attempt_at, created_at)
      SELECT uuid_v7(), account_id, id, $1, subject_id, type, clock_timestamp(), created_at FROM emitted
      RETURNING *
    ), audited AS (${insertAuditEntries('$4', 'WHERE EXISTS (SELECT FROM target)')})
    SELECT ${DELIVERY_COLUMNS} FROM owed AS item ${DELIVERY_JOINS}`,
};

/** Tries webhooks out. */
@Injectable()
export class TestDelivery {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
    private readonly clock: Clock,
  ) {}

  /**
   * Emits a `webhook.test` that is owed to this webhook only; it is delivered like any other event. Throws `not_found`,
   * and `conflict` while the webhook is disabled.
   */
  async send(webhookId: string, cause: Cause): Promise<Delivery> {
    const { accountId } = cause.principal;
    const webhook = await this.webhooks.find(accountId, webhookId);
    const at = this.clock.now();
    const event = webhookEvent('webhook.test', webhook, at, originOf(cause));
    const entry = auditRow({ action: 'webhook.test', resourceId: webhook.id, at, cause });
    const [delivery] = await (cause.executor ?? this.database).run<Delivery>(TEST, [
      webhook.id,
      accountId,
      JSON.stringify([event]),
      JSON.stringify([entry]),
    ]);
    if (!delivery) throw webhookIsDisabled();
    return delivery;
  }
}
