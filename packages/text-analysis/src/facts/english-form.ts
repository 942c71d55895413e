import { readSections, wordsIn } from '../data-file.js';
import type { Sentence } from '../text/text-parts.js';

const LISTS = readSections(import.meta.url, 'english-form.txt');

const PRONOUNS = new Set(wordsIn(LISTS, 'pronoun'));

/** Minimum share of articles in a text without pronouns. Good texts have 0.058 and more (10th percentile). */
const FEWEST_ARTICLES = 0.03;
/** Share of pronouns from which a text needs no articles. Letters have up to 0.2: pronouns replace nouns. */
const MANY_PRONOUNS = 0.3;
/** Number of words in paragraphs from which list items are ignored. They often omit articles. */
const WORDS_OF_PROSE = 60;
/** Lowest factor, and the lowest one for missing articles in lists. */
const FLOOR = 0.3;
const FLOOR_OF_LISTS = 0.8;

/** Minimum number of words in a stretch of a text. Articles and word order vary too much in fewer words. */
const WORDS_OF_STRETCH = 60;

/** Returns the value of `wordOrderOf` for some sentences of an English text, or null if it is unknown. */
export type WordOrder = (sentences: readonly Sentence[]) => number | null;

/**
 * Returns a factor from 0.3 to 1 that is below 1 if articles are missing in an English text, or if its words are in a wrong
 * order. It is that of the whole text or, if lower, the mean of its stretches, so that a good half does not hide a bad one.
 */
export function formFactor(sentences: readonly Sentence[], wordOrder: WordOrder | null): number {
  const factorOf = (some: readonly Sentence[]) =>
    articleFactor(some) * orderFactor(wordOrder?.(some) ?? 0);
  let sum = 0;
  let words = 0;
  for (const stretch of stretchesOf(sentences)) {
    const length = wordsOf(stretch).length;
    sum += length * factorOf(stretch);
    words += length;
  }
  return Math.min(factorOf(sentences), sum / Math.max(1, words));
}

/** Cuts sentences into stretches, at the ends of paragraphs unless they are long. */
function stretchesOf(sentences: readonly Sentence[]): Sentence[][] {
  const stretches: Sentence[][] = [];
  let stretch: Sentence[] = [];
  let words = 0;
  for (const [index, sentence] of sentences.entries()) {
    stretch.push(sentence);
    words += sentence.words.length;
    const isEnd = sentences[index + 1]?.paragraph !== sentence.paragraph;
    if (words < (isEnd ? WORDS_OF_STRETCH : 2 * WORDS_OF_STRETCH)) continue;
    stretches.push(stretch);
    [stretch, words] = [[], 0];
  }
  // What is left is too short for a stretch of its own.
  const last = stretches.pop() ?? [];
  return [...stretches, [...last, ...stretch]];
}

/**
 * Returns a factor from 0.3 to 1 that is below 1 if articles are missing in an English text. One article more than there
 * are is assumed, so it is 1 for texts of fewer than 34 words.
 */
function articleFactor(sentences: readonly Sentence[]): number {
  const prose = sentences.filter(({ paragraph }) => paragraph.kind !== 'list-item');
  const inProse = wordsOf(prose);
  const isProse = inProse.length >= WORDS_OF_PROSE;
  // List items without a period are notes.
  const words = isProse
    ? inProse
    : wordsOf(
        sentences.filter(
          (one) => one.paragraph.kind !== 'list-item' || /[.!?]$/u.test(one.reading),
        ),
      );
  let articles = 0;
  let pronouns = 0;
  for (const word of words) {
    const lower = /^[^'’]*/u.exec(word.toLowerCase())?.[0] ?? '';
    if (lower === 'the' || lower === 'a' || lower === 'an') articles += 1;
    else if (PRONOUNS.has(lower)) pronouns += 1;
  }
  const needed = FEWEST_ARTICLES * (words.length - pronouns / MANY_PRONOUNS);
  const factor = needed > 0 ? Math.min(1, (articles + 1) / needed) : 1;
  return Math.max(isProse ? FLOOR : FLOOR_OF_LISTS, factor);
}

/** Returns a factor from 0.3 to 1. `wordOrder` is the value of `wordOrderOf`: below 0 if the words are in a wrong order. */
function orderFactor(wordOrder: number): number {
  return Math.max(FLOOR, Math.min(1, 1 + wordOrder));
}

function wordsOf(sentences: readonly Sentence[]): string[] {
  return sentences.flatMap(({ words }) => words);
}
