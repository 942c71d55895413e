import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database.js';
import { notFound } from '../../errors/app-error.js';
import { uuidOf } from '../../identifiers/identifiers.js';
import { isOfRemoved } from '../../events/removed-subjects.js';
import type { CreationSort } from '../../pagination/creation-order.js';
import { readPage, type Page, type PageRequest } from '../../pagination/read-page.js';
import { WebhooksService } from '../webhooks.service.js';
import {
  DELIVERY_COLUMNS,
  DELIVERY_JOINS,
  deliveryListing,
  filterValues,
  type Attempt,
  type Delivery,
  type DeliveryFilter,
} from './delivery.js';

/** Most attempts that are shown of one delivery, the latest; only sending anew makes more. */
export const MAX_ATTEMPTS_SHOWN = 50;

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
                CASE WHEN (SELECT ${isOfRemoved('event')} FROM events AS event WHERE event.id = delivery.event_id) IS NOT TRUE
                     THEN response_excerpt END AS "responseExcerpt", error_class AS "errorClass", error_message AS "errorMessage"
           FROM webhook_delivery_attempts
           JOIN webhook_deliveries AS delivery ON delivery.id = delivery_id
          WHERE delivery.id = $1 AND delivery.account_id = $2
          ORDER BY number DESC LIMIT ${String(MAX_ATTEMPTS_SHOWN)}`,
};

/** What was and is owed to a webhook. */
@Injectable()
export class DeliveryList {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
  ) {}

  /** One page of a webhook's deliveries. Throws `not_found` for the webhook, `bad_request` for a cursor of another list. */
  async list(
    accountId: string,
    webhookId: string,
    request: PageRequest<CreationSort> & DeliveryFilter,
  ): Promise<Page<Delivery>> {
    const { id } = await this.webhooks.find(accountId, webhookId);
    const listing = { ...deliveryListing(request), values: filterValues(id, request) };
    return readPage(this.database, listing, accountId, request);
  }

  /** One delivery with its attempts, the first one first. Throws `not_found` for the webhook or the delivery. */
  async find(
    accountId: string,
    webhookId: string,
    id: string,
  ): Promise<{ delivery: Delivery; attempts: Attempt[] }> {
    const webhook = await this.webhooks.find(accountId, webhookId);
    const uuid = uuidOf('delivery', id);
    const found = await this.database.run<Delivery>(FIND, [uuid, webhook.id, accountId]);
    const [delivery] = found;
    if (!delivery) throw notFound('delivery');
    const attempts = await this.database.run<Attempt>(ATTEMPTS, [uuid, accountId]);
    return { delivery, attempts: attempts.reverse() };
  }
}
