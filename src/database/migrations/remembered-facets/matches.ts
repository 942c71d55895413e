import { INDEX_BEHIND } from '../document-search/matching.js';
import { BLOCK } from '../document-search/tables.js';
import { FOUND, RANKED, RANKING_WORDS } from '../faster-search/matches.js';
import { IS_VALUE } from '../faster-search/table.js';

/** What of `block` has all terms. */
const MATCHED = `
        SELECT block.id, block.place, block.width, block.bits & found.bits AS bits
          FROM block JOIN (
            SELECT id, bit_and(found.bits) AS bits FROM (${FOUND}) AS found
             GROUP BY id HAVING count(*) = cardinality(wanted_values || wanted_others)) AS found USING (id)
        UNION ALL
        SELECT * FROM block WHERE wanted_values IS NULL AND wanted_others IS NULL`;

/** One row for each document of `tier` that waits. */
const SINGLES = `
    SELECT greatest(1, (SELECT count(*)::integer FROM search_blocks AS earlier
                         WHERE earlier.account_id = account
                           AND (earlier.first_created_at, earlier.first_id) <= (item.created_at, item.id))),
           NULL, tier.score, 1, NULL, item.id, item.created_at
      FROM tier CROSS JOIN LATERAL search_documents(0, tier.bits, waiting) AS one
      JOIN documents AS item ON item.id = one.document_id
     WHERE tier.id = 0;`;

