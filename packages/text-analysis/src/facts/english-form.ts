import { readSections, wordsIn } from '../data-file.js';
import type { Sentence } from '../text/text-parts.js';

const LISTS = readSections(import.meta.url, 'english-form.txt');

const PRONOUNS = new Set(wordsIn(LISTS, 'pronoun'));

/** For each function word, the words that may not follow it. */
const IMPOSSIBLE = new Map(
  ['determiner', 'preposition', 'modal'].flatMap((group) => {
    const followers: ReadonlySet<string> = new Set(wordsIn(LISTS, `after ${group}`));
    return wordsIn(LISTS, group).map((word) => [word, followers] as const);
  }),
);

/** Minimum share of articles in a text without pronouns. Good texts have 0.058 and more (10th percentile). */
const FEWEST_ARTICLES = 0.03;
/** Share of pronouns from which a text needs no articles. Letters have up to 0.2: pronouns replace nouns. */
const MANY_PRONOUNS = 0.3;
/** Number of words in paragraphs from which list items are ignored. They often omit articles. */
const WORDS_OF_PROSE = 60;
/** Lowest factors for missing articles, in prose and in lists. */
const FLOOR = 0.3;
const FLOOR_OF_LISTS = 0.8;

/** A single impossible pair may be a slip or a quotation. */
const ALLOWED = 1;
/** Share of impossible pairs up to which words are in order, and from which they are scrambled. */
const FEW_IMPOSSIBLE = 0.03;
const MANY_IMPOSSIBLE = 0.12;
/** Value of a language model up to which words are scrambled. Good texts have 0.75 and more, scrambled ones 0.15. */
const ORDERED = 0.5;

/**
 * Returns a factor from 0.3 to 1 that is below 1 if articles are missing in an English text. One article more than there
 * are is assumed, so it is 1 for texts of fewer than 34 words.
 */
export function articleFactor(sentences: readonly Sentence[]): number {
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

/**
 * Returns a factor from 0.3 to 1 that is below 1 if the words of an English text are in a wrong order. `byModel` is the
 * mean of ln(P(word | context) / P(word)) in a language model, or null without a model.
 */
export function orderFactor(sentences: readonly Sentence[], byModel: number | null): number {
  const byPairs =
    (MANY_IMPOSSIBLE - impossiblePairs(sentences)) / (MANY_IMPOSSIBLE - FEW_IMPOSSIBLE);
  return Math.max(FLOOR, Math.min(1, byPairs, byModel === null ? 1 : byModel / ORDERED));
}

/**
 * Returns the share of determiners, prepositions and modal verbs before a word that may not follow them. It is at most
 * 0.02 in 769 READMEs and change logs of at least 80 words, and at least 0.12 in texts with scrambled words.
 */
function impossiblePairs(sentences: readonly Sentence[]): number {
  let pairs = 0;
  let impossible = 0;
  for (const { stretches } of sentences) {
    for (const stretch of stretches) {
      let followers: ReadonlySet<string> | undefined;
      for (const word of stretch) {
        // `US` and `IT` are not pronouns.
        const lower = word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase();
        if (followers) pairs += 1;
        if (followers?.has(lower)) impossible += 1;
        followers = IMPOSSIBLE.get(lower);
      }
    }
  }
  return Math.max(0, impossible - ALLOWED) / Math.max(1, pairs);
}

function wordsOf(sentences: readonly Sentence[]): string[] {
  return sentences.flatMap(({ words }) => words);
}
