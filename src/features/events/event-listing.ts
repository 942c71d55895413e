import { parseMoment } from '../../platform/basics/clock/moment.js';
import { decodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { ListEventsDto } from './dto/list-events.dto.js';
import {
  BY_CREATION,
  type CreationSort,
} from '../../platform/http/pagination/creation-order.dto.js';
import type { Listing } from '../../platform/http/pagination/read-page.js';
import { typesOf, type EventType } from './catalogue.js';
import { visibleBody } from './redaction.js';

/** What a list of events may be narrowed to; all that is given must match. Ids are UUIDs, but that of the request. */
export interface EventFilter {
  /** Any of these. */
  types?: readonly EventType[] | undefined;
  documentId?: string | undefined;
  requestId?: string | undefined;
  /** At this time or later. */
  since?: Date | undefined;
  /** Before this time. */
  until?: Date | undefined;
}

/** Each with the placeholder of its value. The index of the list has types and times; a document and a request have one. */
const CONDITIONS: Readonly<Record<keyof EventFilter, (value: string) => string>> = {
  types: (value) => `item.type = ANY (${value}::text[])`,
  documentId: (value) => `item.subject_id = ${value}::uuid`,
  requestId: (value) => `item.request_id = ${value}::text`,
  since: (value) => `item.created_at >= ${value}::timestamptz`,
  until: (value) => `item.created_at < ${value}::timestamptz`,
};
const NAMES = Object.keys(CONDITIONS) as (keyof EventFilter)[];
/** For names of prepared statements, which are short. */
const LETTERS: Readonly<Record<keyof EventFilter, string>> = {
  types: 't',
  documentId: 'd',
  requestId: 'r',
  since: 'f',
  until: 'u',
};

/** The given filters as SQL: conditions on `item` whose values begin at a placeholder, and a name for the statement. */
export function conditionsOf(filter: EventFilter, firstPlaceholder: number) {
  const given = NAMES.filter((name) => filter[name] !== undefined);
  return {
    letters: given.map((name) => LETTERS[name]).join(''),
    conditions: given.map((name, index) =>
      CONDITIONS[name](`$${String(index + firstPlaceholder)}`),
    ),
    values: given.map((name) => filter[name]),
  };
}

/** The events of an account under these filters, in their thin form. */
export function eventListing(filter: EventFilter): Listing<CreationSort> {
  const { letters, conditions, values } = conditionsOf(filter, 2);
  const where = ['item.account_id = $1', ...conditions].join(' AND ');
  return {
    name: `events-${letters}`,
    table: 'events',
    where,
    values,
    total:
      values.length === 0
        ? `SELECT coalesce(sum(count), 0)::bigint AS n FROM row_counts WHERE account_id = $1 AND kind = 'events'`
        : `SELECT count(*) AS n FROM events AS item WHERE ${where}`,
    columns: `${visibleBody('item', 'thin_body')} AS body`,
    sorts: BY_CREATION,
  };
}

/** Returns the filter of a valid query. */
export function filterOf(query: ListEventsDto): EventFilter {
  const { type, documentId, requestId, since, until } = query;
  return {
    types: type && typesOf(type),
    documentId: documentId === undefined ? undefined : decodeId('document', documentId),
    requestId,
    since: since === undefined ? undefined : parseMoment(since),
    until: until === undefined ? undefined : parseMoment(until),
  };
}
