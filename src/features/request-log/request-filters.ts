import { parseMoment } from '../../platform/basics/clock/moment.js';
import { selectedColumns } from '../../platform/database/columns.js';
import { decodeId } from '../../platform/basics/identifiers/identifiers.js';
import { BY_CREATION, type CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import type { Listing } from '../../platform/http/pagination/read-page.js';
import type { ListRequestsDto } from './dto/request.dto.js';
import { RequestEntity } from './entities/request.entity.js';
import { writtenPattern } from './request-recorder.js';

/** A request as a prepared statement reads it: JSON is text. */
export type StoredRequest = Omit<RequestEntity, 'error'> & { error: string | null };

export const REQUEST_COLUMNS = selectedColumns(RequestEntity, 'item');

/** Which requests are wanted; all that is given must match. */
interface RequestFilters {
  /** Ranges of statuses. */
  status?: string | undefined;
  method?: string | undefined;
  route?: string | undefined;
  /** UUIDs. */
  keyId?: string | undefined;
  requestId?: string | undefined;
  address?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** Each with one letter, because names of prepared statements are short, and a condition on the placeholder of its value. */
const CONDITIONS: Readonly<
  Record<keyof RequestFilters, readonly [letter: string, condition: (value: string) => string]>
> = {
  status: ['s', (value) => `item.status::integer <@ ${value}::int4multirange`],
  method: ['m', (value) => `item.method = ${value}::text`],
  route: ['r', (value) => `item.route = ${value}::text`],
  keyId: ['k', (value) => `item.key_id = ${value}::uuid`],
  requestId: ['i', (value) => `item.id = ${value}::uuid`],
  address: ['a', (value) => `item.client_address = ${value}::text`],
  since: ['f', (value) => `item.created_at >= ${value}::timestamptz`],
  until: ['u', (value) => `item.created_at < ${value}::timestamptz`],
};
const NAMES = Object.keys(CONDITIONS) as (keyof RequestFilters)[];

/** The filters of a query that was found valid. */
export function filtersOf(query: ListRequestsDto): RequestFilters {
  const { status, method, route, keyId, requestId, address, since, until } = query;
  return {
    status: status && `{${status.map(rangeOf).join(',')}}`,
    method,
    route: route && writtenPattern(route),
    keyId: keyId && decodeId('key', keyId),
    requestId: requestId && decodeId('request', requestId),
    address,
    since: since === undefined ? undefined : parseMoment(since),
    until: until === undefined ? undefined : parseMoment(until),
  };
}

/** `4xx` is 400 to 499, `429` itself. */
function rangeOf(status: string): string {
  const [first, last] = status.endsWith('xx')
    ? [Number(status[0]) * 100, Number(status[0]) * 100 + 99]
    : [Number(status), Number(status)];
  return `[${String(first)},${String(last)}]`;
}

/** The list under these filters. At most 100,000 rows of an account are counted. */
export function requestListing(filters: RequestFilters): Listing<CreationSort> {
  const given = NAMES.filter((name) => filters[name] !== undefined);
  const where = [
    'item.account_id = $1',
    ...given.map((name, index) => CONDITIONS[name][1](`$${String(index + 2)}`)),
  ].join(' AND ');
  return {
    name: `requests-${given.map((name) => CONDITIONS[name][0]).join('')}`,
    table: 'request_log',
    where,
    total:
      given.length === 0
        ? `SELECT coalesce(sum(count), 0)::bigint AS n FROM row_counts WHERE account_id = $1 AND kind = 'request_log'`
        : `SELECT count(*) AS n FROM request_log AS item WHERE ${where}`,
    columns: REQUEST_COLUMNS,
    values: given.map((name) => filters[name]),
    sorts: BY_CREATION,
  };
}
