import { Injectable } from '@nestjs/common';
import type { Access } from '../../auth/access/access.js';
import { DocumentPlaces } from '../../auth/access/document-places.js';
import type { RequestContext } from '../../auth/request-context.js';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { newUuid, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { Config } from '../../../platform/config/config.js';
import { Database } from '../../../platform/database/database.js';
import type { CreationSort } from '../../../platform/http/pagination/page-query.dto.js';
import type { Page, PageRequest } from '../../../platform/http/pagination/read-page.js';
import { canReadEvent, excerptWithoutHiddenPlaces } from '../../events/event-access.js';
import { announceDeliveries, emitEvents } from '../../events/events.repository.js';
import { sourceOf, webhookEvent } from '../webhook.presenter.js';
import type { Webhook } from '../webhooks.repository.js';
import { webhookIsDisabled, WebhooksService } from '../webhooks.service.js';
import {
  DeliveryLogRepository,
  type Delivery,
  type DeliveryFilter,
  type DeliveryKey,
  type DeliveryWithBody,
  type RecordedAttempt,
} from './delivery-log.repository.js';

/** Deliveries that one transaction of a recovery redelivers. */
const BATCH = 1_000;
/** Maximum deliveries that one request recovers. Another request continues. */
const MAX_RECOVERED = 100_000;

interface Recovery {
  /** Number of deliveries that are sent again. */
  recovered: number;
  /** True if there are more. Repeating the request recovers them. */
  hasMore: boolean;
}

/**
 * Reads the deliveries of webhooks and redelivers them with the same event, bytes and ID. Methods that take IDs throw
 * `not_found` for unknown ones. Methods that send throw `conflict` while the webhook is disabled.
 */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveryLogRepository,
    private readonly webhooks: WebhooksService,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly places: DocumentPlaces,
  ) {}

  /**
   * Lists the deliveries of an account. With `documentId`, lists none of a document that the caller cannot see. Throws
   * `bad_request` for a cursor of another list.
   */
  async list(
    access: Access,
    filter: DeliveryFilter,
    request: PageRequest<CreationSort>,
  ): Promise<Page<Delivery>> {
    const { documentId } = filter;
    const isShown =
      documentId === undefined ||
      access.isWhole ||
      (await this.places.of(access, [documentId])).has(documentId);
    return this.deliveries.list(access.accountId, { filter, isShown }, request);
  }

  /** Lists the deliveries of one webhook. Throws `bad_request` for a cursor of another list. */
  async listOf(
    access: Access,
    webhookId: string,
    filter: DeliveryFilter,
    request: PageRequest<CreationSort>,
  ): Promise<Page<Delivery>> {
    const { id } = await this.webhooks.find(access.accountId, webhookId);
    return this.list(access, { ...filter, webhookId: id }, request);
  }

  /**
   * Returns a delivery with its attempts, earliest first. They are without bodies and headers if the caller cannot see the
   * document or collection of the event.
   */
  async find(
    access: Access,
    webhookId: string,
    id: string,
  ): Promise<{ delivery: DeliveryWithBody; attempts: RecordedAttempt[]; maxAttempts: number }> {
    const { accountId } = access;
    const webhook = await this.webhooks.find(accountId, webhookId);
    const key = { id: uuidOf('delivery', id), webhookId: webhook.id, accountId };
    const delivery = await this.deliveries.findWithBody(key);
    if (!delivery) throw notFound('delivery');
    const attempts = await this.deliveries.attempts(key);
    const maxAttempts = delivery.earlierAttempts + this.config.webhookRetrySchedule.length;
    const isReadable = await this.canRead(access, delivery);
    const body = isReadable ? delivery.body : null;
    return {
      delivery: { ...delivery, body: body && excerptWithoutHiddenPlaces(body, access) },
      attempts: isReadable ? attempts : attempts.map(withoutTexts),
      maxAttempts,
    };
  }

  private async canRead(
    access: Access,
    { eventType: type, subjectId }: DeliveryWithBody,
  ): Promise<boolean> {
    if (access.isWhole) return true;
    const document = subjectId && (await this.places.of(access, [subjectId])).get(subjectId);
    return canReadEvent(access, { type, place: document ? document.collectionId : subjectId });
  }

  /** Emits a `webhook.test` event and delivers it to this webhook only, like any other event. */
  async test(webhookId: string, context: RequestContext): Promise<Delivery> {
    const { accountId } = context.principal;
    return this.database.transaction(async () => {
      const webhook = await this.lockActive(webhookId, context);
      const at = this.clock.now();
      const event = webhookEvent('webhook.test', webhook, at, sourceOf(context));
      await emitEvents(this.database, [event]);
      const key = { id: newUuid(), webhookId: webhook.id, accountId };
      // The trigger that plans deliveries skips tests.
      await this.deliveries.insert({
        ...key,
        eventId: event.id,
        subjectId: webhook.id,
        eventType: event.type,
        createdAt: at,
      });
      await insertAuditEntry(this.database, {
        action: 'webhook.test',
        resourceId: webhook.id,
        at,
        context,
      });
      return this.read(key);
    }, context.caller);
  }

  /** Sends a delivery now, regardless of its status. Does not change one that is being sent. */
  async redeliver(webhookId: string, id: string, context: RequestContext): Promise<Delivery> {
    const { accountId } = context.principal;
    return this.database.transaction(async () => {
      const webhook = await this.lockActive(webhookId, context);
      const key = { id: uuidOf('delivery', id), webhookId: webhook.id, accountId };
      await this.deliveries.redeliver(key);
      const delivery = await this.read(key);
      announceDeliveries(this.database, accountId);
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

  /** Sends all failed and cancelled deliveries of events since a time. Repeating the request sends nothing twice. */
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
      const count = await this.deliveries.redeliverUnsuccessful(webhook.id, since, BATCH);
      if (count === 0) return 0;
      announceDeliveries(this.database, context.principal.accountId);
      if (isFirst) {
        await insertAuditEntry(this.database, {
          action: 'webhook.recover',
          resourceId: webhook.id,
          at: this.clock.now(),
          context,
          details: { since: since.toISOString() },
        });
      }
      return count;
    }, context.caller);
  }

  /** Returns the webhook if it is active, and keeps it active until the caller's transaction ends. */
  private async lockActive(webhookId: string, { principal }: RequestContext): Promise<Webhook> {
    const webhook = await this.webhooks.lock(principal.accountId, webhookId);
    if (webhook.status !== 'active') throw webhookIsDisabled();
    return webhook;
  }

  private async read(key: DeliveryKey): Promise<Delivery> {
    const delivery = await this.deliveries.find(key);
    if (!delivery) throw notFound('delivery');
    return delivery;
  }
}

/** Leaves out what an attempt sent and received. Its times, status and error remain. */
function withoutTexts(attempt: RecordedAttempt): RecordedAttempt {
  return { ...attempt, requestHeaders: '{}', responseHeaders: null, responseExcerpt: null };
}
