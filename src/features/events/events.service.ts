import type { Access } from '../auth/access/access.js';
import { shownCollections } from '../auth/access/document-places.js';
import { readItems, type Page } from '../../platform/http/pagination/read-page.js';
import type { PageQueryDto } from '../../platform/http/pagination/page-query.dto.js';
import { Injectable } from '@nestjs/common';
import {
  invalidFields,
  notFound,
  type FieldProblem,
} from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { filterOf, type ListEventsDto } from './dto/event.dto.js';
import { EVENT_TYPE_DESCRIPTIONS, type EventTypeDescription } from './catalogue/event-types.js';
import { EventOrder, requireUsable } from './stream/event-order.js';
import {
  startAt,
  encodeCursor,
  type CursorFilters,
  type EventPlace,
} from './stream/event-place.js';
import {
  MAX_SCANNED,
  OrderedEventsRepository,
  type FollowedRow,
} from './stream/ordered-events.repository.js';
import { withoutHiddenPlace } from './event-access.js';
import {
  EventsRepository,
  type EventBody,
  type EventFilter,
  type ShownCollections,
} from './events.repository.js';

const FIELD = 'after';

/** Parameters that select a different order or part of the list than `after` does. */
const EXCLUDED_BY_AFTER = ['page', 'cursor', 'sort', 'order', 'since', 'until'];

interface FollowRequest {
  accountId: string;
  shown: ShownCollections;
  /** `start`, `now`, an event ID, or a cursor. */
  after: string;
  limit: number;
  filter: Pick<EventFilter, 'types' | 'documentId' | 'requestId'>;
  /** The filter as the client sent it. Cursors are bound to it. */
  sent: CursorFilters;
}

/** Reads the events of an account until their retention time ends. */
@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventsRepository,
    private readonly ordered: OrderedEventsRepository,
    private readonly order: EventOrder,
  ) {}

  /**
   * Lists thin events that match all filters. They contain IDs, version and status of the resource, but no content. With
   * `after`, throws `bad_request` for parameters in `sent` that contradict it. Callers who do not see all documents get
   * events of documents that they can see now.
   */
  async list(access: Access, query: ListEventsDto, sent: object): Promise<Page<EventBody>> {
    const { accountId } = access;
    const shown = shownCollections(access);
    const { rows, pagination } =
      query.after === undefined
        ? await this.events.list(accountId, shown, filterOf(query), query)
        : await this.follow(followRequest({ accountId, shown }, query, query.after, sent));
    return {
      rows: rows.map(({ body }) => ({ body: withoutHiddenPlace(body, access) })),
      pagination,
    };
  }

  /** Lists the event types that a webhook can select, in the order of the catalogue. */
  listTypes(
    accountId: string,
    query: PageQueryDto & { order: 'asc' | 'desc' },
  ): Promise<Page<EventTypeDescription>> {
    return readItems(accountId, EVENT_TYPE_DESCRIPTIONS, query);
  }

  /** Returns the JSON text of one full event. Throws `not_found`. */
  async find(access: Access, id: string): Promise<string> {
    const shown = shownCollections(access);
    const event = await this.events.find(access.accountId, shown, uuidOf('event', id));
    if (!event) throw notFound('event');
    return withoutHiddenPlace(event.body, access);
  }

  /**
   * Returns the thin events after a place, oldest first, and a cursor for their end. Throws `bad_request` for a place
   * where resuming would leave a gap.
   */
  private async follow(request: FollowRequest): Promise<Page<EventBody>> {
    const { accountId, shown, after, limit, filter, sent } = request;
    if (after === 'now') {
      const nextCursor = encodeCursor(await this.order.newest(accountId), sent);
      return { rows: [], pagination: { limit, total: 0, hasMore: false, nextCursor } };
    }
    const from =
      after === 'start'
        ? undefined
        : await this.order.resolve({ accountId, after, filters: sent, field: FIELD });
    const settled = await this.ordered.settledPosition();
    const place = from ?? startAt('0');
    const rows = await this.ordered.follow({ accountId, place, filter, shown, limit, settled });
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
): Page<EventBody> {
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
      nextCursor: encodeCursor({ ...from, ...place }, sent),
      ...(isBounded && { totalIsLowerBound: true }),
    },
  };
}

/** Throws `bad_request` if the query contains parameters that contradict `after`. */
function followRequest(
  reader: Pick<FollowRequest, 'accountId' | 'shown'>,
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
  return { ...reader, after, limit, filter, sent: { types: type, documentId, requestId } };
}
