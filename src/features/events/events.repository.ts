import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { BY_CREATION, type CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import {
  filterConditions,
  type FilterConditions,
} from '../../platform/http/pagination/filter-conditions.js';
import {
  readPage,
  restricted,
  type Listing,
  type Page,
  type PageRequest,
} from '../../platform/http/pagination/read-page.js';
import type { EventType } from './catalogue/catalogue.js';
import { isReadable } from './event-access.js';
import { insertEvents, type EventRow } from './outbox.js';
import { visibleBody } from './redaction.js';

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

/** UUIDs of the collections that the caller sees; undefined for all. */
export type ShownCollections = readonly string[] | undefined;

/** The greatest total of a list that is limited to some collections. */
const MAX_RESTRICTED_TOTAL = 10_000;

/** The list's index covers types and times. */
export const EVENT_CONDITIONS: FilterConditions<EventFilter> = {
  types: (value) => `item.type = ANY (${value}::text[])`,
  documentId: (value) => `item.subject_id = ${value}::uuid`,
  requestId: (value) => `item.request_id = ${value}::text`,
  since: (value) => `item.created_at >= ${value}::timestamptz`,
  until: (value) => `item.created_at < ${value}::timestamptz`,
};

function eventListing(filter: EventFilter, shown: ShownCollections): Listing<CreationSort> {
  const { name, conditions, values } = filterConditions(EVENT_CONDITIONS, filter, 2);
  const where = ['item.account_id = $1', ...conditions].join(' AND ');
  const listing: Listing<CreationSort> = {
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
  return shown
    ? restricted(listing, isReadable, [shown], { totalLimit: MAX_RESTRICTED_TOTAL })
    : listing;
}

const FIND: Statement = {
  name: 'events.find',
  text: `SELECT ${visibleBody('event', 'full_body')} AS body FROM events AS event WHERE id = $2 AND account_id = $1`,
};
const FIND_RESTRICTED: Statement = {
  name: 'events.find-restricted',
  text: `SELECT ${visibleBody('item', 'full_body')} AS body FROM events AS item
          WHERE id = $2 AND account_id = $1 AND ${isReadable('$3')}`,
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

/** Reads the frozen events, without the texts of erased documents. */
@Injectable()
export class EventsRepository {
  constructor(private readonly database: Database) {}

  /** Lists thin events. Throws `bad_request` for a cursor of another list. */
  list(
    accountId: string,
    shown: ShownCollections,
    filter: EventFilter,
    request: PageRequest<CreationSort>,
  ): Promise<Page<EventBody>> {
    return readPage(this.database, eventListing(filter, shown), accountId, request);
  }

  /** Returns a full event. `id` is a UUID. */
  async find(
    accountId: string,
    shown: ShownCollections,
    id: string,
  ): Promise<EventBody | undefined> {
    const [event] = shown
      ? await this.database.run<EventBody>(FIND_RESTRICTED, [accountId, id, shown])
      : await this.database.run<EventBody>(FIND, [accountId, id]);
    return event;
  }
}
