import type { EventType } from '../../events/catalogue.js';
import { BY_CREATION, type CreationSort } from '../../pagination/creation-order.dto.js';
import type { Listing } from '../../pagination/read-page.js';
import type { DeliveryStatus } from '../entities/webhook-delivery.entity.js';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
export type { DeliveryStatus };

/** A delivery as its account sees it. Ids are UUIDs. */
export interface Delivery {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: EventType;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: Date;
  createdAt: Date;
  completedAt: Date | null;
  /** Of the last attempt; all `null` before the first. */
  responseStatus: number | null;
  errorClass: string | null;
  errorMessage: string | null;
}

/** One try to hand it over, as it was recorded. Headers are JSON text. */
export interface Attempt {
  number: number;
  startedAt: Date;
  durationMs: number;
  requestHeaders: string;
  responseStatus: number | null;
  responseHeaders: string | null;
  responseExcerpt: string | null;
  errorClass: string | null;
  errorMessage: string | null;
}

/** Columns of `webhook_deliveries AS item` and of {@link DELIVERY_JOINS}; a row of them is a {@link Delivery}. */
export const DELIVERY_COLUMNS = `item.id, item.webhook_id AS "webhookId", item.event_id AS "eventId",
  item.event_type AS "eventType", item.status, item.attempts, item.next_attempt_at AS "nextAttemptAt",
  item.created_at AS "createdAt", item.completed_at AS "completedAt", latest.response_status AS "responseStatus",
  latest.error_class AS "errorClass", latest.error_message AS "errorMessage"`;

export const DELIVERY_JOINS = `LEFT JOIN LATERAL (
    SELECT response_status, error_class, error_message FROM webhook_delivery_attempts AS attempt
     WHERE attempt.delivery_id = item.id ORDER BY attempt.number DESC LIMIT 1) AS latest ON true`;

/** What a list of deliveries may be narrowed to. */
export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  eventType?: EventType | undefined;
}

/**
 * The deliveries of one webhook, by its UUID. The account stands in a look-up of the webhook, so that the index of the
 * webhook alone can count.
 */
export function deliveryListing(
  webhookId: string,
  { status, eventType }: DeliveryFilter,
): Listing<CreationSort> {
  const conditions = [
    'item.webhook_id = (SELECT id FROM webhooks WHERE id = $2 AND account_id = $1)',
  ];
  // The status is one of four and stands in the text: then PostgreSQL can use an index of that status alone.
  if (status !== undefined) conditions.push(`item.status = '${status}'`);
  if (eventType !== undefined) conditions.push('item.event_type = $3');
  const where = conditions.join(' AND ');
  return {
    name: ['deliveries', status ?? 'all', ...(eventType === undefined ? [] : ['type'])].join('.'),
    table: 'webhook_deliveries',
    where,
    values: eventType === undefined ? [webhookId] : [webhookId, eventType],
    total: `SELECT count(*) AS n FROM webhook_deliveries AS item WHERE ${where}`,
    columns: DELIVERY_COLUMNS,
    joins: DELIVERY_JOINS,
    sorts: BY_CREATION,
  };
}
