import type { TextRange } from '../analysis.js';
import { MASK, withTerms, type Paragraph } from '../text/prose.js';
import { sentencesOf, wordsOf } from '../text/sentences.js';
import { likeCase } from '../english/word-forms.js';

/** A paragraph with its language. */
export interface Passage {
  paragraph: Paragraph;
  /** BCP 47 code. */
  language: string;
}

/** A word of a passage. The range is relative to the paragraph. */
export interface Word extends TextRange {
  text: string;
  lower: string;
  /** True if any word would be capitalized here: at the start of a sentence, and in headings and cells. */
  isCapitalPlace: boolean;
  /** The words directly before and after it, separated by a space or line break. Empty if there is none. */
  before: string;
  after: string;
}

/** An English passage with its words. */
export interface ReadPassage extends Passage {
  words: readonly Word[];
}

export function isEnglish(language: string): boolean {
  return language === 'en' || language.startsWith('en-');
}

/**
 * Returns the words of a passage, including identifiers such as `GitHub`, but without words in quotation marks and words
 * that are partly emphasized.
 */
export function wordsOfPassage({ paragraph, language }: Passage): Word[] {
  const { prose } = withTerms(paragraph);
  const quoted = quotations(prose);
  const starts = new Set(
    sentencesOf(prose, language).map(({ start }) => firstLetter(prose, start)),
  );
  const isTitled = paragraph.kind === 'heading' || paragraph.kind === 'cell';
  const ranges = wordsOf(prose);
  const words: Word[] = [];
  let nextQuote = 0;
  for (const [index, { start, end }] of ranges.entries()) {
    while ((quoted[nextQuote]?.end ?? Infinity) <= start) nextQuote += 1;
    if ((quoted[nextQuote]?.start ?? Infinity) < end) continue;
    if (isPartOfWord(prose, start, end)) continue;
    const text = prose.slice(start, end);
    const [last, next] = [ranges[index - 1], ranges[index + 1]];
    words.push({
      start,
      end,
      text,
      lower: text.toLowerCase(),
      isCapitalPlace: isTitled || starts.has(start),
      before: last && isBlank(prose, last.end, start) ? prose.slice(last.start, last.end) : '',
      after: next && isBlank(prose, end, next.start) ? prose.slice(next.start, next.end) : '',
    });
  }
  return words;
}

/** A line break may have two characters. */
const MOST_BLANKS = 2;

function isBlank(prose: string, from: number, to: number): boolean {
  return to <= from + MOST_BLANKS && /^(?: |\r?\n)$/.test(prose.slice(from, to));
}

/** Returns words that only a space or a line break separates. */
export function* neighbors(words: readonly Word[]): Generator<[first: Word, second: Word]> {
  for (const [index, first] of words.entries()) {
    const second = words[index + 1];
    const isNext = second !== undefined && second.start <= first.end + MOST_BLANKS;
    if (isNext && first.after === second.text) yield [first, second];
  }
}

/** Quotations of at most this length, in UTF-16 units. Other marks are unbalanced. */
const LONGEST_QUOTATION = 1_000;
const QUOTATION = new RegExp(
  [
    `"[^"\\n]{1,${String(LONGEST_QUOTATION)}}"`,
    `“[^“”]{1,${String(LONGEST_QUOTATION)}}”`,
    `„[^„“”]{1,${String(LONGEST_QUOTATION)}}[“”]`,
    `«[^«»]{1,${String(LONGEST_QUOTATION)}}»`,
    `(?<![\\p{L}\\p{N}])‘[^‘\\n]{1,200}?’(?![\\p{L}\\p{N}])`,
    `(?<![\\p{L}\\p{N}])'[^'\\n]{1,200}'(?![\\p{L}\\p{N}])`,
  ].join('|'),
  'gu',
);

/** Returns the ranges in quotation marks, in order. Somebody else chose these words. */
export function quotations(prose: string): TextRange[] {
  if (!/["“„«‘']/.test(prose)) return [];
  return [...prose.matchAll(QUOTATION)].map(({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
  }));
}

/** Returns a function that tells whether a position is in one of the ranges. Call it with ascending positions. */
export function inRanges(ranges: readonly TextRange[]): (at: number) => boolean {
  let next = 0;
  return (at) => {
    while ((ranges[next]?.end ?? Infinity) <= at) next += 1;
    return (ranges[next]?.start ?? Infinity) <= at;
  };
}

function firstLetter(prose: string, start: number): number {
  const skipped = /^[^\p{L}\p{N}]{0,40}/u.exec(prose.slice(start, start + 40))?.[0] ?? '';
  return start + skipped.length;
}

const LETTER = /[\p{L}\p{N}]/u;

/** Returns true if only masks, such as emphasis markers, separate the word from more letters. */
function isPartOfWord(prose: string, start: number, end: number): boolean {
  const touches = (at: number, step: 1 | -1) => {
    if (prose[at] !== MASK) return false;
    let next = at;
    while (prose[next] === MASK) next += step;
    return LETTER.test(prose[next] ?? ' ');
  };
  return touches(start - 1, -1) || touches(end, 1);
}

/** A place where a passage uses a word or term. */
export interface Use {
  passage: ReadPassage;
  start: number;
  end: number;
  text: string;
}

/** Returns a word with the capitals of another one: `COLOR` and `Color` for `COLOUR` and `Colour`. */
export function withCapitalsOf(model: string, word: string): string {
  if (model.length > 1 && model === model.toUpperCase() && model !== model.toLowerCase())
    return word.toUpperCase();
  return likeCase(model, word);
}

export function isCapitalized(word: string): boolean {
  return /^\p{Lu}/u.test(word);
}

/** `1 time`, `6 times`. */
export function times(count: number): string {
  return `${String(count)} ${count === 1 ? 'time' : 'times'}`;
}

/** A majority decides if it is three times as frequent as the rest, and at least this frequent. */
const LEAST_MAJORITY = 3;
const MAJORITY_FACTOR = 3;

export function outweighs(majority: number, rest: number): boolean {
  return majority >= LEAST_MAJORITY && majority >= MAJORITY_FACTOR * rest;
}
