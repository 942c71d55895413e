import { fromTheNearerEnd, type Finder, type Order } from '../../pagination/finder.js';
import type { DocumentSort, FieldSort } from '../document-listing.js';
import type { SearchRequest } from './search-request.js';
import { fingerprintOf } from './search-request.js';

const SORTS: Finder<DocumentSort>['sorts'] = {
  created_at: { type: 'timestamptz' },
  updated_at: { type: 'timestamptz' },
  title: { type: 'text' },
  word_count: { type: 'integer' },
  relevance: { type: 'rank' },
};

type Numbered = Parameters<Finder<DocumentSort>['numbered']>[2];
type After = Parameters<Finder<DocumentSort>['after']>[2];

/** What the key of an order is made of, with its types. */
const ORDER_KEYS = { title: '::text', updated_at: '::timestamptz', word_count: '::integer' };

/** Positions of a block of the index. */
const BLOCK = 8_192;

/** The documents that match a search request, from the search index (docs/adr/0022-search-and-filters.md). */
export function findMatches(request: SearchRequest): Finder<DocumentSort> {
  return {
    name: request.deleted ? 'found-deleted' : 'found',
    sorts: SORTS,
    values: [JSON.stringify(request)],
    filters: fingerprintOf(request),
    numbered: (sort, order, page) =>
      `${MATCHES}, ${isOrderOfIndex(sort) ? pageOfBlocks(sort, order, page) : sortedPage(sort, order, page, request)}`,
    after: (sort, order, page) =>
      `${MATCHES}, ${isOrderOfIndex(sort) ? blocksAfter(sort, order, page) : sortedAfter(sort, order, page, request)}`,
  };
}

/** Blocks of the index follow each other in the order of creation; by relevance they do so for each score. */
function isOrderOfIndex(sort: DocumentSort): sort is 'created_at' | 'relevance' {
  return sort === 'created_at' || sort === 'relevance';
}

const MATCHES = `match AS MATERIALIZED (SELECT * FROM search_matches($1::uuid, $2::json)),
  total AS MATERIALIZED (SELECT coalesce(sum(documents), 0)::bigint AS n FROM match)`;

