import { BLOCK } from '../document-search/tables.js';

/** With so many matches or fewer, their facets are counted one by one; with more, value by value. */
export const COUNTED_ONE_BY_ONE = 1_000;
/** Values of a facet looked at in one step. */
export const STEP = 200;

export const FACETS = `'{type,status,tag,department,project}'::text[]`;
export const RANK = 'row_number() OVER (PARTITION BY facet ORDER BY n DESC, total DESC, term)';

/** Counts of values. */
export const FACET_FUNCTIONS = [
  /**
   * How many documents of these bitmaps have each of these values; blocks in the order of their ids, all bitmaps as long as they can be. Written so that
   * there is only one way to run it: the values of the account one after the other, with their block found in the list.
   */
  `CREATE FUNCTION search_count_values(account uuid, block_ids integer[], bitmaps bit varying[], terms text[])
  RETURNS TABLE (term text, n bigint) LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY
    SELECT value.term, sum(coalesce(
             bit_count(bitmaps[block.n] & search_width(value.bits, ${String(BLOCK)})),
             (SELECT count(*) FROM unnest(value.places) AS place WHERE get_bit(bitmaps[block.n], place) = 1)))::bigint
      FROM search_values AS value
      CROSS JOIN LATERAL (SELECT width_bucket(value.block_id, block_ids) AS n OFFSET 0) AS block
     WHERE value.account_id = account AND value.term = ANY (terms) AND block_ids[block.n] = value.block_id
     GROUP BY value.term;
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
    fresh text[];
    stale text[];
    passed integer := 0;
    step_facets text[];
    step_terms text[];
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
    -- First what waits, which may have values that the counts do not know.
    SELECT array_agg(split_part(field, '/', 1)), array_agg(substring(field, position('/' IN field) + 1))
      INTO step_facets, step_terms FROM (SELECT DISTINCT unnest(fresh)) AS part(field);
    LOOP
      SELECT array_agg(facet), array_agg(term), array_agg(n), array_agg(total)
        INTO top_facets, top_terms, top_counts, top_totals
        FROM (
          SELECT *, ${RANK} AS rank FROM (
            SELECT * FROM unnest(top_facets, top_terms, top_counts, top_totals) AS top(facet, term, n, total)
            UNION
            SELECT step.facet, step.term,
                   CASE WHEN is_open THEN coalesce(known.documents, 0)
                          - (SELECT count(*) FROM unnest(stale) AS field WHERE field = step.facet || '/' || step.term)
                        ELSE coalesce(counted.n, 0) END
                     + (SELECT count(*) FROM unnest(fresh) AS field WHERE field = step.facet || '/' || step.term),
                   coalesce(known.documents, 0)
              FROM unnest(step_facets, step_terms) AS step(facet, term)
              LEFT JOIN search_counts AS known
                ON known.account_id = account AND known.deleted = in_trash AND known.term = step.term
              LEFT JOIN search_count_values(account, block_ids, bitmaps, CASE WHEN NOT is_open THEN step_terms END) AS counted
                ON counted.term = step.term) AS candidate
           WHERE n > 0) AS ranked
       WHERE rank <= most + 1;
      SELECT array_agg(facet), array_agg(term) INTO step_facets, step_terms FROM (
        SELECT next.facet, next.term, next.documents, max(next.documents) OVER (PARTITION BY next.facet) AS bound
          FROM unnest(${FACETS}) AS name CROSS JOIN LATERAL (
            SELECT * FROM search_counts
             WHERE account_id = account AND deleted = in_trash AND facet = name AND documents > 0
             ORDER BY documents DESC, term OFFSET passed LIMIT ${String(STEP)}) AS next) AS later
       WHERE bound > coalesce((
         SELECT n FROM unnest(top_facets, top_counts) AS top(facet, n) WHERE top.facet = later.facet
          ORDER BY n DESC OFFSET most LIMIT 1), 0);
      EXIT WHEN step_terms IS NULL;
      passed := passed + ${String(STEP)};
    END LOOP;
    RETURN QUERY
    SELECT facet, substring(term, position('=' IN term) + 1), n FROM (
      SELECT *, ${RANK} AS rank
        FROM unnest(top_facets, top_terms, top_counts, top_totals) AS top(facet, term, n, total)) AS ranked
     ORDER BY facet, rank;
  END
  $$`,
];
