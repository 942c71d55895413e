import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database.js';
import type { EventType } from '../catalogue.js';
import { positionAfter, positionAt, type StreamPosition } from './stream-position.js';

/** Most events, and about the most bytes of them, that are read for one place at once. */
const BATCH_EVENTS = 100;
const BATCH_BYTES = 128 * 1024;
/** Most places in one statement: together with the above it bounds what is in the memory at once. */
const PLACES_AT_ONCE = 25;

const NOW: Statement = {
  name: 'events.stream-now',
  text: 'SELECT pg_current_snapshot()::text AS snapshot',
};

const FIND: Statement = {
  name: 'events.stream-find',
  text: 'SELECT id, transaction_id AS "transactionId" FROM events WHERE id = $1 AND account_id = $2',
};

/**
 * For each place the events behind it, in the order of transactions, up to the oldest transaction that still runs: an
 * event below that can no longer appear, so nothing that is shown is ever overtaken by something older.
 */
const READ: Statement = {
  name: 'events.stream-read',
  text: `SELECT place.index, item.id, item.transaction_id AS "transactionId", item.type, item.full_body AS body
    FROM json_to_recordset($1::json) AS place
           (index integer, account_id uuid, transaction_id bigint, event_id uuid, since pg_snapshot)
   CROSS JOIN LATERAL (
     SELECT behind.*, sum(octet_length(full_body)) OVER (ORDER BY transaction_id, id) - octet_length(full_body) AS bytes_before
       FROM (SELECT id, transaction_id, type, full_body FROM events AS event
              WHERE event.account_id = place.account_id
                AND (event.transaction_id, event.id) > (place.transaction_id, place.event_id)
                AND event.transaction_id < (SELECT oldest_running_transaction())
                AND (place.since IS NULL OR NOT pg_visible_in_snapshot(event.transaction_id::text::xid8, place.since))
              ORDER BY event.transaction_id, event.id
              LIMIT ${String(BATCH_EVENTS)}) AS behind
   ) AS item
   WHERE item.bytes_before < ${String(BATCH_BYTES)}
   ORDER BY place.index, item.transaction_id, item.id`,
};

/** An account's stream at a position. */
export interface Place {
  accountId: string;
  position: StreamPosition;
}

export interface StreamedEvent {
  /** A UUID. */
  id: string;
  transactionId: string;
  type: EventType;
  /** The frozen JSON text, as webhooks receive it in full. */
  body: string;
}

interface EventRow extends StreamedEvent {
  index: number;
}

/** Some events behind a place, in order. */
export interface Batch {
  events: StreamedEvent[];
  /** Whether there may be more of them already. */
  full: boolean;
}

/** Reads events in the order in which streams show them. */
@Injectable()
export class StreamReader {
  constructor(private readonly database: Database) {}

  /** Where a stream begins that shows what commits from now on. */
  async now(): Promise<StreamPosition> {
    const [row] = await this.database.run<{ snapshot: string }>(NOW, []);
    return positionAt(row?.snapshot ?? '0:0:');
  }

  /** The position of one event of the account, by its UUID; `undefined` when it is not kept. */
  async find(accountId: string, eventId: string): Promise<StreamPosition | undefined> {
    const [event] = await this.database.run<Omit<StreamedEvent, 'body'>>(FIND, [
      eventId,
      accountId,
    ]);
    return event && positionAfter({ since: null }, event);
  }

  /** What is behind each of the places, in the places' order; handed out in pieces, so that not all is in the memory. */
  async *read(places: readonly Place[]): AsyncGenerator<{ place: Place; batch: Batch }> {
    for (let start = 0; start < places.length; start += PLACES_AT_ONCE) {
      const some = places.slice(start, start + PLACES_AT_ONCE);
      const rows = await this.database.run<EventRow>(READ, [JSON.stringify(some.map(asParameter))]);
      for (const [index, place] of some.entries()) {
        const events = rows.filter((row) => row.index === index);
        if (events.length > 0) yield { place, batch: { events, full: isFull(events) } };
      }
    }
  }
}

function asParameter({ accountId, position }: Place, index: number) {
  return {
    index,
    account_id: accountId,
    transaction_id: position.transactionId,
    event_id: position.eventId,
    since: position.since,
  };
}

function isFull(events: readonly StreamedEvent[]): boolean {
  const bytes = events.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  return events.length === BATCH_EVENTS || bytes >= BATCH_BYTES;
}
