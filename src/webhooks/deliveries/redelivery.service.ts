import { Injectable } from '@nestjs/common';
import { auditRow, insertAuditEntries } from '../../audit/audit-entry.js';
import type { Cause } from '../../auth/cause.js';
import { Clock } from '../../clock/clock.js';
import { Database, type Statement } from '../../database/database.js';
import { notFound } from '../../errors/app-error.js';
import { uuidOf } from '../../identifiers/identifiers.js';
import { webhookIsDisabled } from '../webhook-refusals.js';
import { WebhooksService } from '../webhooks.service.js';
import { DELIVERY_COLUMNS, DELIVERY_JOINS, type Delivery } from './delivery.js';

/**
 * Due now, with the whole schedule before it. A worker that held it before cannot write its end over this any more. All
 * of one transaction have the same time, so that they are sent in the order in which they were planned.
 */
const SENT_ANEW = `status = 'pending', next_attempt_at = now(), completed_at = NULL, earlier_attempts = attempts,
  lease_expires_at = NULL, lease_generation = lease_generation + 1`;

/** One that a worker is just sending stays as it is; workers hear of the others. */
const REDELIVER: Statement = {
  name: 'webhooks.redeliver',
  text: `WITH anew AS (
      UPDATE webhook_deliveries SET ${SENT_ANEW}
       WHERE id = $1 AND webhook_id = $2 AND account_id = $3
         AND (status <> 'pending' OR lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())
      RETURNING *
    ), audited AS (${insertAuditEntries('$4', 'WHERE EXISTS (SELECT FROM webhook_deliveries WHERE id = $1 AND webhook_id = $2 AND account_id = $3)')}
    ), announced AS MATERIALIZED (SELECT pg_notify('webhook_deliveries', $2::text) FROM anew)
    SELECT ${DELIVERY_COLUMNS}, (SELECT count(*) FROM announced) AS announced
      FROM (SELECT * FROM anew
            UNION ALL
            SELECT * FROM webhook_deliveries
             WHERE id = $1 AND webhook_id = $2 AND account_id = $3 AND NOT EXISTS (SELECT FROM anew)) AS item
      ${DELIVERY_JOINS}`,
};

const BATCH = 1_000;
/** Most deliveries that one request takes up; another one goes on. */
const MAX_RECOVERED = 100_000;

const RECOVER: Statement = {
  name: 'webhooks.recover',
  text: `WITH chosen AS MATERIALIZED (
      SELECT id FROM webhook_deliveries
       WHERE webhook_id = (SELECT id FROM webhooks WHERE id = $1 AND account_id = $2)
         AND status IN ('failed', 'cancelled') AND created_at >= $3
       ORDER BY created_at, id LIMIT ${String(BATCH)}
         FOR UPDATE SKIP LOCKED
    ), anew AS (
      UPDATE webhook_deliveries SET ${SENT_ANEW} WHERE id IN (SELECT id FROM chosen) RETURNING id
    ), audited AS (${insertAuditEntries('$4', 'WHERE EXISTS (SELECT FROM anew)')})
    SELECT count(*)::integer AS recovered, pg_notify('webhook_deliveries', $1::text) FROM anew`,
};

export interface Recovery {
  /** How many deliveries are sent anew. */
  recovered: number;
  /** There are more; the same request once more takes them up. */
  hasMore: boolean;
}

/** Sends deliveries anew: the same event, the same bytes, the same id. */
@Injectable()
export class Redelivery {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
    private readonly clock: Clock,
  ) {}

  /**
   * Has one delivery sent now, whatever became of it before. Throws `not_found` for the webhook or the delivery, and
   * `conflict` while the webhook is disabled.
   */
  async redeliver(webhookId: string, id: string, cause: Cause): Promise<Delivery> {
    const { accountId } = cause.principal;
    const webhook = await this.findActive(webhookId, cause);
    const uuid = uuidOf('delivery', id);
    const entry = auditRow({
      action: 'webhook.redeliver',
      resourceId: webhook,
      at: this.clock.now(),
      cause,
      details: { deliveryId: id },
    });
    const [delivery] = await (cause.executor ?? this.database).run<Delivery>(REDELIVER, [
      uuid,
      webhook,
      accountId,
      JSON.stringify([entry]),
    ]);
    if (!delivery) throw notFound('delivery');
    return delivery;
  }

  /**
   * Has everything sent anew that failed or was cancelled and is of an event from `since` on. Nothing is sent twice by
   * repeating it. Throws `not_found`, and `conflict` while the webhook is disabled.
   */
  async recover(webhookId: string, since: Date, cause: Cause): Promise<Recovery> {
    const webhook = await this.findActive(webhookId, cause);
    const entry = auditRow({
      action: 'webhook.recover',
      resourceId: webhook,
      at: this.clock.now(),
      cause,
      details: { since: since.toISOString() },
    });
    let entries = [entry];
    let recovered = 0;
    while (recovered < MAX_RECOVERED) {
      const [batch] = await (cause.executor ?? this.database).run<{ recovered: number }>(RECOVER, [
        webhook,
        cause.principal.accountId,
        since,
        JSON.stringify(entries),
      ]);
      entries = [];
      recovered += batch?.recovered ?? 0;
      if ((batch?.recovered ?? 0) < BATCH) return { recovered, hasMore: false };
    }
    return { recovered, hasMore: true };
  }

  private async findActive(webhookId: string, { principal }: Cause): Promise<string> {
    const { id, status } = await this.webhooks.find(principal.accountId, webhookId);
    if (status !== 'active') throw webhookIsDisabled();
    return id;
  }
}
