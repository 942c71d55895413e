import type { EventType } from '../../events/catalogue.js';
import { visibleBody } from '../../events/redaction.js';
import {
  BY_CREATION,
  type CreationSort,
} from '../../../platform/http/pagination/page-query.dto.js';
import type { Listing } from '../../../platform/http/pagination/read-page.js';
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

/** A delivery with the body that its attempts send. */
export interface DeliveryWithBody extends Delivery {
  /** Before it was last sent anew: the schedule of retries counts from there. */
  earlierAttempts: number;
  /** Its beginning, {@link MAX_BODY_SHOWN} bytes or more of one that is longer; `null` when the event is gone. */
  body: string | null;
}

/** Bytes that are shown of what is sent. */
export const MAX_BODY_SHOWN = 64 * 1024;

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

/** What {@link DeliveryWithBody} adds: the body of a delivery as it was and is sent, from `webhook_deliveries AS item`; more than is shown is not read. */
export const DELIVERY_BODY = `(
  SELECT left(CASE WHEN coalesce(item.thin, webhook.payload = 'thin') THEN ${visibleBody('event', 'thin_body')}
                   ELSE ${visibleBody('event', 'full_body')} END, ${String(MAX_BODY_SHOWN + 1)})
    FROM events AS event JOIN webhooks AS webhook ON webhook.id = item.webhook_id
   WHERE event.id = item.event_id) AS body, item.earlier_attempts AS "earlierAttempts"`;

/** What a list of deliveries may be narrowed to; all that is given must match. Ids are UUIDs, but that of the request. */
export interface DeliveryFilter {
  webhookId?: string | undefined;
  status?: DeliveryStatus | undefined;
  eventType?: EventType | undefined;
  eventId?: string | undefined;
  /** What the event is about. */
  documentId?: string | undefined;
  requestId?: string | undefined;
  /** Of events at this time or later. */
  since?: Date | undefined;
  /** Of events before this time. */
  until?: Date | undefined;
}

/** Each with the placeholder of its value; the status stands in the text. */
const CONDITIONS: Readonly<
  Record<Exclude<keyof DeliveryFilter, 'status'>, (value: string) => string>
> = {
  // All deliveries of a webhook are of one account: looked up once, the index of the webhook alone can count.
  webhookId: (value) => `item.webhook_id = (
    SELECT webhook_id FROM (
      SELECT webhook_id, account_id FROM webhook_deliveries WHERE webhook_id = ${value}::uuid LIMIT 1) AS one
     WHERE account_id = $1)`,
  eventType: (value) => `item.event_type = ${value}`,
  eventId: (value) => `item.event_id = ${value}::uuid`,
  documentId: (value) =>
    `item.event_id IN (SELECT id FROM events WHERE subject_id = ${value}::uuid AND account_id = $1)`,
  requestId: (value) =>
    `item.event_id IN (SELECT id FROM events WHERE request_id = ${value}::text AND account_id = $1)`,
  since: (value) => `item.created_at >= ${value}::timestamptz`,
  until: (value) => `item.created_at < ${value}::timestamptz`,
};
const NAMES = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];

/** The deliveries of an account, or of one of its webhooks, under these filters. */
export function deliveryListing(filter: DeliveryFilter): Listing<CreationSort> {
  const { status } = filter;
  const given = NAMES.filter((name) => filter[name] !== undefined);
  const conditions = given.map((name, index) => CONDITIONS[name](`$${String(index + 2)}`));
  if (filter.webhookId === undefined) conditions.push('item.account_id = $1');
  // One of four: in the text PostgreSQL can use an index of that status alone. What is pending is found by its webhook.
  if (status !== undefined) conditions.push(`item.status = '${status}'`);
  if (status === 'pending' && filter.webhookId === undefined) {
    conditions.push('item.webhook_id IN (SELECT id FROM webhooks WHERE account_id = $1)');
  }
  const where = conditions.join(' AND ');
  return {
    name: `deliveries.${status ?? 'all'}.${given.map((name) => LETTERS[name]).join('')}`,
    table: 'webhook_deliveries',
    where,
    values: given.map((name) => filter[name]),
    total: `SELECT count(*) AS n FROM webhook_deliveries AS item WHERE ${where}`,
    columns: DELIVERY_COLUMNS,
    joins: DELIVERY_JOINS,
    sorts: BY_CREATION,
  };
}

/** For names of prepared statements, which are short. */
const LETTERS: Readonly<Record<keyof typeof CONDITIONS, string>> = {
  webhookId: 'w',
  eventType: 't',
  eventId: 'e',
  documentId: 'd',
  requestId: 'r',
  since: 'f',
  until: 'u',
};
