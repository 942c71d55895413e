import type { Database, Statement } from '../database/database.js';
import { invalidFields } from '../errors/app-error.js';
import { readCursor, writeCursor } from './cursor.js';
import { findInWholeList, type Finder, type Order, type WholeList } from './finder.js';
import type { PageQueryDto } from './page-query.dto.js';
import type { Pagination } from './pagination.js';

/** What a list shows of its rows. Names here are constants of the code, never input. */
export interface Shown {
  /** Unique in the service for each text of `columns`; names the prepared statements. */
  name: string;
  table: string;
  /** Columns to return, of `item` and of `joins`. */
  columns: string;
  /** Further tables, each by LATERAL and LIMIT 1 on `item`. */
  joins?: string;
}

/** A list as SQL knows it. */
export interface Listing<Sort extends string> extends Shown, WholeList<Sort> {}

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
  page_key: string | number | Date;
}

/**
 * One page of a list, by number or by cursor, with its exact total, in one statement and so in one snapshot. With a
 * finder, a page of what it finds. Throws `bad_request` for a cursor that is not of this list and order.
 */
export async function readPage<Row extends object, Sort extends string>(
  database: Database,
  listing: Listing<Sort>,
  accountId: string,
  request: PageRequest<Sort>,
): Promise<Page<Row>> {
  return readFoundPage(database, listing, findInWholeList(listing), accountId, request);
}

/** The same of the rows that `finder` finds. */
export async function readFoundPage<Row extends object, Sort extends string>(
  database: Database,
  shown: Shown,
  finder: Finder<Sort>,
  accountId: string,
  request: PageRequest<Sort>,
): Promise<Page<Row>> {
  const read: Read<Sort> = { database, shown, finder, accountId, request };
  if (request.cursor === undefined) return readNumberedPage(read);
  if (request.page !== 1) {
    throw invalidFields([{ field: 'page', issue: 'excludes cursor; send one of the two' }]);
  }
  return readCursorPage(read, request.cursor);
}

interface Read<Sort extends string> {
  database: Database;
  shown: Shown;
  finder: Finder<Sort>;
  accountId: string;
  request: PageRequest<Sort>;
}

async function readNumberedPage<Row extends object, Sort extends string>(
  read: Read<Sort>,
): Promise<Page<Row>> {
  const { page, limit } = read.request;
  const values = [read.accountId, ...read.finder.values, limit, (page - 1) * limit];
  const found = await read.database.read<Row & Placed>(numberedStatement(read), values);
  const total = Number(found[0]?.total ?? 0);
  const rows = found.filter(({ page_id }) => page_id !== null);
  const hasMore = page * limit < total;
  const nextCursor = hasMore ? cursorAfter(rows.at(-1), read) : null;
  const pages = Math.ceil(total / limit);
  return { rows, pagination: { page, limit, total, pages, hasMore, nextCursor } };
}

async function readCursorPage<Row extends object, Sort extends string>(
  read: Read<Sort>,
  cursor: string,
): Promise<Page<Row>> {
  const { finder, request } = read;
  const { limit, sort, order } = request;
  const list = { sort, order, filters: finder.filters };
  const { key, id } = readCursor(cursor, list, finder.sorts[sort].type);
  // One row more than asked tells whether there is a next page.
  const values = [read.accountId, ...finder.values, limit + 1, key, id];
  const found = await read.database.read<Row & Placed>(cursorStatement(read), values);
  const total = Number(found[0]?.total ?? 0);
  const present = found.filter(({ page_id }) => page_id !== null);
  const rows = present.slice(0, limit);
  const hasMore = present.length > limit;
  const nextCursor = hasMore ? cursorAfter(rows.at(-1), read) : null;
  return { rows, pagination: { limit, total, hasMore, nextCursor } };
}

function numberedStatement<Sort extends string>({ shown, finder, request }: Read<Sort>): Statement {
  const { sort, order } = request;
  const [most, skipped] = placeholders(finder);
  return {
    name: `${nameOf(shown, finder)}.page.${sort}.${order}`,
    text: `WITH ${finder.numbered(sort, order, { most, skipped })} ${outerSelect(shown, order)}`,
  };
}

function cursorStatement<Sort extends string>({ shown, finder, request }: Read<Sort>): Statement {
  const { sort, order } = request;
  const [most, key, id] = placeholders(finder);
  return {
    name: `${nameOf(shown, finder)}.after.${sort}.${order}`,
    text: `WITH ${finder.after(sort, order, { most, key, id })} ${outerSelect(shown, order)}`,
  };
}

function nameOf(shown: Shown, finder: Finder<never>): string {
  return shown.name === finder.name ? shown.name : `${shown.name}.${finder.name}`;
}

/**
 * The total stands on every row, and on one row of nulls when the page is empty. Rows are fetched one by one through
 * LATERAL: PostgreSQL cannot know how few places there are and would read the whole table to join them.
 */
function outerSelect({ table, columns, joins = '' }: Shown, order: Order): string {
  return `SELECT total.n AS total, place.id AS page_id, place.key AS page_key, ${columns}
            FROM total
            LEFT JOIN (place
              CROSS JOIN LATERAL (SELECT * FROM ${table} AS found WHERE found.id = place.id LIMIT 1) AS item
              ${joins}) ON true
           ORDER BY place.key ${order}, place.id ${order}`;
}

/** Of what the page itself takes, behind the account and the values of the finder. */
function placeholders({ values }: Finder<never>): [string, string, string] {
  const first = values.length + 2;
  return [`$${String(first)}`, `$${String(first + 1)}`, `$${String(first + 2)}`];
}

function cursorAfter(
  row: Placed | undefined,
  { finder, request: { sort, order } }: Read<string>,
): string | null {
  if (!row?.page_id) return null;
  const key = row.page_key instanceof Date ? row.page_key.toISOString() : row.page_key;
  return writeCursor({ sort, order, key, id: row.page_id, filters: finder.filters });
}
