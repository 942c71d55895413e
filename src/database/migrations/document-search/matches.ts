import { PLANES } from './indexing.js';
import { INDEX_BEHIND } from './matching.js';

/** Words that rank; more of them make no better order. */
const RANKING_WORDS = 8;

/** Bitmaps of a term in a block, from wherever they are kept; \`waiting_terms\` are those of block 0. */
const postingsOf = (terms: string) => `
      SELECT block.id, bitmap.term, search_width(bitmap.bits, width) AS bits, search_width(in_title, width) AS in_title,
             search_width(low, width) AS low, search_width(high, width) AS high
        FROM block JOIN search_bitmaps AS bitmap ON bitmap.block_id = block.id AND bitmap.term = ANY (${terms})
      UNION ALL
      SELECT block.id, list.term, planes.*
        FROM block JOIN search_postings AS list ON list.block_id = block.id AND list.term = ANY (${terms})
        CROSS JOIN LATERAL (SELECT ${PLANES} FROM unnest(list.places) AS place) AS planes
      UNION ALL
      SELECT block.id, list.term, planes.*
        FROM block JOIN unnest(waiting_terms) AS list ON list.block_id = block.id AND list.term = ANY (${terms})
        CROSS JOIN LATERAL (SELECT ${PLANES} FROM unnest(list.places) AS place) AS planes`;

