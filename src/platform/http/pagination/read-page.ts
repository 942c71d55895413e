import { createHash } from 'node:crypto';
import { invalidFields } from '../../basics/errors/app-error.js';
import type { Database, Statement } from '../../database/database.js';
import { isoOf, utcText } from '../../database/columns.js';
import { readCursor, type SqlType, writeCursor } from './cursor.js';
import type { PageQueryDto } from './page-query.dto.js';

/** `meta.pagination` of a numbered page, as in the specification; `nextCursor` is additive, for walking on. */
interface NumberedPagination {
  page: number;
  limit: number;
  total: number;
  pages: number;
  hasMore: boolean;
  nextCursor: string | null;
  totalIsLowerBound?: true;
}

/** `meta.pagination` of a page reached by `cursor`: it has no number. */
interface CursorPagination {
  limit: number;
  total: number;
  hasMore: boolean;
  nextCursor: string | null;
  /** There are more than `total`: matches of words are counted up to a limit. */
  totalIsLowerBound?: true;
}

export type Pagination = NumberedPagination | CursorPagination;

type Order = 'asc' | 'desc';

/** A list that an index of its table holds in each order. Names here are constants of the code, never input. */
export interface Listing<Sort extends string> {
  /** Unique in the service for each text of the others; names the prepared statements. */
  name: string;
  table: string;
  /** Condition on `item`, with the account as `$1`; each sort has an index under it. */
  where: string;
  /** What `where` and `total` compare with, beside the account: `$2` and on. */
  values?: readonly unknown[];
  /** A query of one row and column `n`: the exact number of rows under `where`. */
  total: string;
  /** Columns to return, of `item` and of `joins`. */
  columns: string;
  /** Further tables, each by LATERAL and LIMIT 1 on `item`. */
  joins?: string;
  /** Sort names of the API, with their column and its type. */
  sorts: Readonly<Record<Sort, { column: string; type: SqlType }>>;
}

export interface PageRequest<Sort extends string> extends PageQueryDto {
  sort: Sort;
}

export interface Page<Row> {
  rows: Row[];
  pagination: Pagination;
}

interface Placed {
  total: string;
  page_id: string | null;
  /** Times are text, as `src/platform/database/columns.ts` has it. */
  page_key: string | number;
}

interface Read<Sort extends string> {
  database: Database;
  listing: Listing<Sort>;
  accountId: string;
  request: PageRequest<Sort>;
}

/**
 * One page of a list, by number or by cursor, with its exact total, both of one statement and so of one snapshot. Throws
 * `bad_request` for a cursor that is not of this list and order.
 */
export async function readPage<Row extends object, Sort extends string>(
  database: Database,
  listing: Listing<Sort>,
  accountId: string,
  request: PageRequest<Sort>,
): Promise<Page<Row>> {
  const read: Read<Sort> = { database, listing, accountId, request };
  if (request.cursor === undefined) return readNumberedPage(read);
  if (request.page !== 1) {
    throw invalidFields([{ field: 'page', issue: 'excludes cursor; send one of the two' }]);
  }
  return readCursorPage(read, request.cursor);
}

async function readNumberedPage<Row extends object, Sort extends string>({
  database,
  listing,
  accountId,
  request,
}: Read<Sort>): Promise<Page<Row>> {
  const { page, limit } = request;
  const skipped = (page - 1) * limit;
  const values = [accountId, ...(listing.values ?? []), limit, skipped];
  const read = (statement: Statement) => database.read<Row & Placed>(statement, values);
  const near = skipped < NEAR ? await read(nearStatement(listing, request)) : [];
  // Without rows nothing is said of the total.
  const found = near.length > 0 ? near : await read(numberedStatement(listing, request));
  const total = Number(found[0]?.total ?? 0);
  const rows = found.filter(({ page_id }) => page_id !== null);
  const hasMore = page * limit < total;
  const nextCursor = hasMore ? cursorAfter(rows.at(-1), request, listing) : null;
  const pages = Math.ceil(total / limit);
  return { rows, pagination: { page, limit, total, pages, hasMore, nextCursor } };
}

