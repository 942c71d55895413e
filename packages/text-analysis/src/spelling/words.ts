import type { TextRange } from '../analysis.js';
import { baseLanguage } from '../language/base-language.js';

/** A word to look up. Its range is in the reading. */
export interface SpelledWord extends TextRange {
  /** The word as dictionaries spell it: NFC, straight apostrophes, no soft hyphens or ligatures. */
  word: string;
  /** True for the first word of a sentence in the paragraph. */
  startsSentence: boolean;
}

/** Text between white space, quotation marks, brackets and dashes: a word, an address or code. */
const CHUNK = /[^\s"“”„«»‹›()[\]{}<>…—–|*~`]+/gu;
/** A letter with its marks, and the characters that join words: apostrophes, hyphens, soft hyphens, joiners, `·`. */
const WORD =
  /['’]?[\p{L}\p{M}]+(?:[\u00AD\u200C\u200D]*(?:['’ʼ:·\-‐‑][\u00AD]*)?[\p{L}\p{M}]+)*[\u00AD]?/gu;
const EDGE_PUNCTUATION = /^[.,;:!?¿¡'’‘‚/]+|[.,;:!?'’‘/]+$/gu;
/** Maximum length. Longer chunks contain no word and take quadratic time. */
const LONGEST_CHUNK = 120;
/** Signs of an identifier, path, address or number. */
const NO_PROSE = /[\p{N}_\\@=#$%&+^§°]|\.\p{L}|\/\/|:\/|\/\p{L}*\/|^[/.-]/u;
const SENTENCE_END = /[.!?…:][\p{Pe}\p{Pf}"'”’]*$/u;
/** `type:index`, or `API:et` in languages that write endings this way. */
const COLON_INSIDE = /\p{L}:\p{L}/u;
const COLON_ENDINGS = new Set(['sv', 'fi']);
const UPPER_INSIDE = /\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}/u;
const LIGATURE = /[ﬀ-ﬆ]/gu;

/** Elided articles and pronouns of French, Italian and Catalan. */
const ELISION =
  /^(?:[ldjmtsnc]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|quelqu|entr|dell|nell|all|dall|sull|un|quell|quest|bell|sant|dov|com|cos)['’](?=[\p{L}])/iu;
const ELIDING = new Set(['fr', 'it', 'ca', 'oc']);

/** Returns the words of a reading to look up. Skips identifiers, addresses, numbers and abbreviations in capitals. */
export function spelledWords(reading: string, language: string): SpelledWord[] {
  const base = baseLanguage(language);
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

export function isCapitalized(word: string): boolean {
  const first = word.charAt(0);
  return first !== first.toLowerCase();
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Spells a word as dictionaries do. */
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
  // A quotation mark, unless the word starts with an apostrophe: 's-Gravenhage, 't.
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

/** Words with an apostrophe. */
const WHOLE = new Set([
  "aujourd'hui",
  "d'accord",
  "quelqu'un",
  "quelqu'une",
  "d'abord",
  "d'ailleurs",
]);
