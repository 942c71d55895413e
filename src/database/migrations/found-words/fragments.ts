/** Characters of a content in which a highlight is looked for, and those it shows. */
const SEARCHED = 100_000;
const SHOWN = 240;
/** Characters whose words are looked at one by one. */
const LOOKED_AT = 2_000;
/** Places that look like a word and are not it. */
const ATTEMPTS = 300;
/** Characters before and behind the beginning of a word that are looked at to see which word it is. */
const LONGEST_PREFIX = 60;
const LONGEST_WORD = 255;

/** What a page shows of its matches. */
export const FRAGMENT_FUNCTION =
  // The part of a text around its first match, with the words and stretches that match there; none without one.
  `CREATE OR REPLACE FUNCTION search_fragment(configuration text, value text, terms text[], runs text[])
  RETURNS TABLE (fragment text, words text[], stretches text[]) LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  DECLARE
    folded text;
    are_words boolean := false;
    probes text[] := ARRAY(
      SELECT left(stem, greatest(length(stem) - 2, 1))
        FROM unnest(terms) AS term, LATERAL (SELECT split_part(split_part(term, ':', 2), ' ', 1) AS stem) AS part);
    patterns text[];
    wanted text[];
    token text;
    passed integer;
    step integer;
    first integer;
    last integer;
  BEGIN
    value := search_composed(left(value, ${String(SEARCHED)}));
    -- One character for each, so that places are the same.
    folded := search_folded(translate(lower(value), 'ßæœþ', 'saot'));
    IF length(folded) <> length(value) THEN folded := lower(value); END IF;
    LOOP
      patterns := ARRAY(
        SELECT '%' || regexp_replace(probe, '([%_\\\\])', '\\\\\\1', 'g') || '%' FROM unnest(probes) AS probe);
      wanted := runs || probes;
      FOR n IN 1 .. cardinality(wanted) LOOP
        passed := 0;
        FOR attempt IN 1 .. ${String(ATTEMPTS)} LOOP
          step := strpos(substring(folded, passed + 1), lower(wanted[n]));
          EXIT WHEN step = 0;
          passed := passed + step;
          IF n > cardinality(runs) THEN
            -- Most of what begins like a word is another one: seen here, before all that is around it is looked at.
            first := greatest(passed - ${String(LONGEST_PREFIX)}, 1);
            token := substring(substring(value, first, passed - first) FROM '\\S*$')
                  || substring(substring(value, passed, ${String(LONGEST_WORD)}) FROM '^\\S*');
            CONTINUE WHEN NOT ARRAY(SELECT search_terms(configuration, token)) && terms;
          END IF;
          first := greatest(passed - ${String(SHOWN / 4)}, 1);
          last := first + ${String(SHOWN)};
          fragment := substring(value, first, ${String(SHOWN)});
          IF first > 1 THEN fragment := regexp_replace(fragment, '^\\S{0,30}\\s+', ''); END IF;
          IF last <= length(value) THEN fragment := regexp_replace(fragment, '\\s+\\S{0,30}$', ''); END IF;
          stretches := ARRAY(SELECT run FROM unnest(runs) AS run WHERE strpos(fragment, run) > 0);
          words := ARRAY(
            SELECT DISTINCT token FROM regexp_split_to_table(fragment, '\\s+') AS token
             WHERE search_folded(lower(token)) LIKE ANY (patterns) AND ARRAY(SELECT search_terms(configuration, token)) && terms);
          IF cardinality(stretches || words) > 0 THEN
            RETURN NEXT;
            RETURN;
          END IF;
        END LOOP;
      END LOOP;
      EXIT WHEN are_words;
      -- A stem need not begin as its word does, and a word may be typed another way: the first ones are looked at one by one.
      are_words := true;
      probes := ARRAY(
        SELECT DISTINCT search_folded(translate(lower(token), 'ßæœþ', 'saot'))
          FROM regexp_split_to_table(left(value, ${String(LOOKED_AT)}), '\\s+') AS token
         WHERE token <> '' AND ARRAY(SELECT search_terms(configuration, token)) && terms);
    END LOOP;
  END
  $$`;
