/** The text search configurations of PostgreSQL 15, by ISO 639-1 code; English names are their own names. */
const STEMMERS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  hy: 'armenian',
  eu: 'basque',
  ca: 'catalan',
  da: 'danish',
  nl: 'dutch',
  en: 'english',
  fi: 'finnish',
  fr: 'french',
  de: 'german',
  el: 'greek',
  hi: 'hindi',
  hu: 'hungarian',
  id: 'indonesian',
  ga: 'irish',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  no: 'norwegian',
  nb: 'norwegian',
  nn: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  es: 'spanish',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** Characters of scripts without spaces (Thai to Khmer, Chinese, Japanese, Korean), and pictures; of a bracket. */
export const UNSPACED =
  '\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f' +
  '\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf' +
  '\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff';

/** What stands between words; of a bracket. Written out, because classes depend on the locale of the database. */
const ASCII_SEPARATORS = '\\u0001-/:-@\\[-`{-\\u007f';
const SEPARATORS =
  `${ASCII_SEPARATORS}\\u0080-\\u00a9\\u00ab-\\u00b4\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7\\u00f7\\u0589\\u05be\\u05c0` +
  '\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u1680\\u2000-\\u206f\\u20a0-\\u20cf' +
  '\\u2190-\\u25ff\\u2800-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u3036\\u3037\\u303d-\\u3040' +
  '\\u30a0\\u30fb\\ufe00-\\ufe6f\\ufeff\\ufff0-\\uffff';

const STEMMER_CASES = Object.entries(STEMMERS)
  .map(([code, name]) => `WHEN '${code}' THEN '${name}' WHEN '${name}' THEN '${name}'`)
  .filter((line, index, lines) => lines.indexOf(line) === index)
  .join('\n      ');

/** What no word has in it; of a bracket. */
export const BETWEEN_WORDS = `${SEPARATORS}${UNSPACED}`;

