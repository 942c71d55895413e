import { BLOCK } from '../document-search/tables.js';
import { COUNTED_ONE_BY_ONE, FACETS, RANK, STEP } from '../faster-search/facets.js';

/** Fields of which each document has exactly one value. */
const ONE_VALUED = `'{type,status}'::text[]`;

/** Counts of values. */
export const FACET_FUNCTIONS = [
  /**
   * How many documents of these bitmaps have each of these values; blocks in the order of their ids, all bitmaps as long as they can be. Written so that
   * there is only one way to run it: one value after the other, each of its rows with its block found in the list.
   */
  `CREATE OR REPLACE FUNCTION search_count_values(
    account uuid, block_ids integer[], bitmaps bit varying[], terms text[]
  ) RETURNS TABLE (term text, n bigint) LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY
    SELECT wanted.term, (
      SELECT sum(CASE WHEN length(bits) = ${String(BLOCK)} THEN bit_count(bitmaps[value.n] & bits)
                      WHEN places IS NULL THEN bit_count(bitmaps[value.n] & search_width(bits, ${String(BLOCK)}))
                      ELSE (SELECT count(*) FROM unnest(places) AS place WHERE get_bit(bitmaps[value.n], place) = 1) END)
        FROM (SELECT block_id, places, bits, width_bucket(block_id, block_ids) AS n
                FROM search_values AS value
               WHERE value.account_id = account AND value.term = wanted.term OFFSET 0) AS value
       WHERE block_ids[value.n] = block_id)::bigint
      FROM unnest(terms) AS wanted(term);
  END
  $$`,
  /**
   * The most frequent values of each facet among the documents that match, and one more where there are more. Values
   * are looked at in the order of how many documents of the account have them, until no later one can come in: a value
   * has no more matches than documents. Equally frequent ones stand in that order too, then by their text.
   */
  `CREATE OR REPLACE FUNCTION search_facets(account uuid, request json, most integer)
  RETURNS TABLE (facet text, value text, documents bigint) LANGUAGE plpgsql STABLE SET jit = off SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_column
  DECLARE
    in_trash boolean := (request ->> 'deleted')::boolean;
    -- Without any condition the counts of the account are the answer, but for what waits.
    is_open boolean := json_array_length(request -> 'filters') = 0 AND coalesce(request ->> 'groups',
      request ->> 'createdFrom', request ->> 'createdTo', request ->> 'updatedFrom', request ->> 'updatedTo') IS NULL;
    block_ids integer[];
    bitmaps bit varying[];
    waiting uuid[] := ARRAY(SELECT DISTINCT document_id FROM search_changes WHERE account_id = account);
    singles uuid[];
    total bigint;
    -- Matches in the index, and fields of one value that the filters fix: all of these have it.
    indexed bigint;
    fixed text[] := ARRAY(SELECT filter ->> 0 FROM json_array_elements(request -> 'filters') AS filter);
    fixed_terms text[] := ARRAY(
      SELECT search_field(filter ->> 0, filter ->> 2) FROM json_array_elements(request -> 'filters') AS filter);
    fresh text[];
    stale text[];
    passed integer := 0;
    step_facets text[];
    step_terms text[];
    -- The most frequent value of a field of one value, where the step has them all: it has what the others leave.
    step_rests boolean[];
    is_last boolean := false;
    top_facets text[] := '{}';
    top_terms text[] := '{}';
    top_counts bigint[] := '{}';
    top_totals integer[] := '{}';
  BEGIN
    IF is_open THEN
      singles := ARRAY(SELECT id FROM unnest(waiting) AS one(id) CROSS JOIN LATERAL (
        SELECT deleted_at FROM documents WHERE id = one.id AND account_id = account LIMIT 1) AS item
       WHERE (deleted_at IS NOT NULL) = in_trash);
      stale := ARRAY(SELECT unnest(facets) FROM unnest(waiting) AS one(id) CROSS JOIN LATERAL (
        SELECT * FROM search_entries WHERE document_id = one.id LIMIT 1) AS entry WHERE entry.deleted = in_trash);
    ELSE
      SELECT array_agg(block_id ORDER BY block_id) FILTER (WHERE block_id IS NOT NULL),
             array_agg(search_width(bits, ${String(BLOCK)}) ORDER BY block_id) FILTER (WHERE block_id IS NOT NULL),
             array_agg(document_id) FILTER (WHERE document_id IS NOT NULL), coalesce(sum(documents), 0)
        INTO block_ids, bitmaps, singles, total FROM search_matches(account, request);
      IF total <= ${String(COUNTED_ONE_BY_ONE)} THEN
        RETURN QUERY
        SELECT facet, substring(term, position('=' IN term) + 1), n FROM (
          SELECT *, ${RANK} AS rank FROM (
            SELECT few.facet, few.term, few.n, coalesce(known.documents, 0) AS total
              FROM search_few_facets(block_ids, bitmaps, singles) AS few LEFT JOIN search_counts AS known
                ON known.account_id = account AND known.deleted = in_trash AND known.term = few.term) AS counted) AS ranked
         WHERE rank <= most + 1 ORDER BY facet, rank;
        RETURN;
      END IF;
    END IF;

    fresh := ARRAY(SELECT search_facets_of(singles));
    indexed := total - coalesce(cardinality(singles), 0);
    LOOP
      SELECT array_agg(facet), array_agg(term), coalesce(bool_and(size < ${String(STEP)}), true),
             array_agg(facet = ANY (${ONE_VALUED}) AND nth = 1 AND passed = 0 AND size < ${String(STEP)})
        INTO step_facets, step_terms, is_last, step_rests FROM (
          SELECT next.facet, next.term, max(next.documents) OVER (PARTITION BY next.facet) AS bound,
                 count(*) OVER (PARTITION BY next.facet) AS size,
                 row_number() OVER (PARTITION BY next.facet ORDER BY next.documents DESC, next.term) AS nth
            FROM unnest(${FACETS}) AS name CROSS JOIN LATERAL (
              SELECT * FROM search_counts
               WHERE account_id = account AND deleted = in_trash AND facet = name AND documents > 0
               ORDER BY documents DESC, term OFFSET passed LIMIT ${String(STEP)}) AS next) AS later
       WHERE bound > coalesce((
         SELECT n FROM unnest(top_facets, top_counts) AS top(facet, n) WHERE top.facet = later.facet
          ORDER BY n DESC OFFSET most LIMIT 1), 0);
      IF passed = 0 AND cardinality(fresh) > 0 THEN
        -- What waits may have values that the counts do not know, or know as rare.
        SELECT array_agg(facet), array_agg(term), array_agg(is_rest) INTO step_facets, step_terms, step_rests FROM (
          SELECT * FROM unnest(step_facets, step_terms, step_rests) AS step(facet, term, is_rest)
          UNION ALL
          SELECT split_part(field, '/', 1), term, false FROM (SELECT DISTINCT unnest(fresh)) AS part(field)
           CROSS JOIN LATERAL (SELECT substring(field, position('/' IN field) + 1) AS term OFFSET 0) AS named
           WHERE term <> ALL (coalesce(step_terms, '{}'))) AS step;
      END IF;
      EXIT WHEN step_terms IS NULL;
      passed := passed + ${String(STEP)};
      WITH step AS MATERIALIZED (
        SELECT step.*, facet = ANY (${ONE_VALUED}) AND facet = ANY (fixed) AS is_fixed
          FROM unnest(step_facets, step_terms, step_rests) AS step(facet, term, is_rest)
      ), counted AS MATERIALIZED (
        -- Less is to be counted where each document has one value: none when all have the same, else all but one.
        SELECT * FROM search_count_values(account, block_ids, bitmaps, ARRAY(
          SELECT term FROM step WHERE NOT is_open AND NOT is_fixed AND NOT is_rest))
      )
      SELECT array_agg(facet), array_agg(term), array_agg(n), array_agg(total)
        INTO top_facets, top_terms, top_counts, top_totals
        FROM (
          SELECT *, ${RANK} AS rank FROM (
            SELECT * FROM unnest(top_facets, top_terms, top_counts, top_totals) AS top(facet, term, n, total)
            UNION
            SELECT step.facet, step.term,
                   CASE WHEN is_open THEN coalesce(known.documents, 0)
                          - (SELECT count(*) FROM unnest(stale) AS field WHERE field = step.facet || '/' || step.term)
                        WHEN is_fixed THEN CASE WHEN step.term = ANY (fixed_terms) THEN indexed ELSE 0 END
                        WHEN is_rest THEN indexed - coalesce(sum(counted.n) OVER (PARTITION BY step.facet), 0)::bigint
                        ELSE coalesce(counted.n, 0) END
                     + (SELECT count(*) FROM unnest(fresh) AS field WHERE field = step.facet || '/' || step.term),
                   coalesce(known.documents, 0)
              FROM step LEFT JOIN counted ON counted.term = step.term
              LEFT JOIN search_counts AS known
                ON known.account_id = account AND known.deleted = in_trash AND known.term = step.term) AS candidate
           WHERE n > 0) AS ranked
       WHERE rank <= most + 1;
      EXIT WHEN is_last;
    END LOOP;
    RETURN QUERY
    SELECT facet, substring(term, position('=' IN term) + 1), n FROM (
      SELECT *, ${RANK} AS rank
        FROM unnest(top_facets, top_terms, top_counts, top_totals) AS top(facet, term, n, total)) AS ranked
     ORDER BY facet, rank;
  END
  $$`,
];
