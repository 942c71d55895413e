import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';
import { Coalescer } from '../../../platform/database/concurrency/coalescer.js';
import type { EventType } from '../catalogue/catalogue.js';
import { filterConditions } from '../../../platform/http/pagination/filter-conditions.js';
import { isReadable, placeOfEvent } from '../event-access.js';
import { EVENT_CONDITIONS, type EventFilter, type ShownCollections } from '../events.repository.js';
import { visibleBody } from '../redaction.js';
import type { EventPlace, StreamPosition } from './event-place.js';

/** Maximum events that one poll examines. Limits the work for a filter that few events match. */
export const MAX_SCANNED = 10_000;
/** Maximum events, and approximate bytes of events, to read after one place at a time. */
const BATCH_EVENTS = 100;
const BATCH_BYTES = 128 * 1024;
/** Maximum places in one statement. Together with the limits above, this limits the memory of a read. */
const PLACES_AT_ONCE = 25;
/** Maximum events that a new stream skips because they committed before it started. */
const MAX_SEEN = 10_000;

const SETTLED: Statement = {
  name: 'events.settled',
  text: 'SELECT settled_event_position() AS position',
};

/** SQL for the position up to which events of an account have expired. */
const horizonOf = (account: string) =>
  `coalesce((SELECT position FROM event_horizons AS horizon WHERE horizon.account_id = ${account}), 0)::bigint`;

const FIND: Statement = {
  name: 'events.find-place',
  text: `SELECT ${horizonOf('$1')} AS horizon, event.position
           FROM (VALUES (true)) AS always LEFT JOIN events AS event ON event.id = $2 AND event.account_id = $1`,
};

const NEWEST: Statement = {
  name: 'events.newest-place',
  text: `SELECT ${horizonOf('$1')} AS horizon, newest.position, newest.id
           FROM (VALUES (true)) AS always
           LEFT JOIN LATERAL (
             SELECT position, id FROM events WHERE account_id = $1 AND position <= $2
              ORDER BY position DESC, id DESC LIMIT 1
           ) AS newest ON true`,
};

const SEEN: Statement = {
  name: 'events.stream-seen',
  text: `SELECT id FROM events WHERE account_id = $1 AND position > $2 LIMIT ${String(MAX_SEEN)}`,
};

/**
 * Reads the settled events after each place. No event can appear between them later. One snapshot contains the events,
 * where their documents are, and the epoch of the rights. Accounts that never had a collection have epoch 0.
 */
const READ: Statement = {
  name: 'events.stream-read',
  text: `SELECT place.index, item.id, item.position, item.type, item.body, account.epoch,
         CASE WHEN account.epoch > 0 THEN ${placeOfEvent('item', 'place.account_id')} END AS place,
         ${horizonOf('place.account_id')} AS horizon
    FROM json_to_recordset($1::json) AS place (index integer, account_id uuid, position bigint, id uuid)
   CROSS JOIN LATERAL (
     SELECT access_epoch AS epoch FROM accounts WHERE accounts.id = place.account_id LIMIT 1) AS account
   CROSS JOIN LATERAL (
     SELECT behind.*, sum(octet_length(body)) OVER (ORDER BY position, id) - octet_length(body) AS bytes_before
       FROM (SELECT id, position, type, subject_id, ${visibleBody('event', 'full_body')} AS body FROM events AS event
              WHERE event.account_id = place.account_id
                AND (event.position, event.id) > (place.position, place.id)
                AND event.position <= $2
              ORDER BY event.position, event.id
              LIMIT ${String(BATCH_EVENTS)}) AS behind
   ) AS item
   WHERE item.bytes_before < ${String(BATCH_BYTES)}
   ORDER BY place.index, item.position, item.id`,
};

/** Examines the events after a place, counts those that match the conditions, and returns a page of them. */
const followStatement = (name: string, conditions: readonly string[]): Statement => ({
  name: `events-follow-${name}`,
  text: `WITH scanned AS MATERIALIZED (
      SELECT position, id${conditions.length > 0 ? ', type, subject_id, request_id' : ''}
        FROM events
       WHERE account_id = $1 AND (position, id) > ($2::bigint, $3::uuid) AND position <= $4::bigint
       ORDER BY position, id LIMIT ${String(MAX_SCANNED + 1)}
    ), looked_at AS (
      SELECT * FROM scanned ORDER BY position, id LIMIT ${String(MAX_SCANNED)}
    ), matching AS MATERIALIZED (
      SELECT position, id FROM looked_at AS item WHERE ${['true', ...conditions].join(' AND ')}
    )
    SELECT ${horizonOf('$1')} AS horizon,
           EXISTS (SELECT FROM events WHERE id = $3 AND account_id = $1 AND position = $2) AS is_stored,
           (SELECT count(*) FROM scanned) AS scanned, (SELECT count(*) FROM matching) AS total,
           last.position AS last_position, last.id AS last_id, page.position, page.id, page.body
      FROM (VALUES (true)) AS always
      LEFT JOIN (SELECT position, id FROM looked_at ORDER BY position DESC, id DESC LIMIT 1) AS last ON true
      LEFT JOIN (
        SELECT place.position, place.id, ${visibleBody('event', 'thin_body')} AS body
          FROM (SELECT * FROM matching ORDER BY position, id LIMIT $5) AS place
         CROSS JOIN LATERAL (SELECT * FROM events AS found WHERE found.id = place.id LIMIT 1) AS event
      ) AS page ON true
     ORDER BY page.position, page.id`,
});

