import { WITHOUT_PATTERN } from '../document-search/matching.js';

/**
 * A search in words as conditions on terms: a document matches when all literals of a branch hold. A branch is one
 * alternative of the search in one language of the account; its literal 0 are the filters. What terms cannot tell
 * (`phrase`, `runs`) is looked up in the texts, but for a `loose` literal, of which the parts are enough.
 */
export const LITERALS_FUNCTION = `CREATE OR REPLACE FUNCTION search_literals(request json, configurations text[]) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
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
           (literal.value ->> 'phrase')::boolean AS quoted,
           coalesce((literal.value ->> 'loose')::boolean, false) AS loose
      FROM unnest(configurations) WITH ORDINALITY AS language(configuration, n)
      CROSS JOIN json_array_elements(request -> 'groups') WITH ORDINALITY AS alternative(value, n)
      CROSS JOIN json_array_elements(alternative.value) WITH ORDINALITY AS literal(value, n)
  ), known AS (
    SELECT asked.*, search_asked_terms(configuration, words) AS terms,
           ARRAY(SELECT run FROM search_runs(words) AS run WHERE length(run) > 2 AND NOT loose) AS runs,
           CASE WHEN quoted AND NOT loose THEN search_phrase(configuration, words) END AS phrase
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
$$`;
