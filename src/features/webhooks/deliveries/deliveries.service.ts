import { Injectable } from '@nestjs/common';
import { In, MoreThanOrEqual } from 'typeorm';
import { insertAuditEntry } from '../../audit/audit-entry.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Config } from '../../../platform/config/config.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { emitEvents } from '../../events/outbox.js';
import { isRedacted } from '../../events/redaction.js';
import { newUuid, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import type { CreationSort } from '../../../platform/http/pagination/page-query.dto.js';
import {
  readPage,
  type Page,
  type PageRequest,
} from '../../../platform/http/pagination/read-page.js';
import { WebhookDeliveryEntity } from '../entities/webhook-delivery.entity.js';
import { wakeWorkers } from '../pending-deliveries.js';
import { originOf, webhookEvent } from '../webhook-events.js';
import { webhookIsDisabled, type Webhook } from '../webhook.js';
import { WebhooksService } from '../webhooks.service.js';
import {
  DELIVERY_BODY,
  DELIVERY_COLUMNS,
  DELIVERY_JOINS,
  deliveryListing,
  type Attempt,
  type Delivery,
  type DeliveryFilter,
  type DeliveryWithBody,
} from './delivery.js';

/** Most attempts that are shown of one delivery, the latest; only sending anew makes more. */
export const MAX_ATTEMPTS_SHOWN = 50;

const FIND_WITH_BODY: Statement = {
  name: 'webhooks.find-delivery-with-body',
  text: `SELECT ${DELIVERY_COLUMNS}, ${DELIVERY_BODY} FROM webhook_deliveries AS item ${DELIVERY_JOINS}
          WHERE item.id = $1 AND item.webhook_id = $2 AND item.account_id = $3`,
};

const FIND: Statement = {
  name: 'webhooks.find-delivery',
  text: `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries AS item ${DELIVERY_JOINS}
          WHERE item.id = $1 AND item.webhook_id = $2 AND item.account_id = $3`,
};

/** A receiver may have repeated what it was sent, and with that what was removed for good since. */
const ATTEMPTS: Statement = {
  name: 'webhooks.list-attempts',
  text: `SELECT number, started_at AS "startedAt", duration_ms AS "durationMs", request_headers AS "requestHeaders",
                response_status AS "responseStatus", response_headers AS "responseHeaders",
                CASE WHEN (SELECT ${isRedacted('event')} FROM events AS event WHERE event.id = delivery.event_id) IS NOT TRUE
                     THEN response_excerpt END AS "responseExcerpt", error_class AS "errorClass", error_message AS "errorMessage"
           FROM webhook_delivery_attempts
           JOIN webhook_deliveries AS delivery ON delivery.id = delivery_id
          WHERE delivery.id = $1 AND delivery.account_id = $2
          ORDER BY number DESC LIMIT ${String(MAX_ATTEMPTS_SHOWN)}`,
};

/**
 * Due now, with the whole schedule before it; a worker that held it before cannot record its attempt any more. All of one
 * transaction have the same time, so that they are sent in the order in which they were planned.
 */
const SENT_ANEW = {
  status: 'pending',
  nextAttemptAt: () => 'now()',
  completedAt: null,
  earlierAttempts: () => 'attempts',
  leaseExpiresAt: null,
  leaseGeneration: () => 'lease_generation + 1',
} as const;

/** A worker that holds a delivery is sending it at the moment. */
const NOT_BEING_SENT = `(status <> 'pending' OR lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())`;

const BATCH = 1_000;
/** Most deliveries that one request takes up; another one goes on. */
const MAX_RECOVERED = 100_000;

interface Recovery {
  /** How many deliveries are sent anew. */
  recovered: number;
  /** There are more; the same request once more takes them up. */
  hasMore: boolean;
}

/** What was sent and is to be sent to a webhook, and sending it anew: the same event, the same bytes, the same id. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** One page of the account's deliveries under all of the filters. Throws `bad_request` for a cursor of another list. */
  list(
    accountId: string,
    filter: DeliveryFilter,
    request: PageRequest<CreationSort>,
  ): Promise<Page<Delivery>> {
    return readPage(this.database, deliveryListing(filter), accountId, request);
  }

  /** The same of one webhook. Throws `not_found` for the webhook. */
  async listOf(
    accountId: string,
    webhookId: string,
    request: PageRequest<CreationSort> & Pick<DeliveryFilter, 'status' | 'eventType'>,
  ): Promise<Page<Delivery>> {
    const { id } = await this.webhooks.find(accountId, webhookId);
    const { status, eventType } = request;
    return this.list(accountId, { webhookId: id, status, eventType }, request);
  }

  /** One delivery with its attempts, the first one first. Throws `not_found` for the webhook or the delivery. */
  async find(
    accountId: string,
    webhookId: string,
    id: string,
  ): Promise<{ delivery: DeliveryWithBody; attempts: Attempt[]; maxAttempts: number }> {
    const webhook = await this.webhooks.find(accountId, webhookId);
    const [delivery] = await this.database.run<DeliveryWithBody>(FIND_WITH_BODY, [
      uuidOf('delivery', id),
      webhook.id,
      accountId,
    ]);
    if (!delivery) throw notFound('delivery');
    const attempts = await this.database.run<Attempt>(ATTEMPTS, [delivery.id, accountId]);
    const maxAttempts = delivery.earlierAttempts + this.config.webhookRetrySchedule.length;
    return { delivery, attempts: attempts.reverse(), maxAttempts };
  }

  /**
   * Emits a `webhook.test` that is delivered to this webhook only, like any other event. Throws `not_found`, and
   * `conflict` while the webhook is disabled.
   */
  async test(webhookId: string, context: RequestContext): Promise<Delivery> {
    const { accountId } = context.principal;
    return this.database.transaction(async () => {
      const webhook = await this.lockActive(webhookId, context);
      const at = this.clock.now();
      const event = webhookEvent('webhook.test', webhook, at, originOf(context));
      await emitEvents(this.database, [event]);
      const id = newUuid();
      // The trigger that plans deliveries leaves tests out, whatever webhooks listen to.
      await this.database.repository(WebhookDeliveryEntity).insert({
        id,
        accountId,
        eventId: event.id,
        webhookId: webhook.id,
        subjectId: webhook.id,
        eventType: event.type,
        nextAttemptAt: () => 'clock_timestamp()',
        createdAt: at,
      });
      await insertAuditEntry(this.database, {
        action: 'webhook.test',
        resourceId: webhook.id,
        at,
        context,
      });
      return this.read(accountId, webhook.id, id);
    }, context.caller);
  }

  /**
   * Has one delivery sent now, whatever became of it before; one that is being sent stays as it is. Throws `not_found`
   * for the webhook or the delivery, and `conflict` while the webhook is disabled.
   */
  async redeliver(webhookId: string, id: string, context: RequestContext): Promise<Delivery> {
    const { accountId } = context.principal;
    return this.database.transaction(async () => {
      const webhook = await this.lockActive(webhookId, context);
      const key = { id: uuidOf('delivery', id), webhookId: webhook.id, accountId };
      await this.database
        .repository(WebhookDeliveryEntity)
        .createQueryBuilder()
        .update()
        .set(SENT_ANEW)
        .where(key)
        .andWhere(NOT_BEING_SENT)
        .execute();
      const delivery = await this.read(accountId, webhook.id, key.id);
      await wakeWorkers(this.database, webhook.id);
      await insertAuditEntry(this.database, {
        action: 'webhook.redeliver',
        resourceId: webhook.id,
        at: this.clock.now(),
        context,
        details: { deliveryId: id },
      });
      return delivery;
    }, context.caller);
  }

  /**
   * Has everything sent anew that failed or was cancelled and is of an event from `since` on. Nothing is sent twice by
   * repeating it. Throws `not_found`, and `conflict` while the webhook is disabled.
   */
  async recover(webhookId: string, since: Date, context: RequestContext): Promise<Recovery> {
    let recovered = 0;
    while (recovered < MAX_RECOVERED) {
      const count = await this.recoverBatch(webhookId, since, context, recovered === 0);
      recovered += count;
      if (count < BATCH) return { recovered, hasMore: false };
    }
    return { recovered, hasMore: true };
  }

  private recoverBatch(
    webhookId: string,
    since: Date,
    context: RequestContext,
    isFirst: boolean,
  ): Promise<number> {
    return this.database.transaction(async () => {
      const webhook = await this.lockActive(webhookId, context);
      const deliveries = this.database.repository(WebhookDeliveryEntity);
      const batch = await deliveries.find({
        select: { id: true },
        where: {
          webhookId: webhook.id,
          status: In(['failed', 'cancelled']),
          createdAt: MoreThanOrEqual(since),
        },
        order: { createdAt: 'ASC', id: 'ASC' },
        take: BATCH,
        lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
      });
      if (batch.length === 0) return 0;
      await deliveries.update({ id: In(batch.map(({ id }) => id)) }, SENT_ANEW);
      await wakeWorkers(this.database, webhook.id);
      if (isFirst) {
        await insertAuditEntry(this.database, {
          action: 'webhook.recover',
          resourceId: webhook.id,
          at: this.clock.now(),
          context,
          details: { since: since.toISOString() },
        });
      }
      return batch.length;
    }, context.caller);
  }

  /** Nobody disables the webhook until the caller's transaction ends. */
  private async lockActive(webhookId: string, { principal }: RequestContext): Promise<Webhook> {
    const webhook = await this.webhooks.lock(principal.accountId, webhookId);
    if (webhook.status !== 'active') throw webhookIsDisabled();
    return webhook;
  }

  private async read(accountId: string, webhookId: string, id: string): Promise<Delivery> {
    const [delivery] = await this.database.run<Delivery>(FIND, [id, webhookId, accountId]);
    if (!delivery) throw notFound('delivery');
    return delivery;
  }
}
