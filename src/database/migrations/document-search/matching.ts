import { BETWEEN_WORDS } from './terms.js';

/** SQLSTATE of a search that would have to look into too many documents that wait to be put into the index. */
export const INDEX_BEHIND = 'SB001';

/** SQLSTATE of a search that would have to read too many texts. */
export const TOO_COMMON = 'SB002';

/** Texts that a search may read: about as many as in a second. */
const MOST_TEXTS = 10_000;
/** A phrase without a pattern takes as long as so many with one. */
export const WITHOUT_PATTERN = 10;

/** Pairs of characters of a stretch that are looked up; they narrow it enough. */
const PAIRS = 16;

/** How the index is read. */
export const MATCHING_FUNCTIONS = [
  // The ones of a bitmap, from 0 on.
  `CREATE FUNCTION search_positions(bits bit varying) RETURNS SETOF integer LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  #variable_conflict use_column
  DECLARE
    passed integer := 0;
    step integer;
  BEGIN
    LOOP
      step := position(B'1' IN substring(bits, passed + 1));
      EXIT WHEN step = 0;
      passed := passed + step;
      RETURN NEXT passed - 1;
    END LOOP;
  END
  $$`,
  /**
   * What a text that has a phrase must match, and what is found then, which is many times faster than to take it apart;
   * null where the beginning of a stem need not be the beginning of the word, as in most languages.
   */
  `CREATE FUNCTION search_pattern(configuration text, phrase text[]) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT '(?:^|[${BETWEEN_WORDS}])(' || string_agg(
             CASE WHEN stem IS NULL THEN ''
                  WHEN configuration = 'simple' THEN stem
                  -- English stems differ from their words in the last two letters at most: happy and happi, dying and die.
                  ELSE left(stem, greatest(length(stem) - 2, 1)) END
             || CASE WHEN configuration = 'simple' AND stem IS NOT NULL THEN '' ELSE '[^${BETWEEN_WORDS}]*' END,
             '[${BETWEEN_WORDS}]+' ORDER BY n) || ')(?![^${BETWEEN_WORDS}])'
      FROM unnest(phrase) WITH ORDINALITY AS part(stem, n) WHERE configuration IN ('english', 'simple')
  $$`,
  // Whether words have these stems one after the other; null stands for any word.
  `CREATE FUNCTION search_follow(configuration text, words text[], phrase text[]) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  #variable_conflict use_column
  BEGIN
    RETURN EXISTS (
      SELECT FROM unnest(words) WITH ORDINALITY AS begin(word, n)
       WHERE search_stem(configuration, word) = phrase[1]
         AND NOT EXISTS (
           SELECT FROM unnest(phrase) WITH ORDINALITY AS part(stem, m)
            WHERE stem IS DISTINCT FROM search_stem(configuration, words[n + m - 1]) AND stem IS NOT NULL));
  END
  $$`,
  // Whether a text has a phrase. Only where the pattern found something else, all of its words are looked at.
  `CREATE FUNCTION search_has_phrase(configuration text, value text, phrase text[], pattern text) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    found text;
  BEGIN
    IF pattern IS NOT NULL THEN
      found := substring(lower(value) FROM pattern);
      -- To see whether a text is normalized takes longer than to look into it.
      IF found IS NULL AND octet_length(value) > length(value) AND value IS NOT NFKC NORMALIZED THEN
        found := substring(lower(normalize(value, NFKC)) FROM pattern);
      END IF;
      IF found IS NULL THEN RETURN false; END IF;
      IF search_follow(configuration, string_to_array(search_words(found), ' '), phrase) THEN RETURN true; END IF;
    END IF;
    RETURN search_follow(configuration, string_to_array(search_words(value), ' '), phrase);
  END
  $$`,
  // Ends a search that would have to read too many texts.
  `CREATE FUNCTION search_afford(texts bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    IF texts > ${String(MOST_TEXTS)} THEN
      RAISE EXCEPTION 'the search would have to read too many texts' USING ERRCODE = '${TOO_COMMON}';
    END IF;
    RETURN true;
  END
  $$`,
  `CREATE FUNCTION search_has_run(value text, run text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT strpos(value, run) > 0
        OR (octet_length(value) > length(value) AND value IS NOT NFKC NORMALIZED
            AND strpos(normalize(value, NFKC), run) > 0)
  $$`,
  /**
   * A search in words as conditions on terms: a document matches when all literals of a branch hold. A branch is one
   * alternative of the search in one language of the account; its literal 0 are the filters. What terms cannot tell
   * (\`phrase\`, \`runs\`) is looked up in the texts.
   */
  `CREATE FUNCTION search_literals(request json, configurations text[]) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  DECLARE
    filters text[] := ARRAY(
      SELECT search_field(CASE WHEN filter ->> 0 = 'metadata' THEN search_metadata_field(filter ->> 1)
                               ELSE filter ->> 0 END, filter ->> 2)
        FROM json_array_elements(request -> 'filters') AS filter);
    literals jsonb;
  BEGIN
    IF request ->> 'groups' IS NULL THEN
      RETURN jsonb_build_array(
        jsonb_build_object('branch', 1, 'number', 0, 'negated', false, 'terms', to_jsonb(filters)));
    END IF;
    WITH asked AS (
      SELECT language.n * 1000 + alternative.n AS branch, configuration, literal.n AS number,
             (literal.value ->> 'negated')::boolean AS negated, literal.value ->> 'text' AS words,
             (literal.value ->> 'phrase')::boolean AS quoted
        FROM unnest(configurations) WITH ORDINALITY AS language(configuration, n)
        CROSS JOIN json_array_elements(request -> 'groups') WITH ORDINALITY AS alternative(value, n)
        CROSS JOIN json_array_elements(alternative.value) WITH ORDINALITY AS literal(value, n)
    ), known AS (
      SELECT asked.*, search_asked_terms(configuration, words) AS terms,
             ARRAY(SELECT run FROM search_runs(words) AS run WHERE length(run) > 2) AS runs,
             CASE WHEN quoted THEN search_phrase(configuration, words) END AS phrase
        FROM asked
    )
    SELECT jsonb_agg(to_jsonb(literal)) INTO literals FROM (
      SELECT branch, number, negated, configuration, terms, phrase, search_pattern(configuration, phrase) AS pattern,
             nullif(runs, '{}') AS runs,
             CASE WHEN phrase IS NOT NULL AND configuration NOT IN ('english', 'simple') THEN ${String(WITHOUT_PATTERN)} ELSE 1 END AS cost
        FROM known WHERE terms <> '{}'
      UNION ALL
      SELECT DISTINCT branch, 0, false, configuration,
             filters || CASE WHEN cardinality(configurations) > 1 THEN ARRAY['language=' || configuration]
                             ELSE '{}' END, NULL::text[], NULL, NULL::text[], 0
        FROM known WHERE terms <> '{}') AS literal;
    RETURN coalesce(literals, '[]');
  END
  $$`,
  // Terms that narrow a search enough: of stretches without spaces the first pairs, because the texts are looked into.
  `CREATE FUNCTION search_asked_terms(configuration text, words text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
    SELECT ARRAY(SELECT DISTINCT term FROM search_terms(configuration, words) AS term WHERE term NOT LIKE 'gram:%')
        || ARRAY(SELECT DISTINCT 'gram:' || CASE WHEN length(run) = 1 THEN run ELSE substring(run, at, 2) END
                   FROM search_runs(words) AS run, generate_series(1, least(greatest(length(run) - 1, 1), ${String(PAIRS)})) AS at)
  $$`,
  // The stems of a phrase, null for a stop word; null for a phrase that says no more than its words.
  `CREATE FUNCTION search_phrase(configuration text, words text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
  #variable_conflict use_column
  DECLARE
    stems text[] := ARRAY(
      SELECT search_stem(configuration, word)
        FROM unnest(string_to_array(search_words(words), ' ')) WITH ORDINALITY AS part(word, n) ORDER BY n);
  BEGIN
    WHILE cardinality(stems) > 0 AND stems[1] IS NULL LOOP stems := stems[2 : ]; END LOOP;
    WHILE cardinality(stems) > 0 AND stems[cardinality(stems)] IS NULL LOOP
      stems := stems[ : cardinality(stems) - 1];
    END LOOP;
    RETURN CASE WHEN cardinality(stems) > 1 THEN stems END;
  END
  $$`,
  // Documents of a block whose updated_at is in a range: whole days and hours by their terms, the rest one by one.
  `CREATE FUNCTION search_updated(block integer, range_from timestamptz, range_to timestamptz) RETURNS bit varying
  LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  DECLARE
    -- What is infinite has no digits.
    low timestamp := greatest(range_from, '0001-01-01Z') AT TIME ZONE 'UTC';
    high timestamp := least(range_to, '9999-12-31Z') AT TIME ZONE 'UTC';
    hour_from timestamp := date_trunc('hour', low + interval '1 hour - 1 microsecond');
    hour_to timestamp := date_trunc('hour', high);
    day_from timestamp := date_trunc('day', low + interval '1 day - 1 microsecond');
    day_to timestamp := date_trunc('day', high);
    ranges text[][];
    edges text[];
    bits bit varying;
  BEGIN
    IF day_from >= day_to THEN
      ranges := ARRAY[['hour', to_char(hour_from, 'YYYYMMDDHH24'), to_char(hour_to, 'YYYYMMDDHH24')]];
    ELSE
      ranges := ARRAY[['hour', to_char(hour_from, 'YYYYMMDDHH24'), to_char(day_from, 'YYYYMMDDHH24')],
                      ['day', to_char(day_from, 'YYYYMMDD'), to_char(day_to, 'YYYYMMDD')],
                      ['hour', to_char(day_to, 'YYYYMMDDHH24'), to_char(hour_to, 'YYYYMMDDHH24')]];
    END IF;
    edges := ARRAY['hour=' || to_char(low, 'YYYYMMDDHH24'), 'hour=' || to_char(high, 'YYYYMMDDHH24')];
    SELECT bit_or(part.bits) INTO bits FROM (
      SELECT bitmap.bits::bit(8192) FROM generate_subscripts(ranges, 1) AS i
        JOIN search_bitmaps AS bitmap ON block_id = block
         AND term >= ranges[i][1] || '=' || ranges[i][2] AND term < ranges[i][1] || '=' || ranges[i][3]
      UNION ALL
      SELECT search_bits(place & 8191, 1) FROM generate_subscripts(ranges, 1) AS i
        JOIN search_postings AS list ON block_id = block
         AND term >= ranges[i][1] || '=' || ranges[i][2] AND term < ranges[i][1] || '=' || ranges[i][3]
        CROSS JOIN unnest(places) AS place
      UNION ALL
      SELECT search_bits(entry.position, 1)
        FROM (SELECT at FROM search_bitmaps AS bitmap, search_positions(bitmap.bits) AS at
               WHERE block_id = block AND term = ANY (edges)
              UNION
              SELECT place & 8191 FROM search_postings, unnest(places) AS place
               WHERE block_id = block AND term = ANY (edges)) AS near
        JOIN search_entries AS entry ON entry.block_id = block AND entry.position = near.at
       WHERE entry.updated_at >= range_from AND entry.updated_at < range_to) AS part(bits);
    RETURN coalesce(bits, B'0'::bit(8192));
  END
  $$`,
  // The blocks of an account and which of their documents can match at all; block 0 are those that wait.
  `CREATE FUNCTION search_blocks_of(account uuid, request json, waiting uuid[])
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
    SELECT block.id, block.place, width, (
           CASE WHEN waiting IS NULL THEN base.bits
                ELSE base.bits & ~coalesce((
                  SELECT search_width(search_bits(position, 1), width) FROM search_entries AS entry
                   WHERE document_id = ANY (waiting) AND block_id = block.id), search_width(B'', width)) END
           & CASE WHEN first_created_at >= created_from AND next_created_at < created_to THEN base.bits
                  ELSE coalesce((
                    SELECT search_width(search_bits(position, 1), width) FROM search_entries AS entry
                     WHERE block_id = block.id AND entry.created_at >= created_from AND entry.created_at < created_to
                  ), search_width(B'', width)) END
           & CASE WHEN first_updated_at >= updated_from AND last_updated_at < updated_to THEN base.bits
                  ELSE search_width(search_updated(block.id, updated_from, updated_to), width) END)::bit varying
      FROM (SELECT *, length(used) AS width,
                   row_number() OVER (ORDER BY first_created_at, first_id)::integer AS place,
                   lead(first_created_at, 1, 'infinity') OVER (ORDER BY first_created_at, first_id) AS next_created_at
              FROM search_blocks WHERE account_id = account) AS block
      CROSS JOIN LATERAL (SELECT CASE WHEN in_trash THEN deleted ELSE live END AS bits) AS base
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
  // The wanted terms of documents that wait, as lists of a block 0.
  `CREATE FUNCTION search_waiting_terms(waiting uuid[], wanted text[], in_words boolean) RETURNS search_postings[]
  LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  BEGIN
    RETURN ARRAY(
      SELECT ROW(0, found.term, found.places)::search_postings FROM (
        SELECT term, places FROM search_document_terms(CASE WHEN in_words THEN waiting END)
        UNION ALL
        SELECT field.term, array_agg(one.n::integer - 1)
          FROM unnest(waiting) WITH ORDINALITY AS one(id, n)
          CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = one.id LIMIT 1) AS item
          CROSS JOIN LATERAL search_fields(item) AS field GROUP BY field.term) AS found
       WHERE found.term = ANY (wanted));
  END
  $$`,
  // Documents at positions of a block.
  `CREATE FUNCTION search_documents(block integer, bits bit varying, waiting uuid[])
  RETURNS TABLE (at integer, document_id uuid) LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  BEGIN
    IF block = 0 THEN
      RETURN QUERY SELECT one, waiting[one + 1] FROM search_positions(bits) AS one;
    ELSE
      RETURN QUERY SELECT one, entry.document_id FROM search_positions(bits) AS one
        JOIN search_entries AS entry ON entry.block_id = block AND entry.position = one;
    END IF;
  END
  $$`,
];
