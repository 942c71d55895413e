import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';
import type { EventType } from '../catalogue/catalogue.js';
import { EventOrder, horizonOf, type PlaceRequest } from './event-order.js';
import type { EventPlace, StreamPosition } from './event-place.js';
import { visibleBody } from '../redaction.js';

/** Most events, and about the most bytes of them, that are read for one place at once. */
const BATCH_EVENTS = 100;
const BATCH_BYTES = 128 * 1024;
/** Most places in one statement: together with the above it bounds what is in the memory at once. */
const PLACES_AT_ONCE = 25;
/** Most events that a new stream leaves out because they were there before it, though others before them are awaited. */
const MAX_SEEN = 10_000;

const SEEN: Statement = {
  name: 'events.stream-seen',
  text: `SELECT id FROM events WHERE account_id = $1 AND position > $2 LIMIT ${String(MAX_SEEN)}`,
};

/** For each place the settled events behind it: nothing can appear between them any more. */
const READ: Statement = {
  name: 'events.stream-read',
  text: `SELECT place.index, item.id, item.position, item.type, item.body,
         ${horizonOf('place.account_id')} AS horizon
    FROM json_to_recordset($1::json) AS place (index integer, account_id uuid, position bigint, id uuid)
   CROSS JOIN LATERAL (
     SELECT behind.*, sum(octet_length(body)) OVER (ORDER BY position, id) - octet_length(body) AS bytes_before
       FROM (SELECT id, position, type, ${visibleBody('event', 'full_body')} AS body FROM events AS event
              WHERE event.account_id = place.account_id
                AND (event.position, event.id) > (place.position, place.id)
                AND event.position <= $2
              ORDER BY event.position, event.id
              LIMIT ${String(BATCH_EVENTS)}) AS behind
   ) AS item
   WHERE item.bytes_before < ${String(BATCH_BYTES)}
   ORDER BY place.index, item.position, item.id`,
};

const AFTER_EVERY_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Where a stream begins, and events behind it that it does not show, because they were there before it. */
export interface StreamStart {
  position: EventPlace;
  seen: ReadonlySet<string>;
}

/** An account's stream at a position. */
export interface Place {
  accountId: string;
  position: StreamPosition;
}

export interface StreamedEvent extends StreamPosition {
  type: EventType;
  /** The frozen JSON text, as webhooks receive it in full. */
  body: string;
}

interface EventRow extends StreamedEvent {
  index: number;
  horizon: string;
}

/** Some events behind a place, in order. */
export interface Batch {
  events: StreamedEvent[];
  /** The position up to which events of the account have expired. */
  horizon: string;
  /** Whether there may be more of them already. */
  full: boolean;
}

/** Reads events in the order in which streams show them. */
@Injectable()
export class StreamReader {
  constructor(
    private readonly database: Database,
    private readonly order: EventOrder,
  ) {}

  /** Where a stream begins that shows what commits from now on. */
  async now(accountId: string): Promise<StreamStart> {
    const position = await this.order.settledPosition();
    const seen = await this.database.run<{ id: string }>(SEEN, [accountId, position]);
    return {
      position: { position, id: AFTER_EVERY_ID, knownHorizon: '0' },
      seen: new Set(seen.map(({ id }) => id)),
    };
  }

  /**
   * Returns where a stream resumes: behind an event, or at a cursor of a poller. Throws `bad_request` if resuming there
   * would leave a gap.
   */
  async after(request: PlaceRequest): Promise<StreamStart> {
    return { position: await this.order.usablePlaceOf(request), seen: new Set() };
  }

  /** What is behind each of the places, in the places' order; handed out in pieces, so that not all is in the memory. */
  async *read(places: readonly Place[]): AsyncGenerator<{ place: Place; batch: Batch }> {
    for (let start = 0; start < places.length; start += PLACES_AT_ONCE) {
      const some = places.slice(start, start + PLACES_AT_ONCE);
      const settled = await this.order.settledPosition();
      const wanted = JSON.stringify(some.map(asParameter));
      const rows = await this.database.run<EventRow>(READ, [wanted, settled]);
      for (const [index, place] of some.entries()) {
        const events = rows.filter((row) => row.index === index);
        const [first] = events;
        if (first) yield { place, batch: { events, horizon: first.horizon, full: isFull(events) } };
      }
    }
  }
}

function asParameter({ accountId, position: { position, id } }: Place, index: number) {
  return { index, account_id: accountId, position, id };
}

function isFull(events: readonly StreamedEvent[]): boolean {
  const bytes = events.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  return events.length === BATCH_EVENTS || bytes >= BATCH_BYTES;
}
