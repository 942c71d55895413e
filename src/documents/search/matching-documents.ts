import type { Finder, Order } from '../../pagination/finder.js';
import type { DocumentSort } from '../document-listing.js';
import type { SearchRequest } from './search-request.js';
import { fingerprintOf } from './search-request.js';
import { FIELDS, sortedAfter, sortedPage } from './sorted-matches.js';

const SORTS: Finder<DocumentSort>['sorts'] = {
  created_at: { type: 'timestamptz' },
  relevance: { type: 'rank' },
  ...FIELDS,
};

type Numbered = Parameters<Finder<DocumentSort>['numbered']>[2];
type After = Parameters<Finder<DocumentSort>['after']>[2];

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