/** Which documents match. */
export const MATCHES_FUNCTIONS = [
  // The blocks of an account and which of their documents can match at all; block 0 are those that wait.
  `CREATE OR REPLACE FUNCTION search_blocks_of(account uuid, request json, waiting uuid[])
  RETURNS TABLE (id integer, place integer, width integer, bits bit varying) LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  DECLARE
    in_trash boolean := (request ->> 'deleted')::boolean;
    created_from timestamptz := coalesce(request ->> 'createdFrom', '-infinity');
    created_to timestamptz := coalesce(request ->> 'createdTo', 'infinity');
    updated_from timestamptz := coalesce(request ->> 'updatedFrom', '-infinity');
    updated_to timestamptz := coalesce(request ->> 'updatedTo', 'infinity');
  BEGIN
    RETURN QUERY
    SELECT block.id, block.place, width,
           CASE WHEN waiting IS NULL AND is_in_created AND is_in_updated THEN base.bits ELSE (
             CASE WHEN waiting IS NULL THEN base.bits
                  ELSE base.bits & ~coalesce((
                    SELECT search_width(search_bits(position, 1), width) FROM search_entries AS entry
                     WHERE document_id = ANY (waiting) AND block_id = block.id), search_width(B'', width)) END
             & CASE WHEN is_in_created THEN base.bits
                    ELSE coalesce((
                      SELECT search_width(search_bits(position, 1), width) FROM search_entries AS entry
                       WHERE block_id = block.id AND entry.created_at >= created_from AND entry.created_at < created_to
                    ), search_width(B'', width)) END
             & CASE WHEN is_in_updated THEN base.bits
                    ELSE search_width(search_updated(block.id, updated_from, updated_to), width) END)::bit varying END
      FROM (SELECT *, length(live) AS width,
                   row_number() OVER (ORDER BY first_created_at, first_id)::integer AS place,
                   lead(first_created_at, 1, 'infinity') OVER (ORDER BY first_created_at, first_id) AS next_created_at
              FROM search_blocks WHERE account_id = account) AS block
      CROSS JOIN LATERAL (
        SELECT CASE WHEN in_trash THEN deleted ELSE live END AS bits,
               first_created_at >= created_from AND (created_to = 'infinity' OR next_created_at < created_to) AS is_in_created,
               first_updated_at >= updated_from AND last_updated_at < updated_to AS is_in_updated) AS base
     WHERE width > 0 AND next_created_at >= created_from AND first_created_at < created_to
       AND last_updated_at >= updated_from AND first_updated_at < updated_to;
    IF waiting IS NOT NULL THEN
      RETURN QUERY
      SELECT 0, 0, cardinality(waiting),
             search_width(coalesce(search_bits(wanted.n::integer - 1, 1), B''), cardinality(waiting))
        FROM unnest(waiting) WITH ORDINALITY AS wanted(id, n) JOIN documents AS item ON item.id = wanted.id
       WHERE item.account_id = account AND (item.deleted_at IS NOT NULL) = in_trash
         AND item.created_at >= created_from AND item.created_at < created_to
         AND item.updated_at >= updated_from AND item.updated_at < updated_to;
    END IF;
  END
  $$`,
  /**
   * The documents of an account that match: one row for each block and score, with their bitmap and number, and one for
   * each document that waits, with \`place\` of the block it will come to. \`request\` has \`deleted\`, \`filters\` (triples of
   * field, name and value), \`createdFrom\`, \`createdTo\`, \`updatedFrom\`, \`updatedTo\`, \`groups\` (alternatives of
   * literals: \`text\`, \`phrase\`, \`negated\`), \`ranked\`, and \`mostWaiting\` and \`mostWaitingBytes\`, beyond which it raises
   * ${INDEX_BEHIND}.
   */
  `CREATE OR REPLACE FUNCTION search_matches(account uuid, request json) RETURNS TABLE (
    place integer, block_id integer, score integer, documents bigint, bits bit varying, document_id uuid,
    created_at timestamptz
  ) LANGUAGE plpgsql STABLE ROWS 100 SET jit = off SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_column
  DECLARE
    waiting uuid[];
    waiting_terms search_postings[];
    literals jsonb;
    wanted_values text[];
    wanted_others text[];
    words text[];
    is_ranked boolean;
    is_plain boolean;
    block_ids integer[];
    block_places integer[];
    widths integer[];
    bitmaps bit varying[];
  BEGIN
    IF EXISTS (SELECT FROM search_changes WHERE account_id = account
               OFFSET coalesce((request ->> 'mostWaiting')::bigint, ${String(BLOCK)})) THEN
      RAISE EXCEPTION 'too many documents wait for the search index' USING ERRCODE = '${INDEX_BEHIND}';
    END IF;
    SELECT array_agg(DISTINCT change.document_id) INTO waiting FROM search_changes AS change WHERE account_id = account;
    IF (SELECT sum(octet_length(content)) FROM unnest(waiting) AS one(id)
         CROSS JOIN LATERAL (SELECT content FROM documents WHERE id = one.id LIMIT 1) AS item
       ) > (request ->> 'mostWaitingBytes')::bigint THEN
      RAISE EXCEPTION 'too much text waits for the search index' USING ERRCODE = '${INDEX_BEHIND}';
    END IF;
    literals := search_literals(request, ARRAY(
      SELECT substring(term, 10) FROM search_counts WHERE account_id = account AND facet = 'language'
      UNION
      SELECT search_configuration(item.ai_settings) FROM unnest(waiting) AS one(id)
        CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = one.id LIMIT 1) AS item));
    SELECT array_agg(DISTINCT term) FILTER (WHERE ${IS_VALUE}), array_agg(DISTINCT term) FILTER (WHERE NOT ${IS_VALUE})
      INTO wanted_values, wanted_others
      FROM jsonb_to_recordset(literals) AS literal(terms text[]), unnest(terms) AS term;
    -- The first words of the search, in each language: a document has terms of its own language only.
    SELECT array_agg(DISTINCT term) INTO words FROM (
      SELECT term, dense_rank() OVER (PARTITION BY configuration ORDER BY branch, number, term) AS n
        FROM jsonb_to_recordset(literals) AS literal(
          configuration text, branch integer, number integer, negated boolean, terms text[]), unnest(terms) AS term
       WHERE number > 0 AND NOT negated) AS one WHERE n <= ${String(RANKING_WORDS)};
    IF waiting IS NOT NULL THEN
      waiting_terms := search_waiting_terms(waiting, wanted_values || wanted_others, request ->> 'groups' IS NOT NULL);
    END IF;
    IF literals = '[]' THEN
      -- Nothing can be searched for: a search for stop words finds nothing.
      RETURN;
    END IF;
    is_ranked := words IS NOT NULL AND (request ->> 'ranked')::boolean;
    -- All terms must be there, as in most requests.
    is_plain := (
      SELECT bool_and(NOT negated AND phrase IS NULL AND runs IS NULL) AND count(DISTINCT branch) = 1
        FROM jsonb_to_recordset(literals) AS literal(branch integer, negated boolean, phrase text[], runs text[]));
    IF is_plain AND NOT is_ranked THEN
      -- In one go: bitmaps that are put into arrays and taken out again are copied each time.
      RETURN QUERY
      WITH block AS MATERIALIZED (
        SELECT * FROM search_blocks_of(account, request, waiting) AS block WHERE bit_count(block.bits) > 0
      ), tier AS (
        SELECT *, 0 AS score FROM (${MATCHED}) AS matched WHERE bit_count(bits) > 0
      )
      SELECT tier.place, tier.id, tier.score, bit_count(tier.bits), tier.bits::bit varying, NULL::uuid, NULL::timestamptz
        FROM tier WHERE tier.id > 0
      UNION ALL ${SINGLES}
      RETURN;
    END IF;

    SELECT array_agg(block.id), array_agg(block.place), array_agg(block.width), array_agg(block.bits)
      INTO block_ids, block_places, widths, bitmaps
      FROM search_blocks_of(account, request, waiting) AS block WHERE bit_count(block.bits) > 0;
    IF is_plain THEN
      WITH block AS (
        SELECT * FROM unnest(block_ids, block_places, widths, bitmaps) AS block(id, place, width, bits)
      ), matched AS (${MATCHED}
      )
      SELECT array_agg(id), array_agg(matched.place), array_agg(width), array_agg(matched.bits)
        INTO block_ids, block_places, widths, bitmaps FROM matched WHERE bit_count(matched.bits) > 0;
    ELSE
      WITH block AS (
        SELECT * FROM unnest(block_ids, block_places, widths, bitmaps) AS block(id, place, width, bits)
      ), found AS MATERIALIZED (${FOUND}
      ), literal AS MATERIALIZED (
        SELECT *, CASE WHEN phrase IS NOT NULL OR runs IS NOT NULL THEN to_jsonb(literal) END AS exact
          FROM jsonb_to_recordset(literals) AS literal(
            branch integer, number integer, negated boolean, configuration text, terms text[], phrase text[],
            pattern text, runs text[], cost integer)
      ), held AS MATERIALIZED (
        SELECT id, branch, number, negated, exact, cost, bit_and(found.bits) AS bits
          FROM literal CROSS JOIN unnest(terms) AS wanted(term) JOIN found USING (term)
         GROUP BY id, branch, number, negated, exact, cost, terms HAVING count(*) = cardinality(terms)
      ), scope AS (
        SELECT id, branch, bit_and(held.bits) AS bits FROM held WHERE NOT negated GROUP BY id, branch
      ), candidate AS MATERIALIZED (
        SELECT id, branch, negated, exact, cost, width,
               CASE WHEN exact IS NULL THEN held.bits
                    ELSE held.bits & block.bits & coalesce(scope.bits, block.bits) END AS bits
          FROM held JOIN block USING (id) LEFT JOIN scope USING (id, branch)
      ), checked AS (
        SELECT id, branch, negated, CASE WHEN exact IS NULL THEN candidate.bits ELSE (
                 SELECT search_width(search_bits(one.at, 1), width)
                   FROM search_documents(id, candidate.bits, waiting) AS one
                  WHERE search_holds(exact, one.document_id) HAVING count(*) > 0) END AS bits
          FROM candidate JOIN (
            SELECT search_afford(sum(one.cost * bit_count(one.bits))::bigint) AS is_affordable
              FROM candidate AS one WHERE one.exact IS NOT NULL) AS budget ON is_affordable
      ), matched AS (
        SELECT block.id, block.place, block.width,
               block.bits & coalesce(bit_and(checked.bits) FILTER (WHERE NOT checked.negated), block.bits)
               & ~coalesce(bit_or(checked.bits) FILTER (WHERE checked.negated), block.bits & ~block.bits) AS bits
          FROM block CROSS JOIN (
            SELECT branch, count(*) FILTER (WHERE NOT negated AND terms <> '{}') AS needed FROM literal GROUP BY branch
          ) AS branch
          LEFT JOIN checked ON checked.id = block.id AND checked.branch = branch.branch AND checked.bits IS NOT NULL
         GROUP BY block.id, block.place, block.width, block.bits, branch.branch, branch.needed
        HAVING count(*) FILTER (WHERE NOT checked.negated) = branch.needed
      ), joined AS (
        SELECT id, place, width, bit_or(matched.bits) AS bits FROM matched GROUP BY id, place, width
      )
      SELECT array_agg(id), array_agg(joined.place), array_agg(width), array_agg(joined.bits)
        INTO block_ids, block_places, widths, bitmaps FROM joined WHERE bit_count(joined.bits) > 0;
    END IF;

    RETURN QUERY
    WITH block AS (
      SELECT * FROM unnest(block_ids, block_places, widths, bitmaps) AS block(id, place, width, bits)
    ), tier AS (
      SELECT block.id, block.place, tier.score, tier.bits
        FROM block
        LEFT JOIN (SELECT id, search_sum(part.bits, low, high, in_title) AS sums FROM (${RANKED}) AS part GROUP BY id) AS total
          USING (id)
        CROSS JOIN LATERAL search_tiers(block.bits, sums) AS tier
       WHERE is_ranked
      UNION ALL
      SELECT id, place, 0, block.bits FROM block WHERE NOT is_ranked
    )
    SELECT tier.place, tier.id, tier.score, bit_count(tier.bits), tier.bits::bit varying, NULL::uuid, NULL::timestamptz
      FROM tier WHERE tier.id > 0
    UNION ALL ${SINGLES}
  END
  $$`,
];
