import type { Database, Statement } from '../database/database.js';
import { invalidFields } from '../errors/app-error.js';
import { readCursor, writeCursor, type SqlType } from './cursor.js';
import type { PageQueryDto } from './page-query.dto.js';
import type { Pagination } from './pagination.js';

/**
 * A list as SQL knows it. Placeholder `$1` is the account and `$2` and on are its `values`; names here are constants of
 * the code, never input.
 */
export interface Listing<Sort extends string> {
  /** Unique in the service for each text of `where` and `columns`; names the prepared statements. */
  name: string;
  table: string;
  /** Condition on `item`, with the account as `$1`; each sort has an index under it. */
  where: string;
  /** A query of one row and column `n`: the exact number of rows under `where`. */
  total: string;
  /** Columns to return, of `item` and of `joins`. */
  columns: string;
  /** Further tables, each by LATERAL and LIMIT 1 on `item`. */
  joins?: string;
  /** What `where` and `total` compare with, beside the account. */
  values?: readonly unknown[];
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
  page_key: string | number | Date;
}

/**
 * One page of a list, by number or by cursor, with its exact total, in one statement and so in one snapshot.
 * Throws `bad_request` for a cursor that is not of this list and order.
 */
export async function readPage<Row extends object, Sort extends string>(
  database: Database,
  listing: Listing<Sort>,
  accountId: string,
  request: PageRequest<Sort>,
): Promise<Page<Row>> {
  if (request.cursor === undefined) return readNumberedPage(database, listing, accountId, request);
  if (request.page !== 1) {
    throw invalidFields([{ field: 'page', issue: 'excludes cursor; send one of the two' }]);
  }
  return readCursorPage(database, listing, accountId, request, request.cursor);
}

async function readNumberedPage<Row extends object, Sort extends string>(
  database: Database,
  listing: Listing<Sort>,
  accountId: string,
  request: PageRequest<Sort>,
): Promise<Page<Row>> {
  const { page, limit } = request;
  const found = await database.run<Row & Placed>(numberedStatement(listing, request), [
    accountId,
    ...(listing.values ?? []),
    limit,
    (page - 1) * limit,
  ]);
  const total = Number(found[0]?.total ?? 0);
  const rows = found.filter(({ page_id }) => page_id !== null);
  const hasMore = page * limit < total;
  const nextCursor = hasMore ? cursorAfter(rows.at(-1), request) : null;
  const pages = Math.ceil(total / limit);
  return { rows, pagination: { page, limit, total, pages, hasMore, nextCursor } };
}

async function readCursorPage<Row extends object, Sort extends string>(
  database: Database,
  listing: Listing<Sort>,
  accountId: string,
  request: PageRequest<Sort>,
  cursor: string,
): Promise<Page<Row>> {
  const { limit } = request;
  const { key, id } = readCursor(cursor, request, listing.sorts[request.sort].type);
  // One row more than asked tells whether there is a next page.
  const found = await database.run<Row & Placed>(cursorStatement(listing, request), [
    accountId,
    ...(listing.values ?? []),
    limit + 1,
    key,
    id,
  ]);
  const total = Number(found[0]?.total ?? 0);
  const present = found.filter(({ page_id }) => page_id !== null);
  const rows = present.slice(0, limit);
  const hasMore = present.length > limit;
  const nextCursor = hasMore ? cursorAfter(rows.at(-1), request) : null;
  return { rows, pagination: { limit, total, hasMore, nextCursor } };
}

/**
 * Finds the place in an index-only scan, from the nearer end, and reads only the page's rows from the table
 * (a deferred join), so that page 400 costs little more than page 1.
 */
function numberedStatement<Sort extends string>(
  listing: Listing<Sort>,
  { sort, order }: PageRequest<Sort>,
): Statement {
  const { column } = listing.sorts[sort];
  const [limit, offset] = placeholders(listing);
  const place = (direction: string) => `SELECT item.id, item.${column} AS key
      FROM ${listing.table} AS item WHERE ${listing.where}
     ORDER BY item.${column} ${direction}, item.id ${direction}`;
  return {
    name: `${listing.name}.page.${sort}.${order}`,
    text: `WITH total AS MATERIALIZED (${listing.total}),
      place AS MATERIALIZED (
        (${place(order)}
          OFFSET ${offset}::bigint
           LIMIT (SELECT CASE WHEN ${offset}::bigint <= n / 2 THEN ${limit}::bigint ELSE 0 END FROM total))
        UNION ALL
        (${place(opposite(order))}
          OFFSET (SELECT greatest(n - ${offset}::bigint - ${limit}::bigint, 0) FROM total)
           LIMIT (SELECT CASE WHEN ${offset}::bigint > n / 2 THEN greatest(least(${limit}::bigint, n - ${offset}::bigint), 0)
                              ELSE 0 END FROM total))
      )
      ${outerSelect(listing, order)}`,
  };
}

function cursorStatement<Sort extends string>(
  listing: Listing<Sort>,
  { sort, order }: PageRequest<Sort>,
): Statement {
  const { column, type } = listing.sorts[sort];
  const [limit, key, id] = placeholders(listing);
  return {
    name: `${listing.name}.after.${sort}.${order}`,
    text: `WITH total AS MATERIALIZED (${listing.total}),
      place AS MATERIALIZED (
        SELECT item.id, item.${column} AS key
          FROM ${listing.table} AS item
         WHERE ${listing.where} AND (item.${column}, item.id) ${order === 'asc' ? '>' : '<'} (${key}::${type}, ${id}::uuid)
         ORDER BY item.${column} ${order}, item.id ${order}
         LIMIT ${limit}::bigint
      )
      ${outerSelect(listing, order)}`,
  };
}

/**
 * The total stands on every row, and on one row of nulls when the page is empty. Rows are fetched one by one through
 * LATERAL: PostgreSQL cannot know how few places there are and would read the whole table to join them.
 */
function outerSelect(
  { table, columns, joins = '' }: Listing<string>,
  order: 'asc' | 'desc',
): string {
  return `SELECT total.n AS total, place.id AS page_id, place.key AS page_key, ${columns}
            FROM total
            LEFT JOIN (place
              CROSS JOIN LATERAL (SELECT * FROM ${table} AS found WHERE found.id = place.id LIMIT 1) AS item
              ${joins}) ON true
           ORDER BY place.key ${order}, place.id ${order}`;
}

/** Of what the page itself takes, behind the account and the values of the list. */
function placeholders({ values = [] }: Listing<string>): [string, string, string] {
  const first = values.length + 2;
  return [`$${String(first)}`, `$${String(first + 1)}`, `$${String(first + 2)}`];
}

function opposite(order: 'asc' | 'desc'): 'asc' | 'desc' {
  return order === 'asc' ? 'desc' : 'asc';
}

function cursorAfter(row: Placed | undefined, { sort, order }: PageRequest<string>): string | null {
  if (!row?.page_id) return null;
  const key = row.page_key instanceof Date ? row.page_key.toISOString() : row.page_key;
  return writeCursor({ sort, order, key, id: row.page_id });
}
