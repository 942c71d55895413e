import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Access } from '../auth/access/access.js';
import { Database, type Statement } from '../../platform/database/database.js';
import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import { HighlightsRepository } from './highlights.repository.js';
import { IndexLag } from './indexing/index-lag.js';
import {
  conditionsOnRow,
  filteredSet,
  hasFilters,
  hiddenDocuments,
  inArray,
  limitedTo,
  needsJoin,
  StatementValues,
  tableOf,
  wordsOf,
  type LimitedRequest,
} from './matching-sql.js';
import type {
  FacetCount,
  FoundDocument,
  FoundFacets,
  FoundPage,
  PageOfSearch,
  SearchProvider,
  SearchRequest,
  SearchSort,
  SearchedText,
} from './search-provider.js';
import { askedLiterals, type Literal } from './words/search-words.js';

/** Maximum number of matches to count, newest first, for search words and for facets. */
const MAX_COUNTED = 10_000;
const MAX_IN_FACETS = 20_000;
/** Maximum number of matches to rank, newest first, because ranking reads a vector for each. The others follow by time. */
const MAX_RANKED = 2_000;
/** Up to this many filtered documents are looked up by their IDs. More are found by scanning in sort order. */
const MAX_LOOKUPS = 20_000;
/** Up to this many documents that a limited caller sees, or does not see, are looked up in a hash table of their IDs (40 bytes each). */
const MAX_HASHED = 150_000;

/** Weights of words in the content and the title: a title word counts 20 times as much. */
const WEIGHTS = `'{0.05, 0.2, 0.4, 1}'`;

const KEY_TYPES: Readonly<Record<SearchSort, string>> = {
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  title: 'text',
  word_count: 'integer',
  published_at: 'timestamptz',
  relevance: 'text',
};

/** One row per document of the page, or one row without a document for an empty page. */
interface PageRow {
  total: string;
  more: boolean;
  id: string | null;
  key: FoundDocument['key'];
}

interface FacetRow {
  facet: FacetCount['facet'];
  value: string;
  documents: string;
  more: boolean;
}

/** Searches in PostgreSQL with indexes for filters and tsvector with GIN for words (docs/adr/0011-lists-and-search.md). */
@Injectable()
export class PostgresSearchRepository implements SearchProvider {
  constructor(
    private readonly database: Database,
    private readonly highlights: HighlightsRepository,
    private readonly lag: IndexLag,
  ) {}

  async find(access: Access, wanted: SearchRequest, page: PageOfSearch): Promise<FoundPage> {
    const request = await this.within(access, wanted);
    const values = new StatementValues(access.accountId);
    const tables =
      request.words === undefined
        ? await this.filteredTables(request, page, values, access)
        : await this.matchedTables(request, page, values, access);
    const text = `WITH ${tables}
      SELECT total.n AS total, total.more, place.id, place.key
        FROM total LEFT JOIN (${pageOf('keyed', page, values)}) AS place ON true
       ORDER BY place.key ${page.order}, place.id ${page.order}`;
    const rows = await this.read<PageRow>(statement(text, request), values);
    return {
      documents: rows.filter((row): row is PageRow & { id: string } => row.id !== null),
      total: Number(rows[0]?.total ?? 0),
      totalIsLowerBound: rows[0]?.more ?? false,
    };
  }

  async countFacets(access: Access, wanted: SearchRequest, max: number): Promise<FoundFacets> {
    const request = await this.within(access, wanted);
    const values = new StatementValues(access.accountId);
    const limit = String(MAX_IN_FACETS + 1);
    const matched =
      request.words === undefined
        ? `matched AS MATERIALIZED (${filteredSet(request, values)} ORDER BY created_at DESC, id DESC LIMIT ${limit})`
        : await this.matched(request, request.words, limit, values, access);
    const text = `WITH ${matched}, ${facetsOf(request)}
      SELECT facet, value, documents, (SELECT count(*) > ${String(MAX_IN_FACETS)} FROM matched) AS more
        FROM ranked WHERE place <= ${values.add(max, 'integer')} ORDER BY facet, place`;
    const long = { ...statement(text, request), isLong: true } as const;
    const rows = await this.read<FacetRow>(long, values);
    return {
      counts: rows.map(({ facet, value, documents }) => ({
        facet,
        value,
        count: Number(documents),
      })),
      totalIsLowerBound: rows[0]?.more ?? false,
    };
  }

