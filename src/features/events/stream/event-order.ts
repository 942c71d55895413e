import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';
import { SingleFlight } from '../../../platform/database/single-flight.js';
import type { AppError } from '../../../platform/basics/errors/app-error.js';
import { decodeId } from '../../../platform/basics/identifiers/identifiers.js';
import {
  expiredPlace,
  hasExpired,
  isCursor,
  isStart,
  readPlace,
  startAt,
  writePlace,
  type CursorFilters,
  type EventPlace,
} from './event-place.js';

const SETTLED: Statement = {
  name: 'events.settled',
  text: 'SELECT settled_event_position() AS position',
};

/** The position up to which events of an account have expired; `account` is SQL. */
export const horizonOf = (account: string) =>
  `coalesce((SELECT position FROM event_horizons AS horizon WHERE horizon.account_id = ${account}), 0)::bigint`;

const FIND: Statement = {
  name: 'events.find-place',
  text: `SELECT ${horizonOf('$1')} AS horizon, event.position
           FROM (VALUES (true)) AS always LEFT JOIN events AS event ON event.id = $2 AND event.account_id = $1`,
};

/** The account's newest settled event. */
const NEWEST: Statement = {
  name: 'events.newest-place',
  text: `SELECT ${horizonOf('$1')} AS horizon, newest.position, newest.id
           FROM (VALUES (true)) AS always
           LEFT JOIN LATERAL (
             SELECT position, id FROM events WHERE account_id = $1 AND position <= $2
              ORDER BY position DESC, id DESC LIMIT 1
           ) AS newest ON true`,
};

interface Found {
  horizon: string;
  position: string | null;
}

/** A place as a client named it. */
export interface PlaceRequest {
  accountId: string;
  /** An event's id, or a cursor. */
  after: string;
  filters: CursorFilters;
  /** The parameter or header that the text came in, for errors. */
  field: string;
}

/** What the database says about a place: whether its event is stored there, and what has expired. */
export interface PlaceState {
  horizon: string;
  isStored: boolean;
}

/** The order in which event streams and pollers read an account's events. */
@Injectable()
export class EventOrder {
  private readonly settling = new SingleFlight<string>();

  constructor(private readonly database: Database) {}

  /**
   * Returns the position up to which no event can appear any more. Read events in a later statement: one snapshot for
   * both would miss events that commit in between. Concurrent callers share one statement.
   */
  async settledPosition(): Promise<string> {
    return this.settling.read('settled', async () => {
      const [row] = await this.database.run<{ position: string }>(SETTLED, []);
      return row?.position ?? '0';
    });
  }

  /** Returns the place behind the account's newest settled event. */
  async newest(accountId: string): Promise<EventPlace> {
    const settled = await this.settledPosition();
    const [row] = await this.database.run<Found & { id: string }>(NEWEST, [accountId, settled]);
    const start = startAt(row?.horizon ?? '0');
    return row?.position == null ? start : { ...start, position: row.position, id: row.id };
  }

  /**
   * Returns the place of an event or a cursor. Throws `bad_request` for other texts, for a cursor under other filters, and
   * with `oldestCursor` for an event that is not stored. Does not check that a cursor is still usable.
   */
  async placeOf(request: PlaceRequest): Promise<EventPlace> {
    const { accountId, after, filters, field } = request;
    if (!after.startsWith('evt_')) return readPlace(after, filters, field);
    const id = decodeId('event', after);
    const { position, horizon } = await this.find(accountId, id);
    if (id === undefined || position === null) {
      throw unknownEvent(field, writePlace(startAt(horizon), filters));
    }
    return { position, id, knownHorizon: '0' };
  }

  /**
   * The same, but throws `bad_request` with `oldestCursor` for a text that is neither an event's id nor a cursor, and if
   * reading on from there would leave a gap.
   */
  async usablePlaceOf(request: PlaceRequest): Promise<EventPlace> {
    const { accountId, after, filters, field } = request;
    if (!isCursor(after) && !after.startsWith('evt_')) {
      const { horizon } = await this.find(accountId, undefined);
      throw unknownEvent(field, writePlace(startAt(horizon), filters));
    }
    const place = await this.placeOf(request);
    const { position, horizon } = await this.find(accountId, place.id);
    requireUsable(place, { horizon, isStored: position === place.position }, request);
    return place;
  }

  private async find(accountId: string, id: string | undefined): Promise<Found> {
    const [found] = await this.database.run<Found>(FIND, [accountId, id ?? null]);
    return found ?? { horizon: '0', position: null };
  }
}

/** Throws `bad_request` with `oldestCursor` if reading on from the place would leave a gap. */
export function requireUsable(
  place: EventPlace,
  { horizon, isStored }: PlaceState,
  { field, filters }: Pick<PlaceRequest, 'field' | 'filters'>,
): void {
  const oldestCursor = writePlace(startAt(horizon), filters);
  if (hasExpired(place, horizon)) {
    throw expiredPlace(
      field,
      'has expired: events behind it were removed when their retention time ended. Go on from details.oldestCursor, and read the documents themselves for what you missed',
      oldestCursor,
    );
  }
  // An event that is neither stored nor expired was lost when a backup was restored; its position is another event's now.
  if (isStart(place) || isStored || place.position === horizon) return;
  throw unknownEvent(field, oldestCursor);
}

/** The error for an id or a cursor of an event that is not stored. */
export function unknownEvent(field: string, oldestCursor: string): AppError {
  return expiredPlace(
    field,
    'names an event that is not stored: it has expired, or was lost when a backup was restored. Go on from details.oldestCursor',
    oldestCursor,
  );
}
