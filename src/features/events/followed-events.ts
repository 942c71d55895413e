import { invalidFields, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import type { ListEventsDto } from './dto/list-events.dto.js';
import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import type { Page } from '../../platform/http/pagination/read-page.js';
import { conditionsOf, filterOf, type EventFilter } from './event-listing.js';
import { EventOrder, horizonOf, requireUsable, type PlaceState } from './event-order.js';
import { startAt, writePlace, type CursorFilters, type EventPlace } from './event-place.js';
import { visibleBody } from './redaction.js';

/** Most events that one request looks at. It bounds the work of a filter that few events match. */
const MAX_SCANNED = 10_000;

const FIELD = 'after';

/** Parameters that choose another order or part of the list than `after` does. */
const EXCLUDED_BY_AFTER = ['page', 'cursor', 'sort', 'order', 'since', 'until'];

export interface FollowRequest {
  accountId: string;
  /** `start`, `now`, an event's id, or a cursor. */
  after: string;
  limit: number;
  filter: Pick<EventFilter, 'types' | 'documentId' | 'requestId'>;
  /** What the cursor is bound to: the filter as it was sent. */
  sent: CursorFilters;
}

interface FollowedRow {
  horizon: string;
  is_stored: boolean;
  /** Events looked at, one more than {@link MAX_SCANNED} if there are more. */
  scanned: string;
  total: string;
  /** The last event looked at. */
  last_position: string | null;
  last_id: string;
  position: string | null;
  id: string;
  body: string;
}

/** Reads events in the order of their commits, for clients that poll. */
@Injectable()
export class FollowedEvents {
  constructor(
    private readonly database: Database,
    private readonly order: EventOrder,
  ) {}

  /**
   * Returns the thin events behind a place, oldest first, and the cursor of where they end. Throws `bad_request` for a
   * place from which reading on would leave a gap.
   */
  async read(request: FollowRequest): Promise<Page<{ body: string }>> {
    const { accountId, after, limit, sent } = request;
    if (after === 'now') {
      const nextCursor = writePlace(await this.order.newest(accountId), sent);
      return { rows: [], pagination: { limit, total: 0, hasMore: false, nextCursor } };
    }
    const from =
      after === 'start'
        ? undefined
        : await this.order.placeOf({ accountId, after, filters: sent, field: FIELD });
    const settled = await this.order.settledPosition();
    const rows = await this.rowsBehind(from ?? startAt('0'), settled, request);
    // There is one row even if there is no event.
    const state: PlaceState = {
      horizon: rows[0]?.horizon ?? '0',
      isStored: rows[0]?.is_stored ?? false,
    };
    if (from) requireUsable(from, state, { field: FIELD, filters: sent });
    return pageOf(rows, from ?? startAt(state.horizon), request);
  }

  private rowsBehind(
    { position, id }: EventPlace,
    settled: string,
    { accountId, limit, filter }: FollowRequest,
  ): Promise<FollowedRow[]> {
    const { letters, conditions, values } = conditionsOf(filter, 6);
    const where = ['true', ...conditions].join(' AND ');
    const statement: Statement = {
      name: `events-follow-${letters}`,
      text: `WITH scanned AS MATERIALIZED (
          SELECT position, id${conditions.length > 0 ? ', type, subject_id, request_id' : ''}
            FROM events
           WHERE account_id = $1 AND (position, id) > ($2::bigint, $3::uuid) AND position <= $4::bigint
           ORDER BY position, id LIMIT ${String(MAX_SCANNED + 1)}
        ), looked_at AS (
          SELECT * FROM scanned ORDER BY position, id LIMIT ${String(MAX_SCANNED)}
        ), matching AS MATERIALIZED (
          SELECT position, id FROM looked_at AS item WHERE ${where}
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
    };
    return this.database.read(statement, [accountId, position, id, settled, limit, ...values]);
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
  // Behind the last event shown if more of them match, otherwise behind the last one looked at.
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

/** Throws `bad_request` if `sent`, the query as it was sent, has parameters that contradict `after`. */
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
