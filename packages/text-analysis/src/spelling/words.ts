import type { TextRange } from '../analysis.js';

/** A word to be looked up. Its range is that of the reading it was cut from. */
export interface SpelledWord extends TextRange {
  /** NFC, apostrophes straight, without soft hyphens and ligatures: as dictionaries write it. */
  word: string;
  /** No word of the paragraph stands before it in its sentence. */
  startsSentence: boolean;
}

/** Everything between white space, quotation marks, brackets and dashes: what may hold a word, or an address, or code. */
const CHUNK = /[^\s"“”„«»‹›()[\]{}<>…—–|*~`]+/gu;
/** A letter with its marks, and what joins letters to one word: apostrophes, hyphens, soft hyphens, joiners, `·`. */
const WORD =
  /['’]?[\p{L}\p{M}]+(?:[\u00AD\u200C\u200D]*(?:['’ʼ:·\-‐‑][\u00AD]*)?[\p{L}\p{M}]+)*[\u00AD]?/gu;
const EDGE_PUNCTUATION = /^[.,;:!?¿¡'’‘‚/]+|[.,;:!?'’‘/]+$/gu;
/** What is longer holds no word, and takes quadratic time. */
const LONGEST_CHUNK = 120;
/** Signs that make a chunk an identifier, a path, an address or a number. */
const NO_PROSE = /[\p{N}_\\@=#$%&+^§°]|\.\p{L}|\/\/|:\/|\/\p{L}*\/|^[/.-]/u;
const SENTENCE_END = /[.!?…:][\p{Pe}\p{Pf}"'”’]*$/u;
/** `type:index`; `API:et` in the languages that write endings so. */
const COLON_INSIDE = /\p{L}:\p{L}/u;
const COLON_ENDINGS = new Set(['sv', 'fi']);
const UPPER_INSIDE = /\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}/u;
const LIGATURE = /[ﬀ-ﬆ]/gu;

/** What French, Italian and Catalan elide before a vowel. */
const ELISION =
  /^(?:[ldjmtsnc]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|quelqu|entr|dell|nell|all|dall|sull|un|quell|quest|bell|sant|dov|com|cos)['’](?=[\p{L}])/iu;
const ELIDING = new Set(['fr', 'it', 'ca', 'oc']);

/** The words of a paragraph, as it is read, that may be looked up: no identifiers, addresses, numbers, abbreviations in capitals. */
export function spelledWords(reading: string, language: string): SpelledWord[] {
  const base = language.split('-')[0] ?? language;
  const words: SpelledWord[] = [];
  let startsSentence = true;
  for (const chunk of reading.matchAll(CHUNK)) {
    const text = chunk[0];
    const bare = text.length > LONGEST_CHUNK ? '' : text.replace(EDGE_PUNCTUATION, '');
    if (bare === '' || !isProse(bare, base)) {
      startsSentence = /[.!?]$/.test(text);
      continue;
    }
    for (const match of text.matchAll(WORD)) {
      words.push(...partsOf(match[0], chunk.index + match.index, base, startsSentence));
      startsSentence = false;
    }
    if (SENTENCE_END.test(text)) startsSentence = true;
  }
  return words;
}

function isProse(bare: string, language: string): boolean {
  if (NO_PROSE.test(bare) || UPPER_INSIDE.test(bare)) return false;
  return COLON_ENDINGS.has(language) || !COLON_INSIDE.test(bare);
}

/** As dictionaries write it. */
export function normalised(word: string): string {
  return word
    .replace(/[\u00AD\u200C\u200D]/gu, '')
    .replace(LIGATURE, (ligature) => ligature.normalize('NFKC'))
    .replace(/[’ʼ‘]/gu, "'")
    .replace(/[‐‑]/gu, '-')
    .normalize('NFC');
}

function partsOf(
  raw: string,
  at: number,
  language: string,
  startsSentence: boolean,
): SpelledWord[] {
  let start = at;
  let rest = raw;
  // A quotation mark, except where the word begins with one: 's-Gravenhage, 't.
  if (/^['’]/u.test(rest) && !(language === 'nl' && /^['’][stnkrSTNKR](?![\p{L}])/u.test(rest))) {
    rest = rest.slice(1);
    start += 1;
  }
  const elided = ELIDING.has(language) ? ELISION.exec(rest)?.[0] : undefined;
  if (elided !== undefined && !WHOLE.has(normalised(rest).toLowerCase())) {
    rest = rest.slice(elided.length);
    start += elided.length;
  }
  return [{ word: normalised(rest), start, end: start + rest.length, startsSentence }];
}

/** Words that hold an apostrophe of their own. */
const WHOLE = new Set([
  "aujourd'hui",
  "d'accord",
  "quelqu'un",
  "quelqu'une",
  "d'abord",
  "d'ailleurs",
]);