  highlight(
    accountId: string,
    words: readonly Literal[][],
    documents: readonly SearchedText[],
  ): Promise<ReadonlyMap<string, string>> {
    return this.highlights.highlight(accountId, words, documents);
  }

  warnings(access: Access): Promise<FieldProblem[]> {
    return this.lag.warnings(access);
  }

  /** Returns the CTEs `total` and `keyed` of a request without words. */
  private async filteredTables(
    request: LimitedRequest,
    { sort }: PageOfSearch,
    values: StatementValues,
    { isWhole }: Access,
  ): Promise<string> {
    // Joins with the visible collections cost more than those of filters, so they run once.
    const isStored = !isWhole && !request.hidesFew && needsJoin(request);
    const filtered = filteredSet(request, values);
    const set = isStored ? 'SELECT * FROM wanted' : filtered;
    const stored = isStored ? `wanted AS MATERIALIZED (${filtered}), ` : '';
    const total = `${stored}total AS MATERIALIZED (SELECT count(*) AS n, false AS more FROM (${set}) AS item)`;
    if (sort === 'created_at' || sort === 'relevance') {
      return `${total}, keyed AS NOT MATERIALIZED (SELECT id, created_at AS key FROM (${set}) AS item)`;
    }
    const keyed = (await this.areFew(request, values.accountId))
      ? withKey(set, sort, request)
      : `SELECT item.id, item.${columnOf(sort)} AS key FROM ${tableOf(request)} AS item WHERE ${conditionsOnRow(request, values)}`;
    return `${total}, keyed AS NOT MATERIALIZED (${keyed})`;
  }

  /** Returns the CTEs `total` and `keyed` of a request with words, and those they need. */
  private async matchedTables(
    request: LimitedRequest,
    { sort }: PageOfSearch,
    values: StatementValues,
    access: Access,
  ): Promise<string> {
    const max = String(MAX_COUNTED);
    const { words = [] } = request;
    const matched = await this.matched(request, words, String(MAX_COUNTED + 1), values, access);
    return `${matched},
      total AS (SELECT least(count(*), ${max}) AS n, count(*) > ${max} AS more FROM matched),
      counted AS MATERIALIZED (SELECT * FROM matched ORDER BY created_at DESC, id DESC LIMIT ${max}),
      ${sort === 'relevance' ? rankedOf(request) : `keyed AS NOT MATERIALIZED (${withKey('SELECT * FROM counted', sort, request)})`}`;
  }

  /**
   * Returns the CTE `matched` with the newest documents that contain the words. If filters leave few documents, checks each
   * of them; otherwise scans the chunks of the index, newest first, until there are enough matches.
   */
  private async matched(
    request: LimitedRequest,
    words: readonly Literal[][],
    limit: string,
    values: StatementValues,
    { isWhole }: Access,
  ): Promise<string> {
    const count =
      request.deleted || !hasFilters(request) || isOnlyHiding(request)
        ? Infinity
        : await this.count(request, values.accountId, isWhole ? MAX_LOOKUPS : MAX_HASHED);
    const isFew = request.deleted || count <= MAX_LOOKUPS;
    const asked = values.add(JSON.stringify(askedLiterals(words)), 'jsonb');
    const query = isFew
      ? matchedAmong(filteredSet(request, values), request)
      : matchedInChunks(request, values, count <= MAX_HASHED);
    return `asked AS MATERIALIZED (
        SELECT configuration, search_query(configuration, ${asked}) AS query
          FROM (SELECT DISTINCT unnest(configurations) AS configuration FROM search_chunks WHERE account_id = $1) AS used
      ), matched AS MATERIALIZED (${query} LIMIT ${limit})`;
  }

  /** Returns the request within the access. Documents are left out one by one only if there are few of them. */
  private async within(access: Access, wanted: SearchRequest): Promise<LimitedRequest> {
    const request = limitedTo(access, wanted);
    const isJoined = request.words !== undefined || needsJoin(request);
    if (!request.hidesFew || request.deleted || !isJoined) return { ...request, hidesFew: false };
    const values = new StatementValues(access.accountId);
    const text = countUpTo(MAX_HASHED, hiddenDocuments(request, values));
    const hidden = await this.readCount({ name: 'search.hidden', text }, values);
    return { ...request, hidesFew: hidden <= MAX_HASHED };
  }

