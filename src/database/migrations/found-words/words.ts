import { UNSPACED } from '../document-search/terms.js';

/** Signs that may stand within what people take for one word: don't, AT&T, he/she, e-mail, node.js; of a bracket. */
const JOINING =
  '\\u0026\\u0027\\u002d-\\u002f\\u0040\\u005f\\u0060\\u00b4\\u02bb\\u02bc\\u2010\\u2011\\u2018\\u2019\\u201b';
/** They stand behind a word that is another one without them: C++, C#. */
export const TRAILING = '+#';
/** All other signs and white space. */
const SPACING =
  '\\u0001-\\u0022\\u0024\\u0025\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u007b-\\u00a9\\u00ab-\\u00b3\\u00b6-\\u00b9' +
  '\\u00bb-\\u00bf\\u00d7\\u00f7\\u0589\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965' +
  '\\u1680\\u2000-\\u200f\\u2012-\\u2017\\u201a\\u201c-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2800-\\u2bff\\u2e00-\\u2e7f' +
  '\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u3036\\u3037\\u303d-\\u3040\\u30a0\\u30fb\\ufe00-\\ufe6f\\ufeff\\ufff0-\\uffff';
/** What stands between words; of a bracket. */
export const SEPARATORS = `${SPACING}${JOINING}${TRAILING}`;
/** What no word has in it; of a bracket. */
export const BETWEEN_WORDS = `${SEPARATORS}${UNSPACED}`;

/** Marks that many people leave out when they type, by what they are written onto; others are letters of their own. */
const LEFT_OUT = [
  // Accents of Latin and Greek. In Cyrillic й, ї and ў are other letters than и, і and у.
  '(?<![\\u0400-\\u052f\\u0300-\\u036f])[\\u0300-\\u036f]+',
  // Stress in Cyrillic.
  '(?<=[аеиоуыэюяіє\\u0308])[\\u0300\\u0301]',
  // Points of Hebrew, vowel signs of Arabic and the stroke that lengthens a word there.
  '[\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7]',
  '[\\u0640\\u064b-\\u0652\\u0670]',
].join('|');
/** Whether a text may have something that is left out. */
const FOLDABLE =
  '[\\u00df-\\u024f\\u0300-\\u03ff\\u0400\\u040d\\u0450\\u0451\\u045d\\u0591-\\u05c7\\u0640-\\u0652\\u0670\\u1e00-\\u1fff]';

/** Characters of a piece of text at most. */
const PIECE = 250;

/** What a word is, and when two are the same; docs/guides/search.md says it for users. */
export const WORD_FUNCTIONS = [
  // To bring combining marks into their order takes PostgreSQL the square of their number, and it cannot be cancelled
  // meanwhile: long texts are normalized piece by piece.
  `CREATE FUNCTION search_pieces(value text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT piece[1] FROM regexp_matches(value, '.{1,100}\\S{0,100}\\s{0,50}', 'g') AS piece
  $$`,
  // The same characters, one code each, whichever way they were typed (NFKC).
  `CREATE FUNCTION search_composed(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(value) = length(value) THEN RETURN value; END IF;
    IF length(value) > ${String(PIECE)} THEN
      RETURN (SELECT string_agg(search_composed(piece), '') FROM search_pieces(value) AS piece);
    END IF;
    RETURN CASE WHEN value IS NFKC NORMALIZED THEN value ELSE normalize(value, NFKC) END;
  END
  $$`,
  // A text in lower case as it is typed without accents.
  `CREATE FUNCTION search_folded(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(value) = length(value) OR value !~ '${FOLDABLE}' THEN RETURN value; END IF;
    IF length(value) > ${String(PIECE)} THEN
      RETURN (SELECT string_agg(search_folded(piece), '') FROM search_pieces(value) AS piece);
    END IF;
    value := normalize(regexp_replace(normalize(value, NFKD), '${LEFT_OUT}', '', 'g'), NFKC);
    value := translate(value, 'øłđðħŧıĸŋςё', 'olddhtiqnσе');
    RETURN replace(replace(replace(replace(value, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  END
  $$`,
  // A text as tokens between single spaces. A token is words and stretches of scripts without spaces, joined by "-" where
  // only signs like an apostrophe stand between. Words may end with + or #. What is longer than any word is left out.
  `CREATE FUNCTION search_spelling(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    value := lower(search_composed(value COLLATE "default"));
    value := regexp_replace(value, '[${SPACING}${JOINING}]*[${SPACING}][${SEPARATORS}]*', ' ', 'g');
    value := regexp_replace(value, '[${JOINING}]+', '-', 'g');
    IF strpos(value, '+') > 0 OR strpos(value, '#') > 0 THEN
      value := regexp_replace(value, '(?<![^ -])[${TRAILING}]+|[${TRAILING}]+(?![ ${TRAILING}-]|$)', '-', 'g');
    END IF;
    IF octet_length(value) > length(value) THEN
      value := regexp_replace(value, '([${UNSPACED}]+)', '-\\1-', 'g');
    END IF;
    RETURN btrim(regexp_replace(value, '[^ ${UNSPACED}-]{255}[^ ${UNSPACED}-]+', '', 'g'));
  END
  $$`,
  // The words of a text and the characters of scripts without spaces, in their order.
  `CREATE FUNCTION search_sequence(value text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    value := search_spelling(value);
    IF octet_length(value) > length(value) THEN
      value := regexp_replace(value, '([${UNSPACED}])', ' \\1 ', 'g');
    END IF;
    RETURN string_to_array(btrim(regexp_replace(value, '[ ${TRAILING}-]+', ' ', 'g')), ' ');
  END
  $$`,
  // The stretches of a text in scripts without spaces.
  `CREATE OR REPLACE FUNCTION search_runs(value text) RETURNS SETOF text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(value) = length(value) THEN RETURN; END IF;
    RETURN QUERY SELECT match[1] FROM regexp_matches(search_composed(value), '[${UNSPACED}]+', 'g') AS match;
  END
  $$`,
  /**
   * The forms of a word under which it is found: its stem without accents, the stem of the word typed without them, for
   * which many stemmers know other rules, and that of a word with umlauts typed with ae, oe and ue. Of a stop word only
   * what it is without accents, where that is none.
   */
  `CREATE FUNCTION search_forms(configuration text, word text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    dictionary regdictionary := CASE configuration WHEN 'simple' THEN 'simple' ELSE configuration || '_stem' END;
    stem text := (ts_lexize(dictionary, word))[1];
    forms text[] := CASE WHEN stem IS NULL THEN '{}' ELSE ARRAY[stem] END;
    spelling text;
  BEGIN
    IF octet_length(word) = length(word) THEN RETURN forms; END IF;
    IF stem IS NOT NULL THEN forms := ARRAY[search_folded(stem)]; END IF;
    FOREACH spelling IN ARRAY ARRAY[word, CASE WHEN configuration IN ('english', 'german', 'simple')
                                               THEN replace(replace(replace(word, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue') END] LOOP
      stem := (ts_lexize(dictionary, search_folded(spelling)))[1];
      IF stem IS NOT NULL AND stem <> ALL (forms) THEN forms := forms || stem; END IF;
    END LOOP;
    RETURN forms;
  END
  $$`,
  `CREATE FUNCTION search_is_stop_word(configuration text, word text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ts_lexize(
      CASE configuration WHEN 'simple' THEN 'simple' ELSE configuration || '_stem' END::regdictionary, word) = '{}'
  $$`,
];
