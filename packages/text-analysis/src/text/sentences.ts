import type { TextRange } from '../analysis.js';
import { readSections, wordsIn } from '../data-file.js';
import { isLowSurrogate } from './prose.js';

/** Words before a period that does not end a sentence, without the period, in lower case. */
const ABBREVIATIONS = new Set(wordsIn(readSections(import.meta.url, 'abbreviations.txt'), ''));

/** Languages that write ordinals as a number with a period. */
const ORDINAL_LANGUAGES = new Set([
  'de',
  'da',
  'pl',
  'nb',
  'no',
  'fi',
  'cs',
  'sk',
  'hu',
  'hr',
  'sl',
  'et',
]);

const BOUNDARY =
  /[.!?…‽]+["'”’»)\]￼]*(?=\s)|[。！？｡]+["'”’」』）]*|[؟۔।]+(?=\s|$)|\n[ \t]*\r?\n\s*/gu;

/** Maximum length of a sentence, in UTF-16 units. Longer ones are cut at a space, because rules may take quadratic time. */
const LONGEST_SENTENCE = 1_500;

/** Returns the sentences of a paragraph, without white space between them. Takes linear time. */
export function sentencesOf(prose: string, language = 'en'): TextRange[] {
  const sentences: TextRange[] = [];
  let start = 0;
  const isLowerCase = isWithoutCapitals(prose);
  for (const match of prose.matchAll(BOUNDARY)) {
    const end = match.index + match[0].length;
    const ends = isLowerCase
      ? isPlainEnd(prose, start, match.index, end, language)
      : endsSentence(prose, start, match.index, end, language);
    if (!ends) continue;
    addSentence(sentences, prose, start, end);
    start = end;
  }
  addSentence(sentences, prose, start, prose.length);
  return sentences;
}

/** Returns true for chat: no sentence starts with a capital. */
function isWithoutCapitals(prose: string): boolean {
  return /^\P{L}*\p{Ll}/u.test(prose) && !/[.!?…]["'”’)]?\s+["'“‘(]?\p{Lu}/u.test(prose);
}

/** Returns true if a sentence ends here and the next one may start in lower case. Full words come before its sign. */
function isPlainEnd(
  prose: string,
  start: number,
  sign: number,
  end: number,
  language: string,
): boolean {
  const [before] =
    /[\p{L}\p{M}\p{N}.'’]+$/u.exec(prose.slice(Math.max(start, sign - 40), sign)) ?? [];
  const isWord = before !== undefined && /^[\p{Ll}'’]{2,}$/u.test(before);
  const next = /^\s+(\p{Ll})/u.exec(prose.slice(end, end + 40))?.[1];
  if (!isWord || next === undefined) return endsSentence(prose, start, sign, end, language);
  if (end - sign > 1 || prose[sign] === '…') return false;
  return prose[sign] !== '.' || !isAbbreviated(before, next, language);
}

function endsSentence(
  prose: string,
  start: number,
  sign: number,
  end: number,
  language: string,
): boolean {
  if (prose[sign] !== '.' && prose[sign] !== '…') {
    // "Yahoo! is", »“Why?” she asked«
    return !/^\s+\p{Ll}/u.test(prose.slice(end, end + 40)) || prose[sign] === '\n';
  }
  const next = /^\s+["'“‘«([¿¡￼*_]*(.)/u.exec(prose.slice(end, end + 40))?.[1];
  if (next === undefined) return true;
  if (/\p{Ll}/u.test(next)) return false;
  if (prose.startsWith('..', sign)) return /\p{Lu}/u.test(next);
  const before = /[\p{L}\p{M}\p{N}.]+$/u.exec(prose.slice(Math.max(start, sign - 40), sign))?.[0];
  return !isAbbreviated(before ?? '', next, language);
}

/** Abbreviations that often end a sentence. */
const LAST_WORDS = new Set(['etc', 'usw', 'osv', 'itd', 'enz']);
/** Words that are abbreviations only before a number. */
const NUMBERED = new Set(['no', 'nos', 'fig', 'nr']);

/** Returns true for a word, in lower case, whose period need not end a sentence. */
export function isAbbreviation(word: string): boolean {
  return [ABBREVIATIONS, LAST_WORDS, NUMBERED].some((words) => words.has(word));
}

/** Returns true if the period belongs to the abbreviation, initial or ordinal before it. */
function isAbbreviated(before: string, next: string, language: string): boolean {
  if (/^\p{Lu}$/u.test(before) && before !== 'I') return true;
  if (/^\d{1,2}$/.test(before)) return ORDINAL_LANGUAGES.has(language.slice(0, 2));
  const word = before.toLowerCase();
  if (LAST_WORDS.has(word)) return false;
  return NUMBERED.has(word) ? /\d/.test(next) : ABBREVIATIONS.has(word);
}

function addSentence(sentences: TextRange[], prose: string, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && /\s/.test(prose.charAt(start))) start += 1;
  while (end > start && /\s/.test(prose.charAt(end - 1))) end -= 1;
  while (end - start > LONGEST_SENTENCE) {
    const blank = prose.lastIndexOf(' ', start + LONGEST_SENTENCE);
    const cut =
      blank > start + LONGEST_SENTENCE / 2
        ? blank + 1
        : wholeCharacter(prose, start + LONGEST_SENTENCE);
    sentences.push({ start, end: cut });
    start = cut;
  }
  if (start < end) sentences.push({ start, end });
}

/** Moves a cut by one unit if it would split a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return isLowSurrogate(text, at) ? at + 1 : at;
}

/** Letters with marks and digits, joined by apostrophes or hyphens: `don't`, `well-known`, `l'eau`. */
const WORD =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u00ad\u200c\u200d]*(?:['’‑\-·][\p{L}\p{N}][\p{L}\p{M}\p{N}\u00ad\u200c\u200d]*)*/gu;

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Maximum length of a passage for the segmenter, in UTF-16 units. Its time grows with the square of the length. */
const LONGEST_PASSAGE = 500;

/** Created on first use, because it uses memory and few texts need it. */
let segmenter: Intl.Segmenter | undefined;

/** Returns the ranges of the words in prose. */
export function wordsOf(prose: string): TextRange[] {
  const words: TextRange[] = [];
  for (const match of prose.matchAll(WORD)) {
    const word = match[0];
    if (word.charCodeAt(0) < 0xe00 || !UNSPACED.test(word)) {
      words.push({ start: match.index, end: match.index + word.length });
      continue;
    }
    segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
    for (let from = 0; from < word.length;) {
      const to = wholeCharacter(word, Math.min(word.length, from + LONGEST_PASSAGE));
      const start = match.index + from;
      for (const { segment, index, isWordLike } of segmenter.segment(word.slice(from, to))) {
        if (isWordLike) words.push({ start: start + index, end: start + index + segment.length });
      }
      from = to;
    }
  }
  return words;
}
