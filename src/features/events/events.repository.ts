import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { endOfFirstPartition, maintainPartitions } from '../../platform/background/partitions.js';
import { BY_CREATION, type CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import {
  filterConditions,
  type FilterConditions,
} from '../../platform/http/pagination/filter-conditions.js';
import {
  readPage,
  type Listing,
  type Page,
  type PageRequest,
} from '../../platform/http/pagination/read-page.js';
import type { EventType } from './catalogue/catalogue.js';
import { insertEvents, type EventRow } from './outbox.js';
import { redactedBody, visibleBody } from './redaction.js';

/** The frozen JSON text of an event, as webhooks receive it. */
export interface EventBody {
  body: string;
}

/** Filters of a list of events, combined with AND. Ids are UUIDs, except for the request's. */
export interface EventFilter {
  types?: readonly EventType[] | undefined;
  documentId?: string | undefined;
  requestId?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** The list's index covers types and times. */
export const EVENT_CONDITIONS: FilterConditions<EventFilter> = {
  types: (value) => `item.type = ANY (${value}::text[])`,
  documentId: (value) => `item.subject_id = ${value}::uuid`,
  requestId: (value) => `item.request_id = ${value}::text`,
  since: (value) => `item.created_at >= ${value}::timestamptz`,
  until: (value) => `item.created_at < ${value}::timestamptz`,
};

function eventListing(filter: EventFilter): Listing<CreationSort> {
  const { name, conditions, values } = filterConditions(EVENT_CONDITIONS, filter, 2);
  const where = ['item.account_id = $1', ...conditions].join(' AND ');
  return {
    name: `events-${name}`,
    table: 'events',
    where,
    values,
    total:
      values.length === 0
        ? `SELECT coalesce(sum(count), 0)::bigint AS n FROM row_counts WHERE account_id = $1 AND kind = 'events'`
        : `SELECT count(*) AS n FROM events AS item WHERE ${where}`,
    columns: `${visibleBody('item', 'thin_body')} AS body`,
    sorts: BY_CREATION,
    onPrimary: true,
  };
}

const FIND: Statement = {
  name: 'events.find',
  text: `SELECT ${visibleBody('event', 'full_body')} AS body FROM events AS event WHERE id = $1 AND account_id = $2`,
};

/**
 * Maximum events that one statement removes or rewrites. Each may have a hundred deliveries with ten attempts, and 256
 * KiB of text.
 */
const BATCH = 100;

/** In the order in which partitions are dropped: an event stays as long as a delivery of it. */
const PARTITIONED = ['webhook_deliveries', 'webhook_delivery_attempts', 'events'];

/**
 * Removes events of the first partition. Event IDs are UUIDv7 and begin with their time. Uses the database's clock,
 * because a process with a wrong clock must not remove events too early.
 *
 * Skips rows that another worker has locked, and events with pending deliveries, except for deliveries planned while
 * their webhook was deleted. One statement raises the horizon and removes the events, so readers see both or neither.
 * Horizons are locked in account order, because two workers could otherwise deadlock.
 */
const PURGE: Statement = {
  name: 'events.purge',
  text: `WITH expired AS MATERIALIZED (
      SELECT id, account_id, position FROM events AS event
       WHERE id < least(smallest_id(now() - $1::integer * interval '1 day'), ${endOfFirstPartition('events')})
         AND NOT EXISTS (
           SELECT FROM webhook_deliveries AS delivery
             JOIN webhooks AS webhook ON webhook.id = delivery.webhook_id
            WHERE delivery.event_id = event.id AND delivery.status = 'pending'
         )
       ORDER BY id LIMIT ${String(BATCH)}
         FOR UPDATE SKIP LOCKED
    ),
    horizons AS (
      INSERT INTO event_horizons AS horizon (account_id, position)
      SELECT account_id, max(position) FROM expired GROUP BY account_id ORDER BY account_id
          ON CONFLICT (account_id) DO UPDATE SET position = EXCLUDED.position
       WHERE horizon.position < EXCLUDED.position
    ),
    deliveries AS (
      DELETE FROM webhook_deliveries WHERE event_id IN (SELECT id FROM expired) RETURNING id
    ),
    attempts AS (
      DELETE FROM webhook_delivery_attempts WHERE delivery_id IN (SELECT id FROM deliveries)
    )
    DELETE FROM events WHERE id IN (SELECT id FROM expired) RETURNING id`,
};

/**
 * Also erases responses, because a receiver may have repeated what it received. Locks events first, as the purge does:
 * PostgreSQL runs the last part of a statement first, which would remove events before their attempts.
 */
const ERASE: Statement = {
  name: 'events.erase-removed',
  text: `WITH subject AS MATERIALIZED (
      SELECT * FROM removed_subjects ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
    ), batch AS MATERIALIZED (
      SELECT event.id, event.position FROM events AS event JOIN subject ON event.subject_id = subject.id
       WHERE event.position > subject.erased_to AND event.position <= subject.position
       ORDER BY event.position LIMIT ${String(BATCH)}
         FOR NO KEY UPDATE OF event
    ), events AS (
      UPDATE events AS event SET full_body = ${redactedBody('event')}, thin_body = ${redactedBody('event')}, states = NULL
        FROM batch WHERE event.id = batch.id
    ), answers AS (
      UPDATE webhook_delivery_attempts AS attempt SET response_excerpt = NULL
        FROM batch JOIN webhook_deliveries AS delivery ON delivery.event_id = batch.id
       WHERE attempt.delivery_id = delivery.id AND attempt.response_excerpt IS NOT NULL
    ), further AS (
      UPDATE removed_subjects AS item SET erased_to = (SELECT max(position) FROM batch)
        FROM subject WHERE item.id = subject.id AND EXISTS (SELECT FROM batch)
    ), done AS (
      DELETE FROM removed_subjects AS item USING subject
       WHERE item.id = subject.id AND NOT EXISTS (SELECT FROM batch)
    )
    SELECT id FROM subject`,
};

const EMIT: Statement = { name: 'events.emit', text: insertEvents('$1') };
const ANNOUNCE: Statement = { name: 'events.announce', text: 'SELECT announce_due($1::uuid[])' };

/** Inserts events in the caller's transaction, for changes that take several statements. Events must not have a gap. */
export async function emitEvents(database: Database, events: readonly EventRow[]): Promise<void> {
  await runWithEvents(database, EMIT, [JSON.stringify(events)], events);
}

/** Runs a statement that contains {@link insertEvents}, and announces the deliveries of `events` after the commit. */
export async function runWithEvents<Row extends object>(
  database: Database,
  statement: Statement,
  values: unknown[],
  events: readonly EventRow[],
): Promise<Row[]> {
  const rows = await database.run<Row>(statement, values);
  announceDeliveries(database, ...events.map(({ account_id }) => account_id));
  return rows;
}

/** Notifies the workers, after the caller's transaction commits, if these accounts have due deliveries. IDs are UUIDs. */
export function announceDeliveries(database: Database, ...accountIds: string[]): void {
  database.announce(ANNOUNCE, accountIds);
}

/** Reads the frozen events, without the texts of erased documents, and removes events. */
@Injectable()
export class EventsRepository {
  constructor(private readonly database: Database) {}

  /** Lists thin events. Throws `bad_request` for a cursor of another list. */
  list(
    accountId: string,
    filter: EventFilter,
    request: PageRequest<CreationSort>,
  ): Promise<Page<EventBody>> {
    return readPage(this.database, eventListing(filter), accountId, request);
  }

  /** Returns a full event. `id` is a UUID. */
  async find(accountId: string, id: string): Promise<EventBody | undefined> {
    const [event] = await this.database.run<EventBody>(FIND, [id, accountId]);
    return event;
  }

  /** Removes events past the retention time, with their deliveries. Returns true if there may be more. */
  async purge(retentionDays: number): Promise<boolean> {
    if (await maintainPartitions(this.database, PARTITIONED, retentionDays)) return true;
    return (await this.database.run(PURGE, [retentionDays])).length === BATCH;
  }

  /** Erases the texts of a permanently deleted document from some of its events. Returns false if no document is left. */
  async eraseRedacted(): Promise<boolean> {
    return (await this.database.run(ERASE, [])).length > 0;
  }
}