async function readCursorPage<Row extends object, Sort extends string>(
  { database, listing, accountId, request }: Read<Sort>,
  cursor: string,
): Promise<Page<Row>> {
  const { limit, sort, order } = request;
  const { key, id } = readCursor(
    cursor,
    { sort, order, filters: fingerprintOf(listing) },
    listing.sorts[sort].type,
  );
  // One row more than asked tells whether there is a next page.
  const values = [accountId, ...(listing.values ?? []), limit + 1, key, id];
  const found = await database.read<Row & Placed>(cursorStatement(listing, request), values);
  const total = Number(found[0]?.total ?? 0);
  const present = found.filter(({ page_id }) => page_id !== null);
  const rows = present.slice(0, limit);
  const hasMore = present.length > limit;
  const nextCursor = hasMore ? cursorAfter(rows.at(-1), request, listing) : null;
  return { rows, pagination: { limit, total, hasMore, nextCursor } };
}

/** So many rows before a page are skipped one by one. */
const NEAR = 1_000;

/** A page that is near: one walk, of which PostgreSQL makes its plan ready in less time than of {@link numberedStatement}. */
function nearStatement<Sort extends string>(
  listing: Listing<Sort>,
  { sort, order }: PageRequest<Sort>,
): Statement {
  const { name, table, where, total, columns, joins = '', sorts } = listing;
  const { column, type } = sorts[sort];
  const [most, skipped] = placeholders(listing);
  return {
    name: `${name}.near.${sort}.${order}`,
    text: `SELECT (${total}) AS total, place.id AS page_id, ${keyText('place.key', type)} AS page_key, ${columns}
             FROM (SELECT item.id, item.${column} AS key FROM ${table} AS item WHERE ${where}
                    ORDER BY item.${column} ${order}, item.id ${order}
                    LIMIT ${most}::bigint OFFSET ${skipped}::bigint) AS place
             ${itemOfPlace(table)} ${joins}
            ORDER BY place.key ${order}, place.id ${order}`,
  };
}

/**
 * Finds the place in an index-only scan, from the nearer end, so that page 400 costs little more than page 1: one of the
 * two halves has the limit 0 and is not run.
 */
function numberedStatement<Sort extends string>(
  listing: Listing<Sort>,
  { sort, order }: PageRequest<Sort>,
): Statement {
  const { name, table, where, sorts } = listing;
  const { column, type } = sorts[sort];
  const [most, skipped] = placeholders(listing).map((one) => `${one}::bigint`) as [string, string];
  const from = (direction: Order) => `SELECT item.id, item.${column} AS key
          FROM ${table} AS item WHERE ${where}
         ORDER BY item.${column} ${direction}, item.id ${direction}`;
  const place = `(${from(order)}
      OFFSET ${skipped}
       LIMIT (SELECT CASE WHEN ${skipped} <= n / 2 THEN ${most} ELSE 0 END FROM total))
    UNION ALL
    (${from(order === 'asc' ? 'desc' : 'asc')}
      OFFSET (SELECT greatest(n - ${skipped} - ${most}, 0) FROM total)
       LIMIT (SELECT CASE WHEN ${skipped} > n / 2 THEN greatest(least(${most}, n - ${skipped}), 0)
                          ELSE 0 END FROM total))`;
  return { name: `${name}.page.${sort}.${order}`, text: pageOf(listing, order, place, type) };
}

function cursorStatement<Sort extends string>(
  listing: Listing<Sort>,
  { sort, order }: PageRequest<Sort>,
): Statement {
  const { name, table, where, sorts } = listing;
  const { column, type } = sorts[sort];
  const [most, key, id] = placeholders(listing);
  const place = `SELECT item.id, item.${column} AS key
            FROM ${table} AS item
           WHERE ${where} AND (item.${column}, item.id) ${order === 'asc' ? '>' : '<'} (${key}::${type}, ${id}::uuid)
           ORDER BY item.${column} ${order}, item.id ${order}
           LIMIT ${most}::bigint`;
  return { name: `${name}.after.${sort}.${order}`, text: pageOf(listing, order, place, type) };
}

