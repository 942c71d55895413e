import { UNSPACED } from '../document-search/terms.js';
import { BETWEEN_WORDS, SEPARATORS } from './words.js';

/** The forms of a part of a phrase; umlauts may be typed with an e. */
const PREFIX = `'(?:' || (SELECT string_agg(regexp_replace(
                 CASE WHEN configuration = 'simple' THEN form ELSE left(form, greatest(length(form) - 2, 1)) END, '([aou])e', '\\1e?', 'g'), '|')
               FROM unnest(string_to_array(part, '|')) AS form) || ')'`;

/** Phrases are looked for in the texts: words, and characters of scripts without spaces, one after the other. */
export const PHRASE_FUNCTIONS = [
  /**
   * What a phrase asks for, one after the other: forms of a word with "|" between them, characters, null for a stop word,
   * which stands for any word; null for a phrase that says no more than its words.
   */
  `CREATE OR REPLACE FUNCTION search_phrase(configuration text, words text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
  #variable_conflict use_column
  DECLARE
    phrase text[] := ARRAY(
      SELECT CASE WHEN word ~ '^[${UNSPACED}]' THEN word
                  WHEN NOT search_is_stop_word(configuration, word) THEN array_to_string(search_forms(configuration, word), '|') END
        FROM unnest(search_sequence(words)) WITH ORDINALITY AS part(word, n) ORDER BY n);
  BEGIN
    WHILE cardinality(phrase) > 0 AND phrase[1] IS NULL LOOP phrase := phrase[2 : ]; END LOOP;
    WHILE cardinality(phrase) > 0 AND phrase[cardinality(phrase)] IS NULL LOOP
      phrase := phrase[ : cardinality(phrase) - 1];
    END LOOP;
    RETURN CASE WHEN cardinality(phrase) > 1 AND btrim(words) !~ '^[${UNSPACED}]+$' THEN phrase END;
  END
  $$`,
  /**
   * What a text without accents that has a phrase must match, and what is found then, which is many times faster than to
   * take it apart; null where the beginning of a stem need not be the beginning of the word, as in most languages.
   */
  `CREATE OR REPLACE FUNCTION search_pattern(configuration text, phrase text[]) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN bool_or(is_sign AND n = 1) THEN '(' ELSE '(?:^|[${BETWEEN_WORDS}])(' END
        || string_agg(
             CASE WHEN n = 1 THEN '' WHEN is_sign OR is_behind_sign THEN '[${SEPARATORS}]*' ELSE '[${SEPARATORS}]+' END
             || CASE WHEN is_sign THEN part
                     WHEN part IS NULL THEN '[^${BETWEEN_WORDS}]+'
                     WHEN configuration = 'simple' THEN ${PREFIX}
                     -- English stems differ from their words in the last two letters at most: happy and happi, dying and die.
                     ELSE ${PREFIX} || '[^${BETWEEN_WORDS}]*' END, '' ORDER BY n)
        || CASE WHEN bool_or(is_sign AND n = cardinality(phrase)) THEN ')' ELSE ')(?![^${BETWEEN_WORDS}])' END
      FROM (SELECT *, coalesce(part ~ '^[${UNSPACED}]', false) AS is_sign,
                   coalesce(lag(part) OVER (ORDER BY n) ~ '^[${UNSPACED}]', false) AS is_behind_sign
              FROM unnest(phrase) WITH ORDINALITY AS one(part, n)) AS one
     WHERE configuration IN ('english', 'simple')
  $$`,
  // Whether the parts of a phrase stand one after the other.
  `CREATE OR REPLACE FUNCTION search_follow(configuration text, words text[], phrase text[]) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    wanted text[] := ARRAY(SELECT DISTINCT unnest(string_to_array(part, '|')) FROM unnest(phrase) AS part);
    word text;
    forms text[];
    -- The parts of the phrase that can end at the word before, and at this one.
    ended integer[] := '{}';
    ends integer[];
  BEGIN
    FOREACH word IN ARRAY words LOOP
      forms := CASE WHEN word ~ '^[${UNSPACED}]' THEN ARRAY[word] ELSE search_forms(configuration, word) END;
      IF ended = '{}' AND NOT forms && wanted THEN CONTINUE; END IF;
      ends := ARRAY(
        SELECT part FROM generate_subscripts(phrase, 1) AS part
         WHERE (part = 1 OR part - 1 = ANY (ended))
           AND CASE WHEN phrase[part] IS NULL THEN word !~ '^[${UNSPACED}]' ELSE forms && string_to_array(phrase[part], '|') END);
      IF cardinality(phrase) = ANY (ends) THEN RETURN true; END IF;
      ended := ends;
    END LOOP;
    RETURN false;
  END
  $$`,
  // Whether a text has a phrase. Only where the pattern found something else, all of its words are looked at.
  `CREATE OR REPLACE FUNCTION search_has_phrase(configuration text, value text, phrase text[], pattern text) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    found text;
  BEGIN
    IF pattern IS NOT NULL THEN
      found := substring(search_folded(lower(search_composed(value COLLATE "default"))) FROM pattern);
      IF found IS NULL THEN RETURN false; END IF;
      IF search_follow(configuration, search_sequence(found), phrase) THEN RETURN true; END IF;
    END IF;
    RETURN search_follow(configuration, search_sequence(value), phrase);
  END
  $$`,
  `CREATE OR REPLACE FUNCTION search_has_run(value text, run text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT strpos(value, run) > 0
        OR (octet_length(value) > length(value) AND strpos(search_composed(value), run) > 0)
  $$`,
];
