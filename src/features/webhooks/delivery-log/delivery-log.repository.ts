import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThanOrEqual, Repository } from 'typeorm';
import { Database, type Statement } from '../../../platform/database/database.js';
import {
  BY_CREATION,
  type CreationSort,
} from '../../../platform/http/pagination/page-query.dto.js';
import {
  filterConditions,
  type FilterConditions,
} from '../../../platform/http/pagination/filter-conditions.js';
import {
  readPage,
  restricted,
  type Listing,
  type Page,
  type PageRequest,
} from '../../../platform/http/pagination/read-page.js';
import type { EventType } from '../../events/catalogue/catalogue.js';
import { isRedacted, visibleBody } from '../../events/redaction.js';
import { WebhookDeliveryEntity, type DeliveryStatus } from '../entities/webhook-delivery.entity.js';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
export type { DeliveryStatus };

/** Maximum attempts of a delivery to show, latest first. Only redeliveries make more. */
export const MAX_ATTEMPTS_SHOWN = 50;
/** Maximum bytes of a request body to show. */
export const MAX_BODY_SHOWN = 64 * 1024;

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
  /** Results of the last attempt; all `null` before the first. */
  responseStatus: number | null;
  errorClass: string | null;
  errorMessage: string | null;
}

/** A delivery with the body that its attempts send. */
export interface DeliveryWithBody extends Delivery {
  /** The subject of the event. */
  subjectId: string | null;
  /** Attempts before the last redelivery. The retry schedule starts after them. */
  earlierAttempts: number;
  /** At least the first {@link MAX_BODY_SHOWN} bytes; `null` if the event has been purged. */
  body: string | null;
}

/** A recorded attempt. Headers are JSON text. */
export interface RecordedAttempt {
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

/** Filters of a list of deliveries, combined with AND. Ids are UUIDs, except for the request's. */
export interface DeliveryFilter {
  webhookId?: string | undefined;
  status?: DeliveryStatus | undefined;
  eventType?: EventType | undefined;
  eventId?: string | undefined;
  id?: string | undefined;
  /** The subject of the event. */
  documentId?: string | undefined;
  requestId?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** Columns of a {@link Delivery}, from `webhook_deliveries AS item` and {@link JOINS}. */
const COLUMNS = `item.id, item.webhook_id AS "webhookId", item.event_id AS "eventId",
  item.event_type AS "eventType", item.status, item.attempts, item.next_attempt_at AS "nextAttemptAt",
  item.created_at AS "createdAt", item.completed_at AS "completedAt", latest.response_status AS "responseStatus",
  latest.error_class AS "errorClass", latest.error_message AS "errorMessage"`;

const JOINS = `LEFT JOIN LATERAL (
    SELECT response_status, error_class, error_message FROM webhook_delivery_attempts AS attempt
     WHERE attempt.delivery_id = item.id ORDER BY attempt.number DESC LIMIT 1) AS latest ON true`;

/** The columns that {@link DeliveryWithBody} adds. Reads no more of the body than is shown. */
const BODY_COLUMNS = `(
  SELECT left(CASE WHEN coalesce(item.thin, webhook.payload = 'thin') THEN ${visibleBody('event', 'thin_body')}
                   ELSE ${visibleBody('event', 'full_body')} END, ${String(MAX_BODY_SHOWN + 1)})
    FROM events AS event JOIN webhooks AS webhook ON webhook.id = item.webhook_id
   WHERE event.id = item.event_id) AS body, item.subject_id AS "subjectId", item.earlier_attempts AS "earlierAttempts"`;

const FIND: Statement = {
  name: 'webhooks.find-delivery',
  text: `SELECT ${COLUMNS} FROM webhook_deliveries AS item ${JOINS}
          WHERE item.id = $1 AND item.webhook_id = $2 AND item.account_id = $3`,
};

const FIND_WITH_BODY: Statement = {
  name: 'webhooks.find-delivery-with-body',
  text: `SELECT ${COLUMNS}, ${BODY_COLUMNS} FROM webhook_deliveries AS item ${JOINS}
          WHERE item.id = $1 AND item.webhook_id = $2 AND item.account_id = $3`,
};

/** Hides the response if the event is redacted, because the receiver may have repeated what it received. */
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
 * Makes a delivery due now, with the whole retry schedule. A worker that had leased it can no longer record its attempt.
 * `now()` is the time of the transaction, so all its deliveries are sent in the order in which they were planned.
 */
const REDELIVERED = {
  status: 'pending',
  nextAttemptAt: () => 'now()',
  completedAt: null,
  earlierAttempts: () => 'attempts',
  leaseExpiresAt: null,
  leaseGeneration: () => 'lease_generation + 1',
} as const;

/** Excludes leased deliveries, which are being sent. */
const NOT_LEASED = `(status <> 'pending' OR lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())`;

/** All filters except the status, which is a literal in the text. */
const CONDITIONS: FilterConditions<Omit<DeliveryFilter, 'status'>> = {
  // All deliveries of a webhook belong to one account. Checking it once allows counting with the webhook's index alone.
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
  id: (value) => `item.id = ${value}::uuid`,
};

/** Which deliveries to list: none if their document is not shown to the caller. */
interface ListedDeliveries {
  filter: DeliveryFilter;
  isShown: boolean;
}

function deliveryListing({ filter, isShown }: ListedDeliveries): Listing<CreationSort> {
  const { status, ...others } = filter;
  const { name, conditions, values } = filterConditions(CONDITIONS, others, 2);
  if (filter.webhookId === undefined) conditions.push('item.account_id = $1');
  // A literal lets PostgreSQL use the partial index for that status. Pending deliveries are found through their webhook.
  if (status !== undefined) conditions.push(`item.status = '${status}'`);
  if (status === 'pending' && filter.webhookId === undefined) {
    conditions.push('item.webhook_id IN (SELECT id FROM webhooks WHERE account_id = $1)');
  }
  const where = conditions.join(' AND ');
  const listing: Listing<CreationSort> = {
    name: `deliveries.${status ?? 'all'}.${name}`,
    table: 'webhook_deliveries',
    where,
    values,
    total: `SELECT count(*) AS n FROM webhook_deliveries AS item WHERE ${where}`,
    columns: COLUMNS,
    joins: JOINS,
    sorts: BY_CREATION,
  };
  return isShown ? listing : restricted(listing, (value) => `${value}::boolean`, [false]);
}

/** The key of a delivery. All ids are UUIDs. */
export type DeliveryKey = Pick<WebhookDeliveryEntity, 'id' | 'webhookId' | 'accountId'>;

/** Reads deliveries with their attempts, and makes them due again. */
@Injectable()
export class DeliveryLogRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(WebhookDeliveryEntity)
    private readonly deliveries: Repository<WebhookDeliveryEntity>,
  ) {}