/** What a page is sorted by and a cursor carries. */
const KEYS = {
  created_at: 'created_at',
  relevance: `to_char(score, 'FM0000') || to_char(created_at AT TIME ZONE 'UTC', ' YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

/** Numbers of matches by score and block tell which blocks a page begins and ends in; only those are opened. */
function pageOfBlocks(
  sort: 'created_at' | 'relevance',
  order: Order,
  { most, skipped }: Numbered,
): string {
  return `running AS (
      SELECT score, place, sum(documents) AS n, sum(sum(documents)) OVER (ORDER BY score ${order}, place ${order}) AS upto
        FROM match GROUP BY score, place
    ), opened AS MATERIALIZED (
      SELECT score, place, upto - n AS before FROM running
       WHERE upto > ${skipped}::bigint AND upto - n < ${skipped}::bigint + ${most}::bigint
    ), candidate AS (
      SELECT score, one.created_at, one.document_id
        FROM opened JOIN match USING (score, place)
        CROSS JOIN LATERAL search_page(
          block_id, bits, (${skipped}::bigint + ${most}::bigint - before)::bigint, ${String(order === 'desc')}, NULL, NULL) AS one
       WHERE block_id IS NOT NULL
      UNION ALL
      SELECT score, created_at, document_id FROM opened JOIN match USING (score, place) WHERE block_id IS NULL
    ), place AS MATERIALIZED (
      SELECT document_id AS id, ${KEYS[sort]} AS key FROM candidate
       ORDER BY score ${order}, created_at ${order}, document_id ${order}
      OFFSET (SELECT greatest(${skipped}::bigint - min(before), 0) FROM opened) LIMIT ${most}::bigint
    )`;
}

function blocksAfter(
  sort: 'created_at' | 'relevance',
  order: Order,
  { most, key, id }: After,
): string {
  const behind = order === 'desc' ? '<' : '>';
  const [score, time] =
    sort === 'relevance'
      ? [`left(${key}::text, 4)::integer`, `substring(${key}::text, 6)::timestamptz`]
      : ['0', `${key}::timestamptz`];
  return `mark AS MATERIALIZED (
      SELECT ${score} AS score, ${time} AS created_at, ${id}::uuid AS document_id, greatest(1, count(*)::integer) AS place
        FROM search_blocks AS block
       WHERE account_id = $1 AND (first_created_at, first_id) <= (${time}, ${id}::uuid)
    ), running AS (
      SELECT match.score, match.place, sum(documents) AS n,
             sum(CASE WHEN (match.score, match.place) = (mark.score, mark.place) THEN 0 ELSE sum(documents) END)
               OVER (ORDER BY match.score ${order}, match.place ${order}) AS upto
        FROM match CROSS JOIN mark
       WHERE (match.score, match.place) ${behind}= (mark.score, mark.place)
       GROUP BY match.score, match.place, mark.score, mark.place
    ), opened AS MATERIALIZED (
      SELECT running.score, running.place, (running.score, running.place) = (mark.score, mark.place) AS has_mark
        FROM running CROSS JOIN mark WHERE upto - n < ${most}::bigint
    ), candidate AS (
      SELECT match.score, one.created_at, one.document_id
        FROM opened JOIN match USING (score, place) CROSS JOIN mark
        CROSS JOIN LATERAL search_page(
          block_id, bits, ${most}::bigint, ${String(order === 'desc')},
          CASE WHEN has_mark THEN mark.created_at END, CASE WHEN has_mark THEN mark.document_id END) AS one
       WHERE block_id IS NOT NULL
      UNION ALL
      SELECT match.score, match.created_at, match.document_id
        FROM opened JOIN match USING (score, place) CROSS JOIN mark
       WHERE block_id IS NULL
         AND (NOT has_mark OR (match.created_at, match.document_id) ${behind} (mark.created_at, mark.document_id))
    ), place AS MATERIALIZED (
      SELECT document_id AS id, ${KEYS[sort]} AS key FROM candidate
       ORDER BY score ${order}, created_at ${order}, document_id ${order} LIMIT ${most}::bigint
    )`;
}

/**
 * Orders of fields that may change: few matches are looked up and sorted; many are narrowed down to those around the
 * page where the account is large enough to have its orders in the index, or met on a walk through the sorted
 * documents. All but one way have the limit 0 and are not run.
 */
function sortedPage(
  sort: FieldSort,
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

function sortedAfter(
  sort: FieldSort,
  order: Order,
  { most, key, id }: After,
  { deleted }: SearchRequest,
): string {
  const behind = `(key, id) ${order === 'desc' ? '<' : '>'} (${key}::${SORTS[sort].type}, ${id}::uuid)`;
  const walk = behind.replace('(key, id)', `(item.${sort}, item.id)`);
  const keys = Object.entries(ORDER_KEYS).map(
    ([one, type]) => (one === sort ? key : 'NULL') + type,
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
function chosenWay(sort: FieldSort, wanted: string, deleted: boolean): string {
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
  sort: FieldSort,
  order: Order,
  { skipped, wanted, behind }: { skipped: string; wanted: string; behind: string },
): string {
  return `narrowed AS MATERIALIZED (
      SELECT item.id, item.${sort} AS key, one.passed
        FROM (SELECT known.* FROM known, way WHERE kind = 'narrowed') AS known
        CROSS JOIN LATERAL search_sorted($1::uuid, '${sort}', ${String(order === 'desc')}, ${skipped}, ${wanted}, ${behind}, known.blocks, known.bitmaps, known.singles) AS one
        CROSS JOIN LATERAL (SELECT * FROM documents WHERE documents.id = one.document_id LIMIT 1) AS item
    )`;
}

function lookedUp(sort: FieldSort): string {
  return `SELECT item.id, item.${sort} AS key FROM (
      SELECT search_all(block_id, bits) AS id FROM match WHERE block_id IS NOT NULL
      UNION ALL
      SELECT document_id FROM match WHERE block_id IS NULL
    ) AS one CROSS JOIN LATERAL (SELECT * FROM documents WHERE documents.id = one.id LIMIT 1) AS item`;
}

function met(sort: FieldSort, direction: Order, deleted: boolean, behind = ''): string {
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
