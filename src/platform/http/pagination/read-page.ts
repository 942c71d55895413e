import { createHash } from 'node:crypto';
import { invalidFields } from '../../basics/errors/app-error.js';
import type { Database, Statement } from '../../database/database.js';
import { isoOf, utcText } from '../../database/columns.js';
import { readCursor, type SqlType, writeCursor } from './cursor.js';
import type { PageQueryDto } from './page-query.dto.js';

/** `meta.pagination` of a numbered page, as in the specification, with `nextCursor` added. */
interface NumberedPagination {
  page: number;
  limit: number;
  total: number;
  pages: number;
  hasMore: boolean;
  nextCursor: string | null;
  totalIsLowerBound?: true;
}

/** `meta.pagination` of a page read by `cursor`, which has no number. */
interface CursorPagination {
  limit: number;
  total: number;
  hasMore: boolean;
  nextCursor: string | null;
  /** More than `total` items match, because counting stops at a limit. */
  totalIsLowerBound?: true;
}

export type Pagination = NumberedPagination | CursorPagination;

type Order = 'asc' | 'desc';

/** A list with an index for each sort. Names here are constants of the code, never input. */
export interface Listing<Sort extends string> {
  /** Unique in the service; names the prepared statements. */
  name: string;
  table: string;
  /** Condition on `item`, with the account as `$1`. Each sort has an index for it. */
  where: string;
  /** Further values of `where` and `total`: `$2` and following. */
  values?: readonly unknown[];
  /** What cursors are bound to. Default: the list's own. */
  boundTo?: { where: string; values?: readonly unknown[] | undefined };
  /** A query that returns one row with the exact count in column `n`. */
  total: string;
  /** The greatest total to report. The query `total` counts one more at most. */
  totalLimit?: number;
  /** Columns to return, from `item` and `joins`. */
  columns: string;
  /** Further tables, each joined to `item` by LATERAL with LIMIT 1. */
  joins?: string;
  /** Sort names of the API with their columns and types. */
  sorts: Readonly<Record<Sort, { column: string; type: SqlType }>>;
  /** True if no replica may serve the read. */
  onPrimary?: boolean;
}

export interface PageRequest<Sort extends string> extends PageQueryDto {
  sort: Sort;
}

export interface Page<Row> {
  rows: Row[];
  pagination: Pagination;
}

/** Columns that each row has besides those of the list, whose names start otherwise. */
interface Placed {
  page_total: string;
  page_id: string | null;
  /** Times are text in the format of `utcText`. */
  page_key: string | number;
}

/**
 * Returns the list with a condition that depends on the caller: it gets the placeholders of `values`. Cursors stay valid
 * when the values change. A total with a limit counts no further.
 */
export function restricted<Sort extends string>(
  listing: Listing<Sort>,
  condition: (...placeholders: string[]) => string,
  values: readonly unknown[],
  { name = 'restricted', totalLimit }: { name?: string; totalLimit?: number } = {},
): Listing<Sort> {
  const { where: own, values: ownValues = [], table } = listing;
  const first = ownValues.length + 2;
  const placeholders = values.map((_, index) => `$${String(first + index)}`);
  const where = `${own} AND ${condition(...placeholders)}`;
  const limit = totalLimit === undefined ? '' : `LIMIT ${String(totalLimit + 1)}`;
  return {
    ...listing,
    name: `${listing.name}.${name}`,
    where,
    values: [...ownValues, ...values],
    boundTo: { where: own, values: ownValues },
    total: `SELECT count(*) AS n FROM (SELECT FROM ${table} AS item WHERE ${where} ${limit}) AS found`,
    ...(totalLimit !== undefined && { totalLimit }),
  };
}

interface Read<Row, Sort extends string> {
  listing: Listing<Sort>;
  request: PageRequest<Sort>;
  /** Runs a statement with values for its {@link placeholders}. */
  read: (statement: Statement, ...values: unknown[]) => Promise<(Row & Placed)[]>;
}

/**
 * Reads one page by number or cursor, with its exact total, in one statement and thus from one snapshot. Throws
 * `bad_request` for a cursor of another list or order.
 */
export async function readPage<Row extends object, Sort extends string>(
  database: Database,
  listing: Listing<Sort>,
  accountId: string,
  request: PageRequest<Sort>,
): Promise<Page<Row>> {
  const { values = [], onPrimary } = listing;
  const read: Read<Row, Sort>['read'] = (statement, ...ofPage) =>
    database.read({ ...statement, onPrimary }, [accountId, ...values, ...ofPage], accountId);
  if (request.cursor === undefined) return readNumberedPage({ listing, request, read });
  if (request.page !== 1) {
    throw invalidFields([
      { field: 'page', issue: 'cannot be combined with cursor; send one of them' },
    ]);
  }
  return readCursorPage({ listing, request, read }, request.cursor);
}

async function readNumberedPage<Row extends object, Sort extends string>({
  listing,
  request,
  read,
}: Read<Row, Sort>): Promise<Page<Row>> {
  const { page, limit } = request;
  const skipped = (page - 1) * limit;
  const isLimited = listing.totalLimit !== undefined;
  // With a limited total, one extra row shows whether there is a next page.
  const most = isLimited ? limit + 1 : limit;
  const isNear = isLimited || skipped < NEAR;
  const near = isNear ? await read(nearStatement(listing, request), most, skipped) : [];
  // Without rows, the total is unknown.
  const found =
    near.length > 0 ? near : await read(numberedStatement(listing, request), limit, skipped);
  const { total, ...bound } = totalOf(found, listing);
  const rows = found.filter(({ page_id }) => page_id !== null).slice(0, limit);
  const hasMore = page * limit < total || found.length > limit;
  const nextCursor = hasMore ? cursorAfter(rows.at(-1), request, listing) : null;
  const pages = Math.ceil(total / limit);
  return { rows, pagination: { page, limit, total, pages, hasMore, nextCursor, ...bound } };
}

