/** With so many matches or fewer, their facets are counted one by one; with more, value by value. */
const COUNTED_ONE_BY_ONE = 10_000;
/** Values looked at in one step. */
const STEP = 200;

/** Counts of values. */
export const FACET_FUNCTIONS = [
  /**
   * The most frequent values of each facet among the documents that match, and one more where there are more. Values
   * are looked at in the order of how many documents of the account have them, until no later one can come in: a value
   * has no more matches than documents. Equally frequent ones stand in that order too, then by their text.
   */
  `CREATE FUNCTION search_facets(account uuid, request json, most integer)
  RETURNS TABLE (facet text, value text, documents bigint) LANGUAGE plpgsql STABLE SET jit = off AS $$
  #variable_conflict use_column
  DECLARE
    in_trash boolean := (request ->> 'deleted')::boolean;
    -- Without any condition the counts of the account are the answer, but for what waits.
    is_open boolean := json_array_length(request -> 'filters') = 0 AND request ->> 'groups' IS NULL
      AND coalesce(request ->> 'createdFrom', request ->> 'createdTo', request ->> 'updatedFrom', request ->> 'updatedTo') IS NULL;
    block_ids integer[];
    bitmaps bit varying[];
    singles uuid[];
    -- Fields of documents that wait, as they are and as the counts know them.
    fresh text[];
    stale text[];
    total bigint;
    name text;
    step text[];
    top_terms text[];
    top_counts bigint[];
    top_totals integer[];
    passed integer;
    next_total integer;
  BEGIN
    SELECT array_agg(block_id) FILTER (WHERE block_id IS NOT NULL), array_agg(bits) FILTER (WHERE block_id IS NOT NULL),
           array_agg(document_id) FILTER (WHERE document_id IS NOT NULL), sum(documents)
      INTO block_ids, bitmaps, singles, total FROM search_matches(account, request);
    IF total <= ${String(COUNTED_ONE_BY_ONE)} THEN
      RETURN QUERY
      WITH one AS (
        SELECT split_part(field, '/', 1) AS facet, substring(field, position('/' IN field) + 1) AS term
          FROM unnest(block_ids, bitmaps) AS block(id, bits) CROSS JOIN LATERAL search_positions(block.bits) AS at
          JOIN search_entries AS entry ON entry.block_id = block.id AND entry.position = at
          CROSS JOIN unnest(entry.facets) AS field
        UNION ALL
        SELECT field.facet, field.term FROM documents AS item CROSS JOIN LATERAL search_fields(item) AS field
         WHERE item.id = ANY (singles)
      ), counted AS (
        SELECT one.facet, one.term, count(*) AS n FROM one
         WHERE one.facet IN ('type', 'status', 'tag', 'department', 'project') GROUP BY one.facet, one.term
      ), ranked AS (
        SELECT counted.*, row_number() OVER (
            PARTITION BY counted.facet ORDER BY counted.n DESC, coalesce(known.documents, 0) DESC, counted.term) AS place
          FROM counted LEFT JOIN search_counts AS known
            ON known.account_id = account AND known.deleted = in_trash AND known.term = counted.term
      )
      SELECT ranked.facet, substring(term, position('=' IN term) + 1), ranked.n FROM ranked WHERE place <= most + 1
       ORDER BY ranked.facet, place;
      RETURN;
    END IF;

    fresh := ARRAY(SELECT field.facet || '/' || field.term FROM documents AS item CROSS JOIN LATERAL search_fields(item) AS field
                    WHERE item.id = ANY (singles));
    stale := ARRAY(SELECT unnest(facets) FROM search_entries AS entry WHERE entry.deleted = in_trash AND entry.document_id IN (
                     SELECT document_id FROM search_changes WHERE account_id = account));
    FOREACH name IN ARRAY ARRAY['type', 'status', 'tag', 'department', 'project'] LOOP
      -- What waits may have values that the counts do not know.
      step := ARRAY(SELECT DISTINCT substring(field, length(name) + 2) FROM unnest(fresh) AS field
                     WHERE field LIKE name || '/%');
      top_terms := '{}'; top_counts := '{}'; top_totals := '{}';
      passed := 0;
      LOOP
        SELECT array_agg(ranked.term), array_agg(ranked.n), array_agg(ranked.total) INTO top_terms, top_counts, top_totals
          FROM (
            SELECT * FROM unnest(top_terms, top_counts, top_totals) AS old(term, n, total)
            UNION
            SELECT wanted.term, CASE WHEN is_open THEN coalesce(known.documents, 0)
                       - (SELECT count(*) FROM unnest(stale) AS field WHERE field = name || '/' || wanted.term)
                     ELSE (
                       SELECT coalesce(sum(bit_count(block.bits & search_width(bitmap.bits, length(block.bits)))), 0)
                         FROM unnest(block_ids, bitmaps) AS block(id, bits)
                         JOIN search_bitmaps AS bitmap ON bitmap.block_id = block.id AND bitmap.term = wanted.term) + (
                       SELECT count(*) FROM unnest(block_ids, bitmaps) AS block(id, bits)
                         JOIN search_postings AS list ON list.block_id = block.id AND list.term = wanted.term
                         CROSS JOIN unnest(list.places) AS place
                        WHERE get_bit(block.bits, place & 8191) = 1) END + (
                       SELECT count(*) FROM unnest(fresh) AS field WHERE field = name || '/' || wanted.term),
                   coalesce(known.documents, 0)
              FROM unnest(step) AS wanted(term) LEFT JOIN search_counts AS known
                ON known.account_id = account AND known.deleted = in_trash AND known.term = wanted.term
             ORDER BY 2 DESC, 3 DESC, 1 LIMIT most + 1) AS ranked(term, n, total)
         WHERE ranked.n > 0;
        SELECT array_agg(term), max(documents) INTO step, next_total FROM (
          SELECT term, documents FROM search_counts
           WHERE account_id = account AND deleted = in_trash AND facet = name AND documents > 0
           ORDER BY documents DESC, term OFFSET passed LIMIT ${String(STEP)}) AS next;
        EXIT WHEN step IS NULL OR top_counts[most + 1] >= next_total;
        passed := passed + cardinality(step);
      END LOOP;
      RETURN QUERY SELECT name, substring(term, position('=' IN term) + 1), n
        FROM unnest(top_terms, top_counts) WITH ORDINALITY AS top(term, n, place) ORDER BY place;
    END LOOP;
  END
  $$`,
];