/** Which documents match, and how well. */
export const MATCHES_FUNCTIONS = [
  // Adds a word's bitmaps to sums that are kept bit by bit, the lowest first: 1 for each word that is there, 1 to 3 for
  // more occurrences, 4 for the title.
  `CREATE FUNCTION search_add_word(
    sums bit varying[], bits bit varying, low bit varying, high bit varying, in_title bit varying
  ) RETURNS bit varying[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  #variable_conflict use_column
  DECLARE
    parts bit varying[] := ARRAY[bits, low, high, in_title];
    digits integer[] := ARRAY[1, 1, 2, 3];
    carry bit varying;
    digit integer;
  BEGIN
    FOR part IN 1 .. 4 LOOP
      carry := parts[part];
      digit := digits[part];
      WHILE bit_count(carry) > 0 LOOP
        IF sums[digit] IS NULL THEN
          sums[digit] := carry;
          EXIT;
        END IF;
        bits := sums[digit] & carry;
        sums[digit] := sums[digit] # carry;
        carry := bits;
        digit := digit + 1;
      END LOOP;
    END LOOP;
    RETURN sums;
  END
  $$`,
  `CREATE AGGREGATE search_sum(bit varying, bit varying, bit varying, bit varying) (
    SFUNC = search_add_word, STYPE = bit varying[], INITCOND = '{}')`,
  // Documents by their sum.
  `CREATE FUNCTION search_tiers(matched bit varying, sums bit varying[])
  RETURNS TABLE (score integer, bits bit varying) LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  #variable_conflict use_column
  DECLARE
    scores integer[] := ARRAY[0];
    parts bit varying[] := ARRAY[matched];
    old_scores integer[];
    old_parts bit varying[];
    part bit varying;
  BEGIN
    FOR digit IN REVERSE coalesce(array_upper(sums, 1), 0) .. 1 LOOP
      CONTINUE WHEN sums[digit] IS NULL;
      old_scores := scores; old_parts := parts;
      scores := '{}'; parts := '{}';
      FOR i IN 1 .. cardinality(old_scores) LOOP
        part := old_parts[i] & sums[digit];
        IF bit_count(part) > 0 THEN
          scores := scores || old_scores[i] + (1 << (digit - 1)); parts := parts || part;
        END IF;
        part := old_parts[i] & ~sums[digit];
        IF bit_count(part) > 0 THEN
          scores := scores || old_scores[i]; parts := parts || part;
        END IF;
      END LOOP;
    END LOOP;
    RETURN QUERY SELECT * FROM unnest(scores, parts);
  END
  $$`,
  `CREATE FUNCTION search_holds(literal jsonb, document uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  DECLARE
    texts text[] := (SELECT ARRAY[title, content] FROM documents WHERE id = document);
    run text;
  BEGIN
    FOR run IN SELECT jsonb_array_elements_text(CASE jsonb_typeof(literal -> 'runs') WHEN 'array' THEN literal -> 'runs' ELSE '[]' END) LOOP
      IF NOT search_has_run(texts[1], run) AND NOT search_has_run(texts[2], run) THEN RETURN false; END IF;
    END LOOP;
    IF jsonb_typeof(literal -> 'phrase') = 'array' THEN
      RETURN search_has_phrase(literal ->> 'configuration', texts[1], ARRAY(SELECT jsonb_array_elements_text(literal -> 'phrase')))
          OR search_has_phrase(literal ->> 'configuration', texts[2], ARRAY(SELECT jsonb_array_elements_text(literal -> 'phrase')));
    END IF;
    RETURN true;
  END
  $$`,
  /**
   * The documents of an account that match: one row for each block and score, with their bitmap and number, and one for
   * each document that waits, with \`place\` of the block it will come to. \`request\` has \`deleted\`, \`filters\` (triples of
   * field, name and value), \`createdFrom\`, \`createdTo\`, \`updatedFrom\`, \`updatedTo\`, \`groups\` (alternatives of
   * literals: \`text\`, \`phrase\`, \`negated\`), \`ranked\`, and \`mostWaiting\`, beyond which it raises ${INDEX_BEHIND}.
   */
  `CREATE FUNCTION search_matches(account uuid, request json) RETURNS TABLE (
    place integer, block_id integer, score integer, documents bigint, bits bit varying, document_id uuid,
    created_at timestamptz
  ) LANGUAGE plpgsql STABLE SET jit = off AS $$
  #variable_conflict use_column
  DECLARE
    in_words boolean := request ->> 'groups' IS NOT NULL;
    waiting uuid[];
    waiting_terms search_postings[];
    literals jsonb;
    wanted text[];
    words text[];
    block_ids integer[];
    block_places integer[];
    widths integer[];
    bitmaps bit varying[];
  BEGIN
    IF EXISTS (SELECT FROM search_changes WHERE account_id = account
               OFFSET coalesce((request ->> 'mostWaiting')::bigint, 8192)) THEN
      RAISE EXCEPTION 'too many documents wait for the search index' USING ERRCODE = '${INDEX_BEHIND}';
    END IF;
    SELECT array_agg(DISTINCT change.document_id) INTO waiting FROM search_changes AS change WHERE account_id = account;
    literals := search_literals(request, ARRAY(
      SELECT substring(term, 10) FROM search_counts WHERE account_id = account AND facet = 'language'
      UNION
      SELECT search_configuration(ai_settings) FROM documents WHERE id = ANY (waiting)));
    SELECT array_agg(DISTINCT term), (array_agg(DISTINCT term) FILTER (WHERE number > 0 AND NOT negated))[ : ${String(RANKING_WORDS)}]
      INTO wanted, words
      FROM jsonb_to_recordset(literals) AS literal(number integer, negated boolean, terms text[]), unnest(terms) AS term;
    IF waiting IS NOT NULL THEN
      waiting_terms := ARRAY(
        SELECT ROW(0, found.term, found.places)::search_postings FROM (
          SELECT term, places FROM search_document_terms(CASE WHEN in_words THEN waiting END)
          UNION ALL
          SELECT field.term, array_agg(one.n::integer - 1)
            FROM unnest(waiting) WITH ORDINALITY AS one(id, n) JOIN documents AS item ON item.id = one.id
            CROSS JOIN LATERAL search_fields(item) AS field GROUP BY field.term) AS found
         WHERE found.term = ANY (wanted));
    END IF;
    SELECT array_agg(block.id), array_agg(block.place), array_agg(block.width), array_agg(block.bits)
      INTO block_ids, block_places, widths, bitmaps
      FROM search_blocks_of(account, request, waiting) AS block WHERE bit_count(block.bits) > 0;

    WITH block AS (
      SELECT * FROM unnest(block_ids, widths, bitmaps) AS block(id, width, bits)
    ), found AS (
      SELECT part.id, part.term, bit_or(part.bits) AS bits FROM (
        SELECT id, term, bits FROM (${postingsOf('wanted')}) AS posting
        UNION ALL
        SELECT id, '', bits FROM block) AS part
       GROUP BY part.id, part.term
    ), literal AS MATERIALIZED (
      SELECT branch, number, negated, terms, CASE WHEN phrase IS NOT NULL OR runs IS NOT NULL THEN to_jsonb(one) END AS exact
        FROM jsonb_to_recordset(literals) AS one(
          branch integer, number integer, negated boolean, configuration text, terms text[], phrase text[], runs text[])
    ), held AS (
      SELECT id, branch, number, negated, bit_and(found.bits) AS bits
        FROM literal CROSS JOIN unnest(terms) AS each(term) JOIN found USING (term)
       GROUP BY id, branch, number, negated, terms HAVING count(*) = cardinality(terms)
    ), scope AS (
      SELECT id, branch, bit_and(held.bits) AS bits FROM held WHERE NOT negated GROUP BY id, branch
    ), checked AS (
      SELECT held.id, held.branch, held.negated, CASE WHEN literal.exact IS NULL THEN held.bits ELSE (
               SELECT search_width(search_bits(one.at, 1), block.width)
                 FROM search_documents(held.id, held.bits & scope.bits, waiting) AS one
                WHERE search_holds(literal.exact, one.document_id)) END AS bits
        FROM held JOIN literal USING (branch, number) JOIN scope USING (id, branch) JOIN block USING (id)
    ), branch AS (
      SELECT id, branch, CASE WHEN bool_or(negated)
               THEN bit_and(checked.bits) FILTER (WHERE NOT negated) & ~(bit_or(checked.bits) FILTER (WHERE negated))
               ELSE bit_and(checked.bits) END AS bits
        FROM checked WHERE checked.bits IS NOT NULL GROUP BY id, branch
      HAVING count(*) FILTER (WHERE NOT negated)
           = (SELECT count(*) FROM literal WHERE literal.branch = checked.branch AND NOT literal.negated)
    ), matched AS (
      SELECT id, bit_or(branch.bits) AS bits FROM branch GROUP BY id
    )
    SELECT array_agg(block.id), array_agg(block.place), array_agg(block.width), array_agg(matched.bits)
      INTO block_ids, block_places, widths, bitmaps
      FROM matched JOIN unnest(block_ids, block_places, widths) AS block(id, place, width) USING (id)
     WHERE bit_count(matched.bits) > 0;

    RETURN QUERY
    WITH block AS (
      SELECT * FROM unnest(block_ids, block_places, widths, bitmaps) AS block(id, place, width, bits)
    ), summed AS (
      SELECT id, search_sum(posting.bits, low, high, in_title) AS sums
        FROM (${postingsOf('words')}) AS posting
       WHERE (request ->> 'ranked')::boolean GROUP BY id
    ), tier AS (
      SELECT block.id, block.place, tier.score, tier.bits
        FROM block LEFT JOIN summed USING (id) CROSS JOIN LATERAL search_tiers(block.bits, sums) AS tier
    )
    SELECT tier.place, tier.id, tier.score, bit_count(tier.bits), tier.bits::bit varying, NULL::uuid, NULL::timestamptz
      FROM tier WHERE tier.id > 0
    UNION ALL
    SELECT greatest(1, (SELECT count(*)::integer FROM search_blocks AS earlier
                         WHERE earlier.account_id = account
                           AND (earlier.first_created_at, earlier.first_id) <= (item.created_at, item.id))),
           NULL, tier.score, 1, NULL, item.id, item.created_at
      FROM tier CROSS JOIN LATERAL search_documents(0, tier.bits, waiting) AS one
      JOIN documents AS item ON item.id = one.document_id
     WHERE tier.id = 0;
  END
  $$`,
];
