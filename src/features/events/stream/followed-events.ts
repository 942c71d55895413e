import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { filterOf, type ListEventsDto } from '../dto/event.dto.js';
import { Injectable } from '@nestjs/common';
import type { Page } from '../../../platform/http/pagination/read-page.js';
import type { EventFilter } from '../events.repository.js';
import { EventOrder, requireUsable } from './event-order.js';
import { startAt, writePlace, type CursorFilters, type EventPlace } from './event-place.js';
import {
  MAX_SCANNED,
  OrderedEventsRepository,
  type FollowedRow,
} from './ordered-events.repository.js';

const FIELD = 'after';

/** Parameters that select a different order or part of the list than `after` does. */
const EXCLUDED_BY_AFTER = ['page', 'cursor', 'sort', 'order', 'since', 'until'];

interface FollowRequest {
  accountId: string;
  /** `start`, `now`, an event ID, or a cursor. */
  after: string;
  limit: number;
  filter: Pick<EventFilter, 'types' | 'documentId' | 'requestId'>;
  /** The filter as the client sent it. Cursors are bound to it. */
  sent: CursorFilters;
}

/** Reads events in commit order, for clients that poll. */
@Injectable()
export class FollowedEvents {
  constructor(
    private readonly events: OrderedEventsRepository,
    private readonly order: EventOrder,
  ) {}

  /**
   * Returns the thin events after a place, oldest first, and a cursor for their end. Throws `bad_request` for a place
   * where resuming would leave a gap.
   */
  async read(request: FollowRequest): Promise<Page<{ body: string }>> {
    const { accountId, after, limit, filter, sent } = request;
    if (after === 'now') {
      const nextCursor = writePlace(await this.order.newest(accountId), sent);
      return { rows: [], pagination: { limit, total: 0, hasMore: false, nextCursor } };
    }
    const from =
      after === 'start'
        ? undefined
        : await this.order.placeOf({ accountId, after, filters: sent, field: FIELD });
    const settled = await this.events.settledPosition();
    const rows = await this.events.follow(accountId, from ?? startAt('0'), filter, limit, settled);
    const horizon = rows[0]?.horizon ?? '0';
    const isStored = rows[0]?.is_stored ?? false;
    if (from) requireUsable(from, { horizon, isStored }, { field: FIELD, filters: sent });
    return pageOf(rows, from ?? startAt(horizon), request);
  }
}

function pageOf(
  found: readonly FollowedRow[],
  from: EventPlace,
  { limit, sent }: FollowRequest,
): Page<{ body: string }> {
  const rows = found.filter(({ position }) => position !== null);
  const [first] = found;
  const total = Number(first?.total ?? 0);
  const isBounded = Number(first?.scanned ?? 0) > MAX_SCANNED;
  const shown = rows.at(-1);
  const place: Partial<EventPlace> = {};
  // Continue after the last event shown if more match. Otherwise continue after the last one examined.
  if (total > rows.length && shown?.position != null) {
    Object.assign(place, { position: shown.position, id: shown.id });
  } else if (first?.last_position != null) {
    Object.assign(place, { position: first.last_position, id: first.last_id });
  }
  return {
    rows,
    pagination: {
      limit,
      total,
      hasMore: total > rows.length || isBounded,
      nextCursor: writePlace({ ...from, ...place }, sent),
      ...(isBounded && { totalIsLowerBound: true }),
    },
  };
}

/** Throws `bad_request` if the query contains parameters that contradict `after`. */
export function followRequest(
  accountId: string,
  query: ListEventsDto,
  after: string,
  sent: object,
): FollowRequest {
  const { type, documentId, requestId, limit } = query;
  const issue = 'cannot be combined with after, which has its own order and positions';
  const [first, ...others] = EXCLUDED_BY_AFTER.filter((name) => Object.hasOwn(sent, name)).map(
    (field): FieldProblem => ({ field, issue }),
  );
  if (first) throw invalidFields([first, ...others]);
  const filter = filterOf(query);
  return { accountId, after, limit, filter, sent: { types: type, documentId, requestId } };
}
