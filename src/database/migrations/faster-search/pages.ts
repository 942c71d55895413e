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
export const PAGE_FUNCTIONS = [
  // The part of a text around its first match, with the words and stretches that match there; none without one.
  `CREATE OR REPLACE FUNCTION search_fragment(configuration text, value text, terms text[], runs text[])
  RETURNS TABLE (fragment text, words text[], stretches text[]) LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  DECLARE
    lowered text;
    are_words boolean := false;
    probes text[] := ARRAY(
      SELECT left(stem, greatest(length(stem) - 2, 1))
        FROM unnest(terms) AS term, LATERAL (SELECT split_part(term, ':', 2) AS stem) AS part);
    patterns text[];
    wanted text[];
    token text;
    passed integer;
    step integer;
    first integer;
    last integer;
  BEGIN
    value := left(value, ${String(SEARCHED)});
    IF octet_length(value) > length(value) AND value IS NOT NFKC NORMALIZED THEN value := normalize(value, NFKC); END IF;
    lowered := lower(value);
    LOOP
      patterns := ARRAY(
        SELECT '%' || regexp_replace(probe, '([%_\\\\])', '\\\\\\1', 'g') || '%' FROM unnest(probes) AS probe);
      wanted := runs || probes;
      FOR n IN 1 .. cardinality(wanted) LOOP
        passed := 0;
        FOR attempt IN 1 .. ${String(ATTEMPTS)} LOOP
          step := strpos(substring(lowered, passed + 1), lower(wanted[n]));
          EXIT WHEN step = 0;
          passed := passed + step;
          IF n > cardinality(runs) THEN
            -- Most of what begins like a word is another one: seen here, before all that is around it is looked at.
            first := greatest(passed - ${String(LONGEST_PREFIX)}, 1);
            token := substring(substring(lowered, first, passed - first) FROM '\\S*$')
                  || substring(substring(lowered, passed, ${String(LONGEST_WORD)}) FROM '^\\S*');
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
             WHERE lower(token) LIKE ANY (patterns) AND ARRAY(SELECT search_terms(configuration, token)) && terms);
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