/** How documents become terms. */
export const TERM_FUNCTIONS = [
  // The stemmer of a document: of its language, English without one, none ("simple") for other languages.
  `CREATE FUNCTION search_configuration(ai_settings json) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    language text := lower(btrim(ai_settings ->> 'language'));
  BEGIN
    IF language IS NULL OR language IN ('', 'auto') THEN RETURN 'english'; END IF;
    RETURN CASE substring(language FROM '^[a-z]+')
      ${STEMMER_CASES}
      ELSE 'simple' END;
  END
  $$`,
  // The words of a text in one spelling, with one space between them, without those of scripts without spaces.
  `CREATE FUNCTION search_words(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(value) = length(value) THEN
      RETURN btrim(regexp_replace(lower(value), '[${ASCII_SEPARATORS}]+', ' ', 'g'));
    END IF;
    IF value IS NOT NFKC NORMALIZED THEN value := normalize(value, NFKC); END IF;
    RETURN btrim(regexp_replace(lower(value), '[${BETWEEN_WORDS}]+', ' ', 'g'));
  END
  $$`,
  // The stretches of a text in scripts without spaces.
  `CREATE FUNCTION search_runs(value text) RETURNS SETOF text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(value) = length(value) THEN RETURN; END IF;
    IF value IS NOT NFKC NORMALIZED THEN value := normalize(value, NFKC); END IF;
    RETURN QUERY SELECT match[1] FROM regexp_matches(value, '[${UNSPACED}]+', 'g') AS match;
  END
  $$`,
  // The stem of a word; null for a stop word and for what is too long for one.
  `CREATE FUNCTION search_stem(configuration text, word text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(word) <= 255 THEN (ts_lexize(
      CASE configuration WHEN 'simple' THEN 'simple' ELSE configuration || '_stem' END::regdictionary, word))[1] END
  $$`,
  // The terms of what stands between white space, one for each occurrence: stems, single characters and pairs of them.
  `CREATE FUNCTION search_terms(configuration text, token text) RETURNS SETOF text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    word text;
    stem text;
    signs text[];
  BEGIN
    FOREACH word IN ARRAY string_to_array(search_words(token), ' ') LOOP
      stem := search_stem(configuration, word);
      IF stem IS NOT NULL THEN RETURN NEXT configuration || ':' || stem; END IF;
    END LOOP;
    IF octet_length(token) <> length(token) THEN
      FOR word IN SELECT search_runs(token) LOOP
        signs := string_to_array(word, NULL);
        RETURN QUERY SELECT 'gram:' || sign FROM unnest(signs) AS sign;
        RETURN QUERY SELECT 'gram:' || sign || next
          FROM unnest(signs[ : cardinality(signs) - 1], signs[2 : ]) AS pair(sign, next);
      END LOOP;
    END IF;
  END
  $$`,
  // The term of a value of a field. Long ones are known by their hash: an index entry has little room.
  `CREATE FUNCTION search_field(field text, value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(field) + octet_length(value) <= 500 THEN field || '=' || value
                ELSE '#' || encode(sha256(convert_to(field || '=' || value, 'UTF8')), 'hex') END
  $$`,
  // The name of a field of metadata in terms; its length keeps "a=b" = "c" and "a" = "b=c" apart.
  `CREATE FUNCTION search_metadata_field(path text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT 'metadata' || length(path) || ':' || path
  $$`,
  // Texts, numbers and booleans in an object, those in lists too, with their dotted paths.
  `CREATE FUNCTION json_leaves(value json, prefix text DEFAULT '') RETURNS TABLE (path text, leaf text)
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    member record;
  BEGIN
    FOR member IN SELECT key, each.value, json_typeof(each.value) AS kind FROM json_each(value) AS each LOOP
      path := prefix || member.key;
      IF member.kind = 'object' THEN
        RETURN QUERY SELECT * FROM json_leaves(member.value, path || '.');
      ELSIF member.kind = 'array' THEN
        RETURN QUERY SELECT * FROM json_items(member.value, path);
      ELSIF member.kind <> 'null' THEN
        leaf := member.value #>> '{}';
        RETURN NEXT;
      END IF;
    END LOOP;
  END
  $$`,
  `CREATE FUNCTION json_items(list json, list_path text) RETURNS TABLE (path text, leaf text)
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    item record;
  BEGIN
    FOR item IN SELECT value, json_typeof(value) AS kind FROM json_array_elements(list) LOOP
      path := list_path;
      IF item.kind = 'object' THEN
        RETURN QUERY SELECT * FROM json_leaves(item.value, list_path || '.');
      ELSIF item.kind = 'array' THEN
        RETURN QUERY SELECT * FROM json_items(item.value, list_path);
      ELSIF item.kind <> 'null' THEN
        leaf := item.value #>> '{}';
        RETURN NEXT;
      END IF;
    END LOOP;
  END
  $$`,
  // The terms of a document's fields, and which of them facets count. Days and hours answer ranges of updated_at.
  `CREATE FUNCTION search_fields(document documents) RETURNS TABLE (facet text, term text)
  LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
  DECLARE
    updated timestamp := document.updated_at AT TIME ZONE 'UTC';
  BEGIN
    term := search_field('createdBy', document.created_by::text); RETURN NEXT;
    IF document.template_id IS NOT NULL THEN
      term := search_field('templateId', document.template_id::text); RETURN NEXT;
    END IF;
    term := search_field('day', to_char(updated, 'YYYYMMDD')); RETURN NEXT;
    term := search_field('hour', to_char(updated, 'YYYYMMDDHH24')); RETURN NEXT;
    facet := 'type'; term := search_field('type', document.type); RETURN NEXT;
    facet := 'status'; term := search_field('status', document.status); RETURN NEXT;
    facet := 'language'; term := search_field('language', search_configuration(document.ai_settings)); RETURN NEXT;
    RETURN QUERY
    SELECT CASE WHEN leaves.term LIKE '#%' THEN NULL WHEN path = 'tags' THEN 'tag'
                WHEN path IN ('department', 'project') THEN path END, leaves.term
      FROM (SELECT DISTINCT path, search_field(search_metadata_field(path), leaf) AS term
              FROM json_leaves(document.metadata)) AS leaves;
  END
  $$`,
];