async function readCursorPage<Row extends object, Sort extends string>(
  { listing, request, read }: Read<Row, Sort>,
  cursor: string,
): Promise<Page<Row>> {
  const { limit, sort, order } = request;
  const { key, id } = readCursor(
    cursor,
    { sort, order, filters: fingerprintOf(listing) },
    listing.sorts[sort].type,
  );
  // One extra row shows whether there is a next page.
  const found = await read(cursorStatement(listing, request), limit + 1, key, id);
  const { total, ...bound } = totalOf(found, listing);
  const present = found.filter(({ page_id }) => page_id !== null);
  const rows = present.slice(0, limit);
  const hasMore = present.length > limit;
  const nextCursor = hasMore ? cursorAfter(rows.at(-1), request, listing) : null;
  return { rows, pagination: { limit, total, hasMore, nextCursor, ...bound } };
}

/** Returns the total of a page, which is a lower bound if the listing limits it. */
function totalOf(
  found: readonly Placed[],
  { totalLimit = Infinity }: Listing<never>,
): { total: number; totalIsLowerBound?: true } {
  const counted = Number(found[0]?.page_total ?? 0);
  return counted > totalLimit ? { total: totalLimit, totalIsLowerBound: true } : { total: counted };
}

/** Maximum number of rows to skip one by one. */
const NEAR = 1_000;

/** Reads a page near the start in one scan, which PostgreSQL plans faster than {@link numberedStatement}. */
function nearStatement<Sort extends string>(
  listing: Listing<Sort>,
  { sort, order }: PageRequest<Sort>,
): Statement {
  const { name, table, where, total, columns, joins = '', sorts } = listing;
  const { column, type } = sorts[sort];
  const [most, skipped] = placeholders(listing);
  return {
    name: `${name}.near.${sort}.${order}`,
    text: `SELECT (${total}) AS page_total, place.id AS page_id, ${keyText('place.key', type)} AS page_key, ${columns}
             FROM (SELECT item.id, item.${column} AS key FROM ${table} AS item WHERE ${where}
                    ORDER BY item.${column} ${order}, item.id ${order}
                    LIMIT ${most}::bigint OFFSET ${skipped}::bigint) AS place
             ${itemOfPlace(table)} ${joins}
            ORDER BY place.key ${order}, place.id ${order}`,
  };
}

/**
 * Finds the page in an index-only scan from the nearer end, so that page 400 costs little more than page 1. One of the
 * two halves has LIMIT 0 and does not run.
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

/** Returns the rows of a page. Every row contains the total; an empty page has one row of nulls with the total. */
function pageOf(
  { table, total, columns, joins = '' }: Listing<never>,
  order: Order,
  place: string,
  keyType: SqlType,
): string {
  return `WITH total AS MATERIALIZED (${total}), place AS MATERIALIZED (${place})
          SELECT total.n AS page_total, place.id AS page_id, ${keyText('place.key', keyType)} AS page_key, ${columns}
            FROM total
            LEFT JOIN (place ${itemOfPlace(table)} ${joins}) ON true
           ORDER BY place.key ${order}, place.id ${order}`;
}

/**
 * Fetches the row of each index entry, so that only the index is scanned up to the page. LATERAL fetches one row at a
 * time. PostgreSQL cannot know how few entries there are, so a plain join would read the whole table.
 */
function itemOfPlace(table: string): string {
  return `CROSS JOIN LATERAL (SELECT * FROM ${table} AS found WHERE found.id = place.id LIMIT 1) AS item`;
}

/** Returns SQL for the sort key of a row. */
function keyText(column: string, type: SqlType): string {
  return type === 'timestamptz' ? utcText(column) : column;
}

/** Placeholders of the page, after the account and the values of the listing. */
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

/** Returns the fingerprint of the filters, so that a cursor only continues its own list. */
export function fingerprintOf(listing: Listing<never>): string {
  const { where, values = [] } = listing.boundTo ?? listing;
  if (values.length === 0) return '';
  const text = JSON.stringify([where, values]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** Items numbered from 1 without gaps, so that a page is a range of numbers. */
interface NumberedItems<Item> {
  /** UUID of the owner of the items. */
  ownerId: string;
  total: number;
  /** Returns the items from `first` to `last`, inclusive, lowest number first. */
  read: (first: number, last: number) => Promise<Item[]>;
}

/** Every sort of such a list orders by number. */
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

/** Returns one page of items in memory, which are oldest first. Throws `bad_request` for a cursor of another list. */
export function readItems<Item>(
  ownerId: string,
  items: readonly Item[],
  query: PageQueryDto,
): Promise<Page<Item>> {
  const read = (first: number, last: number) => Promise.resolve(items.slice(first - 1, last));
  return readNumberedItems({ ownerId, total: items.length, read }, query);
}

/** Returns the number of items before the page that follows a cursor. */
function skippedBy(cursor: string, { order, page }: PageQueryDto, total: number): number {
  if (page !== 1) {
    throw invalidFields([
      { field: 'page', issue: 'cannot be combined with cursor; send one of them' },
    ]);
  }
  const key = Number(readCursor(cursor, { sort: SORT, order }, 'integer').key);
  return order === 'asc' ? key : total - key + 1;
}