  private async areFew(request: LimitedRequest, accountId: string): Promise<boolean> {
    return (await this.count(request, accountId, MAX_LOOKUPS)) <= MAX_LOOKUPS;
  }

  /** Counts the documents that match the filters, up to one more than `max`. */
  private async count(request: LimitedRequest, accountId: string, max: number): Promise<number> {
    const values = new StatementValues(accountId);
    const text = countUpTo(max, filteredSet(request, values));
    return this.readCount(statement(text, request), values);
  }

  private async readCount(sql: Statement, values: StatementValues): Promise<number> {
    const [row] = await this.read<{ n: number }>(sql, values);
    return row?.n ?? 0;
  }

  private read<Row extends object>(sql: Statement, { values, accountId }: StatementValues) {
    return this.database.read<Row>(sql, values, accountId);
  }
}

/** Returns the column of a sort. */
function columnOf(sort: SearchSort): string {
  return sort === 'published_at' ? 'first_published_at' : sort;
}

function withKey(set: string, sort: SearchSort, request: SearchRequest): string {
  if (sort === 'created_at') return `SELECT id, created_at AS key FROM (${set}) AS item`;
  return `SELECT item.id, item.${columnOf(sort)} AS key FROM ${tableOf(request)} AS item WHERE item.id = ${anyOf(`(${set})`)}`;
}

/** Returns an array for `= ANY`: PostgreSQL then reads each index page once, and not from the root for each id. */
function anyOf(table: string): string {
  return `ANY (ARRAY(SELECT id FROM ${table} AS wanted))`;
}

function pageOf(
  table: string,
  { sort, order, limit, from }: PageOfSearch,
  values: StatementValues,
): string {
  const isRanked = sort === 'relevance';
  const columns = isRanked ? ['rank', 'created_at', 'id'] : ['key', 'id'];
  const read = `SELECT id, ${isRanked ? RANK_KEY : 'key'} AS key FROM ${table}`;
  const sorted = `ORDER BY ${columns.map((column) => `${column} ${order}`).join(', ')} LIMIT ${values.add(limit, 'bigint')}`;
  if ('offset' in from) return `${read} ${sorted} OFFSET ${values.add(from.offset, 'bigint')}`;
  const key = values.add(from.key, KEY_TYPES[sort]);
  const keys = isRanked ? `left(${key}, 8)::integer, substr(${key}, 10)::timestamptz` : key;
  return `${read} WHERE (${columns.join(', ')}) ${order === 'asc' ? '>' : '<'} (${keys}, ${values.add(from.id, 'uuid')}) ${sorted}`;
}

/** OFFSET 0 prevents PostgreSQL from reading the matches of all accounts in the index of words. */
function matchedAmong(set: string, request: SearchRequest): string {
  return `SELECT text.document_id AS id, text.created_at
    FROM (SELECT * FROM ${wordsOf(request)} AS words WHERE document_id = ${anyOf(`(${set})`)} OFFSET 0) AS text
    JOIN asked USING (configuration)
   WHERE text.vector @@ asked.query ORDER BY text.created_at DESC, text.document_id DESC`;
}

/** Returns a query for the number of rows of a set, at most one more than `max`. */
function countUpTo(max: number, set: string): string {
  return `SELECT count(*)::integer AS n FROM (${set} LIMIT ${String(max + 1)}) AS item`;
}

/** True if the only filter leaves out a few hidden collections. */
function isOnlyHiding(request: LimitedRequest): boolean {
  const { from, to } = request.created;
  return request.hidesFew && !needsJoin(request) && (from ?? to) === undefined;
}

/** Returns the condition on `text` that it belongs to a wanted document. `areFew` if the wanted documents fit in a hash table. */
function isWanted(request: LimitedRequest, values: StatementValues, areFew: boolean): string {
  if (areFew)
    return inArray('text.id', 'IN', `SELECT id FROM (${filteredSet(request, values)}) AS item`);
  const isShown = request.published
    ? 'EXISTS (SELECT FROM publications AS item WHERE item.id = text.id AND item.deleted_at IS NULL OFFSET 0)'
    : 'NOT EXISTS (SELECT FROM documents AS item WHERE item.id = text.id AND item.deleted_at IS NOT NULL OFFSET 0)';
  if (isOnlyHiding(request))
    return `${inArray('text.id', 'NOT IN', hiddenDocuments(request, values))} AND ${isShown}`;
  if (!hasFilters(request)) return isShown;
  return `EXISTS (SELECT FROM ${tableOf(request)} AS item
                WHERE item.id = text.id AND item.created_at = text.created_at AND ${conditionsOnRow(request, values)} OFFSET 0)`;
}