/** The position of an event, if it is stored, and the position up to which events have expired. */
interface FoundPlace {
  horizon: string;
  position: string | null;
}

/** A row of {@link OrderedEventsRepository.follow}. There is one row even if there is no event. */
export interface FollowedRow {
  horizon: string;
  /** True if the event of the place is stored. */
  is_stored: boolean;
  /** The number of events examined: one more than {@link MAX_SCANNED} if there are more. */
  scanned: string;
  total: string;
  /** The last event examined. */
  last_position: string | null;
  last_id: string;
  position: string | null;
  id: string;
  body: string;
}

/** A position in the stream of an account. */
export interface AccountPlace {
  accountId: string;
  position: StreamPosition;
}

/** Which events a poller reads. */
interface Following {
  accountId: string;
  place: EventPlace;
  filter: EventFilter;
  shown: ShownCollections;
  limit: number;
  settled: string;
}

interface ReadRow extends StreamedEvent, Pick<EventBatch, 'horizon' | 'epoch'> {
  index: number;
}

export interface StreamedEvent extends StreamPosition {
  type: EventType;
  /** The collection that decides who can read it, as in `placeOfEvent`; null without collections. */
  place: string | null;
  /** The frozen JSON text, as webhooks receive it in full. */
  body: string;
}

/** Some events after a place, in order. */
export interface EventBatch {
  events: StreamedEvent[];
  /** The position up to which events of the account have expired. */
  horizon: string;
  /** The epoch of the account's rights in the snapshot of the events. `0`: there never was a collection. */
  epoch: string;
  /** True if there may already be more events. */
  isFull: boolean;
}

/** Reads events in commit order. */
@Injectable()
export class OrderedEventsRepository {
  private readonly settling = new Coalescer<undefined, string>(
    async (callers) => {
      const [row] = await this.database.run<{ position: string }>(SETTLED, []);
      return callers.map(() => ({ result: row?.position ?? '0' }));
    },
    { maxBatch: Infinity, maxInFlight: 1 },
  );

  constructor(private readonly database: Database) {}

  /**
   * Returns the position up to which no new event can appear. Read events in a later statement, because one snapshot for
   * both would miss events that commit in between. Concurrent callers share one statement.
   */
  settledPosition(): Promise<string> {
    return this.settling.submit(undefined);
  }

  async findPlace(accountId: string, id: string | undefined): Promise<FoundPlace> {
    const [found] = await this.database.run<FoundPlace>(FIND, [accountId, id ?? null]);
    return found ?? { horizon: '0', position: null };
  }

  /** Returns the account's newest settled event, with `position` null if there is none. */
  async newest(accountId: string): Promise<FoundPlace & { id: string }> {
    const settled = await this.settledPosition();
    const [row] = await this.database.run<FoundPlace & { id: string }>(NEWEST, [
      accountId,
      settled,
    ]);
    return row ?? { horizon: '0', position: null, id: '' };
  }

  /** Returns the IDs of committed events after a position. */
  async idsAfter(accountId: string, position: string): Promise<ReadonlySet<string>> {
    const rows = await this.database.run<{ id: string }>(SEEN, [accountId, position]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Reads the events after each place. Yields the places one by one, in order, to limit memory use. */
  async *readAfter(
    places: readonly AccountPlace[],
  ): AsyncGenerator<{ place: AccountPlace; batch: EventBatch }> {
    for (let start = 0; start < places.length; start += PLACES_AT_ONCE) {
      const some = places.slice(start, start + PLACES_AT_ONCE);
      const settled = await this.settledPosition();
      const rows = await this.database.run<ReadRow>(READ, [
        JSON.stringify(some.map(placeParameter)),
        settled,
      ]);
      for (const [index, place] of some.entries()) {
        const events = rows.filter((row) => row.index === index);
        const [first] = events;
        if (!first) continue;
        const { horizon, epoch } = first;
        yield { place, batch: { events, horizon, epoch, isFull: isFull(events) } };
      }
    }
  }

  /** Reads settled events after a place that match the filter, in their thin form. */
  follow({ accountId, place, filter, shown, limit, settled }: Following): Promise<FollowedRow[]> {
    const { name, conditions, values } = filterConditions(EVENT_CONDITIONS, filter, 6);
    const { position, id } = place;
    const given = [accountId, position, id, settled, limit, ...values];
    if (!shown) return this.database.read(followStatement(name, conditions), given);
    const condition = isReadable(`$${String(given.length + 1)}`);
    const statement = followStatement(`${name}-restricted`, [...conditions, condition]);
    return this.database.read(statement, [...given, shown]);
  }
}

function placeParameter({ accountId, position: { position, id } }: AccountPlace, index: number) {
  return { index, account_id: accountId, position, id };
}

function isFull(events: readonly StreamedEvent[]): boolean {
  const bytes = events.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  return events.length === BATCH_EVENTS || bytes >= BATCH_BYTES;
}
