import { Injectable } from '@nestjs/common';
import type { AppError } from '../../../platform/basics/errors/app-error.js';
import { decodeId } from '../../../platform/basics/identifiers/identifiers.js';
import {
  cursorRefusal,
  hasExpired,
  isCursor,
  isStart,
  decodeCursor,
  startAt,
  encodeCursor,
  type CursorFilters,
  type EventPlace,
} from './event-place.js';
import { OrderedEventsRepository } from './ordered-events.repository.js';

/** A position that a client sent. */
interface PlaceRequest {
  accountId: string;
  /** An event's ID, or a cursor. */
  after: string;
  filters: CursorFilters;
  /** The parameter or header that contains it, for errors. */
  field: string;
}

/** True if the event of a place is stored, and the position up to which events have expired. */
interface PlaceState {
  horizon: string;
  isStored: boolean;
}

/** Finds the places where event streams and pollers resume. */
@Injectable()
export class EventOrder {
  constructor(private readonly events: OrderedEventsRepository) {}

  /** Returns the place after the account's newest settled event. */
  async newest(accountId: string): Promise<EventPlace> {
    const { horizon, position, id } = await this.events.newest(accountId);
    const start = startAt(horizon);
    return position === null ? start : { ...start, position, id };
  }

  /**
   * Returns the place of an event or a cursor. Throws `bad_request` for other texts, for a cursor with other filters, and
   * for an event that is not stored, with `oldestCursor`. Does not check whether a cursor is still usable.
   */
  async resolve(request: PlaceRequest): Promise<EventPlace> {
    const { accountId, after, filters, field } = request;
    if (!after.startsWith('evt_')) return decodeCursor(after, filters, field);
    const id = decodeId('event', after);
    const { position, horizon } = await this.events.findPlace(accountId, id);
    if (id === undefined || position === null) {
      throw unknownEvent(field, encodeCursor(startAt(horizon), filters));
    }
    return { position, id, knownHorizon: '0' };
  }

  /**
   * Like {@link resolve}. Also throws `bad_request` with `oldestCursor` for a text that is neither an event ID nor a
   * cursor, and if resuming there would leave a gap.
   */
  async resolveUsable(request: PlaceRequest): Promise<EventPlace> {
    const { accountId, after, filters, field } = request;
    if (!isCursor(after) && !after.startsWith('evt_')) {
      const { horizon } = await this.events.findPlace(accountId, undefined);
      throw unknownEvent(field, encodeCursor(startAt(horizon), filters));
    }
    const place = await this.resolve(request);
    const { position, horizon } = await this.events.findPlace(accountId, place.id);
    requireUsable(place, { horizon, isStored: position === place.position }, request);
    return place;
  }
}

/** Throws `bad_request` with `oldestCursor` if resuming at the place would leave a gap. */
export function requireUsable(
  place: EventPlace,
  { horizon, isStored }: PlaceState,
  { field, filters }: Pick<PlaceRequest, 'field' | 'filters'>,
): void {
  const oldestCursor = encodeCursor(startAt(horizon), filters);
  if (hasExpired(place, horizon)) {
    throw cursorRefusal(
      field,
      'has expired: later events were removed when their retention time ended. Continue from details.oldestCursor, and read the documents themselves for the changes you missed',
      oldestCursor,
    );
  }
  // An event that is neither stored nor expired was lost when a backup was restored. Its position may now belong to
  // another event.
  if (isStart(place) || isStored || place.position === horizon) return;
  throw unknownEvent(field, oldestCursor);
}

/** Returns the error for the ID or cursor of an event that is not stored. */
export function unknownEvent(field: string, oldestCursor: string): AppError {
  return cursorRefusal(
    field,
    'names an event that is not stored: it has expired, or was lost when a backup was restored. Continue from details.oldestCursor',
    oldestCursor,
  );
}