/** Scans chunk by chunk. OFFSET 0 prevents PostgreSQL from joining all chunks at once. */
function matchedInChunks(
  request: LimitedRequest,
  values: StatementValues,
  areFew: boolean,
): string {
  return `SELECT text.id, text.created_at
    FROM (SELECT chunk.id, asked.configuration, asked.query
            FROM search_chunks AS chunk JOIN asked ON asked.configuration = ANY (chunk.configurations)
           WHERE chunk.account_id = $1 AND asked.query IS NOT NULL
           ORDER BY chunk.id DESC) AS chunk
    CROSS JOIN LATERAL (
      SELECT document_id AS id, created_at FROM ${wordsOf(request)} AS words
       WHERE chunk_id = chunk.id AND configuration = chunk.configuration AND vector @@ chunk.query OFFSET 0) AS text
   WHERE ${isWanted(request, values, areFew)}`;
}

/** Ranks matches. The rank of matches beyond the limit is 0. */
const rankedOf = (
  request: SearchRequest,
) => `newest AS (SELECT * FROM counted ORDER BY created_at DESC, id DESC LIMIT ${String(MAX_RANKED)}),
  keyed AS MATERIALIZED (
    SELECT document_id AS id, created_at,
           least(ts_rank_cd(${WEIGHTS}, vector, asked.query) * 10000, 99999999)::integer AS rank
      FROM ${wordsOf(request)} AS words JOIN asked USING (configuration) WHERE document_id = ${anyOf('newest')}
    UNION ALL
    (SELECT id, created_at, 0 FROM counted ORDER BY created_at DESC, id DESC OFFSET ${String(MAX_RANKED)})
  )`;

/** Sort key of ranked matches as text: the rank, then the time. */
const RANK_KEY = `(to_char(rank, 'FM00000000') || to_char(created_at AT TIME ZONE 'UTC', ' YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) COLLATE "C"`;

/** Counts facets. Equal tag lists are expanded once; a document counts once for each distinct tag. */
const facetsOf = (request: SearchRequest) => `counted AS (
    SELECT item.type, item.status, item.metadata ->> 'department' AS department, item.metadata ->> 'project' AS project,
           (item.metadata -> 'tags')::text AS tags
      FROM ${tableOf(request)} AS item
     WHERE item.id = ${anyOf(`(SELECT id FROM matched ORDER BY created_at DESC, id DESC LIMIT ${String(MAX_IN_FACETS)})`)} OFFSET 0
  ), grouped AS MATERIALIZED (
    SELECT CASE WHEN GROUPING(type) = 0 THEN 'type' WHEN GROUPING(status) = 0 THEN 'status'
                WHEN GROUPING(department) = 0 THEN 'department' WHEN GROUPING(project) = 0 THEN 'project' END AS facet,
           coalesce(type, status, department, project) AS value, tags, count(*) AS documents
      FROM counted GROUP BY GROUPING SETS ((type), (status), (department), (project), (tags))
  ), valued AS (
    SELECT facet, value, documents FROM grouped WHERE facet IS NOT NULL
    UNION ALL
    SELECT 'tag', tag, sum(documents)
      FROM grouped CROSS JOIN LATERAL (
        SELECT DISTINCT json_array_elements_text(CASE json_typeof(tags::json) WHEN 'array' THEN tags::json END) AS tag) AS list
     WHERE tags IS NOT NULL GROUP BY tag
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY facet ORDER BY documents DESC, value) AS place
      FROM valued WHERE value IS NOT NULL AND length(value) <= 500
  )`;

/**
 * Names common statements, so that each connection prepares them once. The others have too many forms to keep, and are long
 * reads.
 */
function statement(text: string, { fields, labels, created, updated }: SearchRequest): Statement {
  const ranges = [created.from, created.to, updated.from, updated.to].filter(
    (moment) => moment !== undefined,
  );
  const lists = [...fields, ...labels].filter(([, values]) => values.length > 1);
  const isCommon = fields.length + labels.length + ranges.length <= 1 && lists.length === 0;
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { name: isCommon ? `search.${hash}` : '', text };
}
