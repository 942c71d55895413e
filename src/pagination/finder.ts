import type { SqlType } from './cursor.js';

export type Order = 'asc' | 'desc';

/**
 * How a list finds the rows of a page: the SQL of its tables `total (n)`, one row, and `place (id, key)`. `$1` is the
 * account, `$2` and on are the finder's `values`; what a page adds comes behind them, as placeholders.
 */
export interface Finder<Sort extends string> {
  /** Unique in the service; names the prepared statements. */
  name: string;
  sorts: Readonly<Record<Sort, { type: SqlType }>>;
  values: readonly unknown[];
  /** What the list is filtered by, in a few characters; cursors carry it. Empty for a whole list. */
  filters: string;
  /** At most `most` rows behind the first `skipped` ones. */
  numbered(sort: Sort, order: Order, page: { most: string; skipped: string }): string;
  /** At most `most` rows behind the one with this key and id. */
  after(sort: Sort, order: Order, page: { most: string; key: string; id: string }): string;
}

/** A list that an index of its table holds in each order. */
export interface WholeList<Sort extends string> {
  name: string;
  table: string;
  /** Condition on `item`, with the account as `$1`; each sort has an index under it. */
  where: string;
  /** What `where` and `total` compare with, beside the account. */
  values?: readonly unknown[];
  /** A query of one row and column `n`: the exact number of rows under `where`. */
  total: string;
  /** Sort names of the API, with their column and its type. */
  sorts: Readonly<Record<Sort, { column: string; type: SqlType }>>;
}

/**
 * Finds the place in an index-only scan, from the nearer end, so that page 400 costs little more than page 1; the rows
 * themselves are read for the page only (a deferred join).
 */
export function findInWholeList<Sort extends string>(list: WholeList<Sort>): Finder<Sort> {
  return {
    name: list.name,
    sorts: list.sorts,
    values: list.values ?? [],
    filters: '',
    numbered: (sort, order, page) => {
      const { column } = list.sorts[sort];
      const place = (direction: Order) => `SELECT item.id, item.${column} AS key
          FROM ${list.table} AS item WHERE ${list.where}
         ORDER BY item.${column} ${direction}, item.id ${direction}`;
      return `total AS MATERIALIZED (${list.total}),
        place AS MATERIALIZED (${fromTheNearerEnd(place, order, page)})`;
    },
    after: (sort, order, { most, key, id }) => {
      const { column, type } = list.sorts[sort];
      return `total AS MATERIALIZED (${list.total}),
        place AS MATERIALIZED (
          SELECT item.id, item.${column} AS key
            FROM ${list.table} AS item
           WHERE ${list.where} AND (item.${column}, item.id) ${order === 'asc' ? '>' : '<'} (${key}::${type}, ${id}::uuid)
           ORDER BY item.${column} ${order}, item.id ${order}
           LIMIT ${most}::bigint
        )`;
    },
  };
}

/** Rows of a query in both directions: one of its two halves has the limit 0 and is not run. */
export function fromTheNearerEnd(
  query: (direction: Order) => string,
  order: Order,
  { most, skipped }: { most: string; skipped: string },
): string {
  return `(${query(order)}
      OFFSET ${skipped}::bigint
       LIMIT (SELECT CASE WHEN ${skipped}::bigint <= n / 2 THEN ${most}::bigint ELSE 0 END FROM total))
    UNION ALL
    (${query(order === 'asc' ? 'desc' : 'asc')}
      OFFSET (SELECT greatest(n - ${skipped}::bigint - ${most}::bigint, 0) FROM total)
       LIMIT (SELECT CASE WHEN ${skipped}::bigint > n / 2 THEN greatest(least(${most}::bigint, n - ${skipped}::bigint), 0)
                          ELSE 0 END FROM total))`;
}