/** The rows of the places. The total stands on every row, and on one row of nulls when the page is empty. */
function pageOf(
  { table, total, columns, joins = '' }: Listing<never>,
  order: Order,
  place: string,
  keyType: SqlType,
): string {
  return `WITH total AS MATERIALIZED (${total}), place AS MATERIALIZED (${place})
          SELECT total.n AS total, place.id AS page_id, ${keyText('place.key', keyType)} AS page_key, ${columns}
            FROM total
            LEFT JOIN (place ${itemOfPlace(table)} ${joins}) ON true
           ORDER BY place.key ${order}, place.id ${order}`;
}

/**
 * The row of each place, so that the index alone is walked through up to the page. Rows are fetched one by one through
 * LATERAL: PostgreSQL cannot know how few places there are and would read the whole table to join them.
 */
function itemOfPlace(table: string): string {
  return `CROSS JOIN LATERAL (SELECT * FROM ${table} AS found WHERE found.id = place.id LIMIT 1) AS item`;
}

/** The key of a row as it is read: only that of the last row is written again. */
function keyText(column: string, type: SqlType): string {
  return type === 'timestamptz' ? utcText(column) : column;
}

/** Of what the page itself takes, behind the account and the values of the listing. */
function placeholders({ values = [] }: Listing<never>): [string, string, string] {
  const first = values.length + 2;
  return [`$${String(first)}`, `$${String(first + 1)}`, `$${String(first + 2)}`];
}

function cursorAfter<Sort extends string>(
  row: Placed | undefined,
  { sort, order }: PageRequest<Sort>,
  listing: Listing<Sort>,
): string | null {
  if (!row?.page_id) return null;
  const { type } = listing.sorts[sort];
  const key = type === 'timestamptz' ? isoOf(String(row.page_key)) : row.page_key;
  return writeCursor({ sort, order, key, id: row.page_id, filters: fingerprintOf(listing) });
}

/** What the list is filtered by, in a few characters, so that a cursor goes on in the same list. */
function fingerprintOf({ where, values = [] }: Listing<never>): string {
  if (values.length === 0) return '';
  const text = JSON.stringify([where, values]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** Items that are numbered from 1 without a gap, so that a page is a range of numbers. */
export interface NumberedItems<Item> {
  /** UUID of what the items belong to. */
  ownerId: string;
  total: number;
  /** Returns the items `first` to `last`, both included, the lowest number first. */
  read: (first: number, last: number) => Promise<Item[]>;
}

/** All sorts of such a list are the order of the numbers. */
const SORT = 'number';

/** Returns one page. Throws `bad_request` for a cursor of another list or order. */
export async function readNumberedItems<Item>(
  { ownerId, total, read }: NumberedItems<Item>,
  query: PageQueryDto,
): Promise<Page<Item>> {
  const { limit, order, page, cursor } = query;
  const skipped = cursor === undefined ? (page - 1) * limit : skippedBy(cursor, query, total);
  const [first, last] =
    order === 'asc'
      ? [skipped + 1, Math.min(skipped + limit, total)]
      : [Math.max(total - skipped - limit + 1, 1), total - skipped];
  const found = first > last ? [] : await read(first, last);
  const hasMore = skipped + limit < total;
  const key = order === 'asc' ? last : first;
  const nextCursor = hasMore ? writeCursor({ sort: SORT, order, key, id: ownerId }) : null;
  const counted = { limit, total, hasMore, nextCursor };
  return {
    rows: order === 'asc' ? found : found.reverse(),
    pagination:
      cursor === undefined ? { page, pages: Math.ceil(total / limit), ...counted } : counted,
  };
}

/** Returns how many items stand before the page that a cursor begins. */
function skippedBy(cursor: string, { order, page }: PageQueryDto, total: number): number {
  if (page !== 1) {
    throw invalidFields([{ field: 'page', issue: 'excludes cursor; send one of the two' }]);
  }
  const key = Number(readCursor(cursor, { sort: SORT, order }, 'integer').key);
  return order === 'asc' ? key : total - key + 1;
}
