import { fromTheNearerEnd, type Finder, type Order } from '../../pagination/finder.js';
import type { FieldSort } from '../document-listing.js';
import type { SearchRequest } from './search-request.js';

type ChangingSort = Exclude<FieldSort, 'created_at'>;
type Numbered = Parameters<Finder<ChangingSort>['numbered']>[2];
type After = Parameters<Finder<ChangingSort>['after']>[2];

/** The fields, in the order in which `search_order_key` takes them. */
export const FIELDS: Finder<ChangingSort>['sorts'] = {
  title: { type: 'text' },
  updated_at: { type: 'timestamptz' },
  word_count: { type: 'integer' },
};

/** Positions of a block of the index. */
const BLOCK = 8_192;

/**
 * A page of the tables `match` and `total` in the order of a field that changes: few matches are looked up and sorted;
 * many are narrowed down to those around the page where the account is large enough to have its orders in the index
 * (docs/adr/0035-orders-of-large-accounts.md), or met on a walk through the sorted documents. All but one way have the
 * limit 0 and are not run.
 */
export function sortedPage(
  sort: ChangingSort,
  order: Order,
  page: Numbered,
  { deleted }: SearchRequest,
): string {
  const { most, skipped } = page;
  const fromNearerEnd = `greatest(least(${skipped}::bigint, n - ${skipped}::bigint) + ${most}::bigint, 0)`;
  return `${chosenWay(sort, fromNearerEnd, deleted)},
    ${narrowed(sort, order, { skipped: `${skipped}::bigint`, wanted: `${most}::bigint`, behind: 'NULL' })},
    place AS MATERIALIZED (
      (SELECT id, key FROM (${lookedUp(sort)}) AS item ORDER BY key ${order}, id ${order}
        OFFSET ${skipped}::bigint LIMIT ${onlyIf('looked up', most)})
      UNION ALL
      (SELECT id, key FROM narrowed ORDER BY key ${order}, id ${order}
        OFFSET (SELECT greatest(${skipped}::bigint - min(passed), 0) FROM narrowed) LIMIT ${most}::bigint)
      UNION ALL
      (SELECT id, key FROM (
          ${fromTheNearerEnd((direction) => met(sort, direction, deleted), order, page)}
        ) AS item LIMIT ${onlyIf('walked', most)})
    )`;
}

/** The same behind a document. */
export function sortedAfter(
  sort: ChangingSort,
  order: Order,
  { most, key, id }: After,
  { deleted }: SearchRequest,
): string {
  const behind = `(key, id) ${order === 'desc' ? '<' : '>'} (${key}::${FIELDS[sort].type}, ${id}::uuid)`;
  const walk = behind.replace('(key, id)', `(item.${sort}, item.id)`);
  const keys = Object.entries(FIELDS).map(
    ([field, { type }]) => `${field === sort ? key : 'NULL'}::${type}`,
  );
  const orderKey = `search_order_key('${sort}', ${keys.join(', ')}, ${id}::uuid)`;
  return `${chosenWay(sort, `${most}::bigint`, deleted)},
    ${narrowed(sort, order, { skipped: '0', wanted: `${most}::bigint`, behind: orderKey })},
    place AS MATERIALIZED (
      (SELECT id, key FROM (${lookedUp(sort)}) AS item WHERE ${behind} ORDER BY key ${order}, id ${order}
        LIMIT ${onlyIf('looked up', most)})
      UNION ALL
      (SELECT id, key FROM narrowed WHERE ${behind} ORDER BY key ${order}, id ${order} LIMIT ${most}::bigint)
      UNION ALL
      (${met(sort, order, deleted, `AND ${walk}`)}
        LIMIT ${onlyIf('walked', most)})
    )`;
}

/** The way, and what is known of the matches by then. */
function chosenWay(sort: ChangingSort, wanted: string, deleted: boolean): string {
  return `way AS MATERIALIZED (
      SELECT search_way($1::uuid, '${sort}', ${String(deleted)}, n, ${wanted}) AS kind FROM total
    ), known AS MATERIALIZED (
      SELECT array_agg(block_id ORDER BY block_id) FILTER (WHERE block_id IS NOT NULL) AS blocks,
             array_agg(search_width(bits, ${String(BLOCK)}) ORDER BY block_id) FILTER (WHERE block_id IS NOT NULL) AS bitmaps,
             array_agg(document_id) FILTER (WHERE document_id IS NOT NULL) AS singles
        FROM match
    ), joined AS MATERIALIZED (
      SELECT search_joined(search_width(bits, ${String(BLOCK)}) ORDER BY block_id) AS bits FROM match WHERE block_id IS NOT NULL
    )`;
}

function onlyIf(kind: 'looked up' | 'walked', most: string): string {
  return `(SELECT CASE WHEN kind = '${kind}' THEN ${most}::bigint ELSE 0 END FROM way)`;
}

function narrowed(
  sort: ChangingSort,
  order: Order,
  { skipped, wanted, behind }: { skipped: string; wanted: string; behind: string },
): string {
  return `narrowed AS MATERIALIZED (
      SELECT item.id, item.${sort} AS key, one.passed
        FROM (SELECT known.* FROM known, way WHERE kind = 'narrowed') AS known
        CROSS JOIN LATERAL search_sorted($1::uuid, '${sort}', ${String(order === 'desc')}, ${skipped}, ${wanted}, ${behind},
                                         known.blocks, known.bitmaps, known.singles) AS one
        CROSS JOIN LATERAL (SELECT * FROM documents WHERE documents.id = one.document_id LIMIT 1) AS item
    )`;
}

function lookedUp(sort: ChangingSort): string {
  return `SELECT item.id, item.${sort} AS key FROM (
      SELECT search_all(block_id, bits) AS id FROM match WHERE block_id IS NOT NULL
      UNION ALL
      SELECT document_id FROM match WHERE block_id IS NULL
    ) AS one CROSS JOIN LATERAL (SELECT * FROM documents WHERE documents.id = one.id LIMIT 1) AS item`;
}

function met(sort: ChangingSort, direction: Order, deleted: boolean, behind = ''): string {
  return `SELECT item.id, item.${sort} AS key FROM documents AS item
     WHERE item.account_id = $1 AND item.deleted_at IS ${deleted ? 'NOT NULL' : 'NULL'} ${behind}
       AND (item.id = ANY ((SELECT singles FROM known)::uuid[]) OR (
         SELECT (SELECT blocks FROM known)[n] = entry.block_id
                AND get_bit((SELECT bits FROM joined), (n - 1) * ${String(BLOCK)} + entry.position) = 1
           FROM search_entries AS entry
           CROSS JOIN LATERAL (SELECT width_bucket(entry.block_id, (SELECT blocks FROM known)) AS n) AS block
          WHERE entry.document_id = item.id AND n > 0))
     ORDER BY item.${sort} ${direction}, item.id ${direction}`;
}
