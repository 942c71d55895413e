/** So few matches of a block are looked up one by one; more are met soon enough in the order of creation. */
const FEW = 256;
/** Characters of a content in which a highlight is looked for, and those it shows. */
const SEARCHED = 100_000;
const SHOWN = 240;
/** Characters whose words are looked at one by one. */
const LOOKED_AT = 2_000;
/** Places that look like a word and are not it. */
const ATTEMPTS = 50;

/** What a page shows of its matches. */
export const PAGE_FUNCTIONS = [
  // At least the first so many matches of a block by creation, behind a document if one is given.
  `CREATE FUNCTION search_page(
    block integer, bits bit varying, most bigint, descending boolean, from_at timestamptz, from_id uuid
  ) RETURNS TABLE (created_at timestamptz, document_id uuid) LANGUAGE plpgsql STABLE ROWS 20 AS $$
  #variable_conflict use_column
  BEGIN
    IF bit_count(bits) <= ${String(FEW)} THEN
      RETURN QUERY SELECT entry.created_at, entry.document_id FROM search_positions(bits) AS one
        JOIN search_entries AS entry ON entry.block_id = block AND entry.position = one
       WHERE from_at IS NULL OR CASE WHEN descending THEN (entry.created_at, entry.document_id) < (from_at, from_id)
                                     ELSE (entry.created_at, entry.document_id) > (from_at, from_id) END;
    ELSIF descending THEN
      RETURN QUERY SELECT entry.created_at, entry.document_id FROM search_entries AS entry
       WHERE block_id = block AND get_bit(bits, position) = 1
         AND (entry.created_at, entry.document_id)
           < (coalesce(from_at, 'infinity'), coalesce(from_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
       ORDER BY entry.created_at DESC, entry.document_id DESC LIMIT most;
    ELSE
      RETURN QUERY SELECT entry.created_at, entry.document_id FROM search_entries AS entry
       WHERE block_id = block AND get_bit(bits, position) = 1
         AND (entry.created_at, entry.document_id)
           > (coalesce(from_at, '-infinity'), coalesce(from_id, '00000000-0000-0000-0000-000000000000'))
       ORDER BY entry.created_at, entry.document_id LIMIT most;
    END IF;
  END
  $$`,
  // All matches, for sorts that the index does not know.
  `CREATE FUNCTION search_all(block integer, bits bit varying) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 500 AS $$
  BEGIN
    RETURN QUERY SELECT entry.document_id FROM search_positions(bits) AS one
      JOIN search_entries AS entry ON entry.block_id = block AND entry.position = one;
  END
  $$`,
  // What a search looks for in a language: terms, and stretches of scripts without spaces.
  `CREATE FUNCTION search_wanted(groups json, configuration text) RETURNS TABLE (terms text[], runs text[])
  LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT DISTINCT term FROM unnest(array_agg(text)) AS one, search_terms(configuration, one) AS term
                  WHERE term NOT LIKE 'gram:%'),
           ARRAY(SELECT DISTINCT run FROM unnest(array_agg(text)) AS one, search_runs(one) AS run)
      FROM json_array_elements(groups) AS alternative, json_array_elements(alternative) AS literal,
           LATERAL (SELECT literal ->> 'text' AS text) AS asked
     WHERE NOT (literal ->> 'negated')::boolean
  $$`,
  // The part of a text around its first match, with the words and stretches that match there; none without one.
  `CREATE FUNCTION search_fragment(configuration text, value text, terms text[], runs text[])
  RETURNS TABLE (fragment text, words text[], stretches text[]) LANGUAGE plpgsql STABLE AS $$
  DECLARE
    lowered text;
    are_words boolean := false;
    probes text[] := ARRAY(
      SELECT left(stem, greatest(length(stem) - 2, 1))
        FROM unnest(terms) AS term, LATERAL (SELECT split_part(term, ':', 2) AS stem) AS part);
    probe text;
    passed integer;
    step integer;
    first integer;
    last integer;
  BEGIN
    value := left(value, ${String(SEARCHED)});
    IF octet_length(value) > length(value) AND value IS NOT NFKC NORMALIZED THEN value := normalize(value, NFKC); END IF;
    lowered := lower(value);
    LOOP
      FOREACH probe IN ARRAY runs || probes LOOP
        passed := 0;
        FOR attempt IN 1 .. ${String(ATTEMPTS)} LOOP
          step := strpos(substring(lowered, passed + 1), lower(probe));
          EXIT WHEN step = 0;
          passed := passed + step;
          first := greatest(passed - ${String(SHOWN / 4)}, 1);
          last := first + ${String(SHOWN)};
          fragment := substring(value, first, ${String(SHOWN)});
          IF first > 1 THEN fragment := regexp_replace(fragment, '^\\S{0,30}\\s+', ''); END IF;
          IF last <= length(value) THEN fragment := regexp_replace(fragment, '\\s+\\S{0,30}$', ''); END IF;
          stretches := ARRAY(SELECT run FROM unnest(runs) AS run WHERE strpos(fragment, run) > 0);
          words := ARRAY(
            SELECT DISTINCT token FROM regexp_split_to_table(fragment, '\\s+') AS token
             WHERE EXISTS (SELECT FROM unnest(probes) AS near WHERE strpos(lower(token), near) > 0)
               AND ARRAY(SELECT search_terms(configuration, token)) && terms);
          IF cardinality(stretches || words) > 0 THEN
            RETURN NEXT;
            RETURN;
          END IF;
        END LOOP;
      END LOOP;
      EXIT WHEN are_words OR configuration IN ('english', 'simple');
      -- In other languages a stem need not begin as its word does: the first words are looked at one by one.
      are_words := true;
      probes := ARRAY(
        SELECT DISTINCT lower(token) FROM regexp_split_to_table(left(value, ${String(LOOKED_AT)}), '\\s+') AS token
         WHERE ARRAY(SELECT search_terms(configuration, token)) && terms);
    END LOOP;
  END
  $$`,
];