  /** Throws `bad_request` for a cursor of another list. */
  list(
    accountId: string,
    listed: ListedDeliveries,
    request: PageRequest<CreationSort>,
  ): Promise<Page<Delivery>> {
    return readPage(this.database, deliveryListing(listed), accountId, request);
  }

  async find({ id, webhookId, accountId }: DeliveryKey): Promise<Delivery | undefined> {
    const [delivery] = await this.database.run<Delivery>(FIND, [id, webhookId, accountId]);
    return delivery;
  }

  async findWithBody(key: DeliveryKey): Promise<DeliveryWithBody | undefined> {
    const values = [key.id, key.webhookId, key.accountId];
    const [delivery] = await this.database.run<DeliveryWithBody>(FIND_WITH_BODY, values);
    return delivery;
  }

  /** Returns the latest {@link MAX_ATTEMPTS_SHOWN} attempts, in order. */
  async attempts({ id, accountId }: DeliveryKey): Promise<RecordedAttempt[]> {
    return (await this.database.run<RecordedAttempt>(ATTEMPTS, [id, accountId])).reverse();
  }

  /** Plans a delivery that is due now. */
  async insert(delivery: DeliveryKey & Partial<WebhookDeliveryEntity>): Promise<void> {
    await this.deliveries.insert({ ...delivery, nextAttemptAt: () => 'clock_timestamp()' });
  }

  /** Makes a delivery due now, unless it is being sent. */
  async redeliver(key: DeliveryKey): Promise<void> {
    await this.deliveries
      .createQueryBuilder()
      .update()
      .set(REDELIVERED)
      .where(key)
      .andWhere(NOT_LEASED)
      .execute();
  }

  /** Makes up to `limit` failed and cancelled deliveries of events since a time due now. Returns their number. */
  async redeliverUnsuccessful(webhookId: string, since: Date, limit: number): Promise<number> {
    const batch = await this.deliveries.find({
      select: { id: true },
      where: {
        webhookId,
        status: In(['failed', 'cancelled']),
        createdAt: MoreThanOrEqual(since),
      },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: limit,
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    });
    if (batch.length > 0) {
      await this.deliveries.update({ id: In(batch.map(({ id }) => id)) }, REDELIVERED);
    }
    return batch.length;
  }
}
