import { TRAILING } from './words.js';
import { UNSPACED } from '../document-search/terms.js';

/** Terms of a document that are put into the index: more than a book has, and what takes PostgreSQL half a second. */
const MOST_TERMS = 30_000;
/** Terms, the same ones too, that are looked at for that: of 100,000 characters in a script without spaces. */
const MOST_SEEN = 200_000;

/** Occurrences beyond these do not rank a document higher. */
const MOST_TIMES = 8;

/** How documents become terms. */
export const TERM_FUNCTIONS = [
  /**
   * The terms of tokens, by the number of the token from 1 on: the forms of words, single characters and pairs of them.
   * Stop words are none by themselves, but two that only signs join, as in AT&T and don't, are one together, and so is
   * one with a sign behind it, as the C++ of a French text.
   */
  `CREATE FUNCTION search_token_terms(configuration text, tokens text[]) RETURNS TABLE (n integer, term text)
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    dictionary regdictionary := CASE configuration WHEN 'simple' THEN 'simple' ELSE configuration || '_stem' END;
    token text;
    part text;
    word text;
    form text;
    stop_word text;
    stems text[];
    signs text[];
    seen integer := 0;
  BEGIN
    n := 0;
    FOREACH token IN ARRAY tokens LOOP
      n := n + 1;
      EXIT WHEN seen >= ${String(MOST_SEEN)};
      stop_word := NULL;
      FOREACH part IN ARRAY string_to_array(token, '-') LOOP
        IF octet_length(part) <> length(part) AND part ~ '^[${UNSPACED}]' THEN
          signs := string_to_array(left(part, greatest(${String(MOST_SEEN)} - seen, 0) / 2), NULL);
          seen := seen + 2 * cardinality(signs);
          RETURN QUERY SELECT search_token_terms.n, 'gram:' || sign FROM unnest(signs) AS sign;
          RETURN QUERY SELECT search_token_terms.n, 'gram:' || sign || next
            FROM unnest(signs[ : cardinality(signs) - 1], signs[2 : ]) AS pair(sign, next);
          CONTINUE;
        END IF;
        seen := seen + 1;
        word := rtrim(part, '${TRAILING}');
        CONTINUE WHEN word = '' OR octet_length(word) > 255;
        stems := ts_lexize(dictionary, word);
        IF octet_length(word) <> length(word) THEN
          FOREACH form IN ARRAY search_forms(configuration, word) LOOP
            term := configuration || ':' || form;
            RETURN NEXT;
          END LOOP;
        ELSIF stems <> '{}' THEN
          term := configuration || ':' || stems[1];
          RETURN NEXT;
        END IF;
        IF stems <> '{}' THEN
          stop_word := NULL;
          CONTINUE;
        END IF;
        IF part <> word THEN
          term := configuration || ':' || search_folded(part);
          RETURN NEXT;
        END IF;
        IF stop_word IS NOT NULL THEN
          term := configuration || ':' || stop_word || ' ' || search_folded(word);
          RETURN NEXT;
        END IF;
        stop_word := search_folded(word);
      END LOOP;
    END LOOP;
  END
  $$`,
  // The terms of a piece of text.
  `CREATE OR REPLACE FUNCTION search_terms(configuration text, token text) RETURNS SETOF text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT term FROM search_token_terms(configuration, string_to_array(search_spelling(token), ' '))
  $$`,
  /**
   * The terms of documents; in the places stand their numbers in the list from 0 on. Of a document that has very many,
   * the first ones; of one that was set aside, those of its title.
   */
  `CREATE OR REPLACE FUNCTION search_document_terms(ids uuid[]) RETURNS TABLE (term text, places integer[])
  LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY
    WITH document AS (
      SELECT wanted.n::integer - 1 AS n, search_configuration(item.ai_settings) AS configuration, item.title,
             CASE WHEN aside.document_id IS NULL THEN item.content ELSE '' END AS content
        FROM unnest(ids) WITH ORDINALITY AS wanted(id, n)
        CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = wanted.id LIMIT 1) AS item
        LEFT JOIN unsearchable_documents AS aside ON aside.document_id = wanted.id
    ), place AS (
      SELECT document.n, one.term, one.is_in_title, one.times
        FROM document CROSS JOIN LATERAL (
          WITH token AS MATERIALIZED (
            SELECT token, row_number() OVER (ORDER BY min(at)) AS n, min(at) < 0 AS is_in_title, least(count(*), ${String(MOST_TIMES)}) AS times
              FROM (SELECT token, at - 1000000000 AS at FROM unnest(string_to_array(search_spelling(title), ' ')) WITH ORDINALITY AS part(token, at)
                    UNION ALL
                    SELECT token, at FROM unnest(string_to_array(search_spelling(content), ' ')) WITH ORDINALITY AS part(token, at)) AS part
             WHERE token <> '' GROUP BY token ORDER BY min(at) LIMIT ${String(MOST_TERMS)}
          )
          SELECT hit.term, bool_or(token.is_in_title) AS is_in_title, sum(token.times) AS times
            FROM search_token_terms(configuration, (SELECT array_agg(token ORDER BY n) FROM token)) AS hit JOIN token USING (n)
           GROUP BY hit.term ORDER BY min(hit.n) LIMIT ${String(MOST_TERMS)}
        ) AS one
    )
    SELECT term, array_agg(n + CASE WHEN is_in_title THEN 32768 ELSE 0 END
             + CASE WHEN times < 2 THEN 0 WHEN times < 4 THEN 8192 WHEN times < 8 THEN 16384 ELSE 24576 END)
      FROM place GROUP BY term;
  END
  $$`,
  /**
   * Terms that narrow a search enough. All must be there, of those with "|" between them one. Of stretches without spaces
   * they are the first pairs, because the texts are looked into.
   */
  `CREATE OR REPLACE FUNCTION search_asked_terms(configuration text, words text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    token text;
    spoken text[];
    terms text[] := '{}';
  BEGIN
    FOREACH token IN ARRAY string_to_array(search_spelling(words), ' ') LOOP
      spoken := ARRAY(
        SELECT (SELECT string_agg(configuration || ':' || form, '|' ORDER BY n)
                  FROM unnest(search_forms(configuration, word)) WITH ORDINALITY AS one(form, n))
          FROM unnest(string_to_array(token, '-')) AS part, rtrim(part, '${TRAILING}') AS word
         WHERE word !~ '^[${UNSPACED}]' AND word <> '' AND octet_length(word) <= 255
           AND NOT search_is_stop_word(configuration, word));
      IF spoken = '{}' THEN
        spoken := ARRAY(SELECT term FROM search_token_terms(configuration, ARRAY[token]) WHERE term ~ '^\\w+:.*[ ${TRAILING}]');
      END IF;
      terms := terms || spoken;
    END LOOP;
    RETURN ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term)
        || ARRAY(SELECT DISTINCT 'gram:' || CASE WHEN length(run) = 1 THEN run ELSE substring(run, at, 2) END
                   FROM search_runs(words) AS run, generate_series(1, least(greatest(length(run) - 1, 1), 16)) AS at);
  END
  $$`,
];
