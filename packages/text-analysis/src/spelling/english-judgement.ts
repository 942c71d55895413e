import type { Replacement } from '../analysis.js';
import type { SpellingCandidate } from './english-candidates.js';

/** What is known about a word that no dictionary contains. */
export interface SpellingEvidence {
  /** In lower case, with straight apostrophes, without the ending `'s`. */
  word: string;
  isCapitalized: boolean;
  /** Best first. */
  candidates: readonly SpellingCandidate[];
  /** True if the first candidate is the correction of a very common mistake. */
  isKnownMistake: boolean;
  /** True for words that look built from known words (`userspace`) or from a word and an affix (`hookable`). */
  isDerived: boolean;
  /** True if the code of the text contains the word. See `codeWords`. */
  isInCode: boolean;
  /** True if the word is common in another language. */
  isForeign: boolean;
  /** True if English texts mostly capitalize the word, or if another language has this name. */
  isListedName: boolean;
}

/** Where a capitalized word stands. */
export type CapitalPosition =
  /** The first word of a sentence. A lower-case word follows. */
  | 'sentence-start'
  /** The first word of a sentence, before `I`. */
  | 'before-i'
  /** The first word of a sentence, before another capital, or the only word of a cell. */
  | 'before-capital'
  /** The only word of a heading or label, in any case, or the first one if its words are all capitalized. */
  | 'title-start'
  /** Within a heading or label whose words are all capitalized. */
  | 'title'
  /** Within a sentence, between words in lower case. */
  | 'mid-sentence';

/** Minimum length of the word and minimum frequency of its replacement where it may be a name. */
const CAPITAL_LIMITS: Readonly<
  Record<Exclude<CapitalPosition, 'sentence-start'>, { length: number; frequency: number }>
> = {
  'before-i': { length: 6, frequency: 1 },
  'before-capital': { length: 8, frequency: 1 },
  'title-start': { length: 6, frequency: 1 },
  title: { length: 6, frequency: 2 },
  'mid-sentence': { length: 8, frequency: 2 },
};

const TECHNICAL_ENDING = /(?:ers?|able|ized?|ization|less|ness|ies|ality|ations?|ism|ist|ics|ity)$/;

/**
 * Returns the probability that the word is a mistake rather than a rare word: a logistic regression. Its weights were
 * fitted on texts of learners and Markdown documents whose mistakes are marked.
 */
export function probabilityOfMistake(evidence: SpellingEvidence): number {
  const { word, candidates } = evidence;
  const [first] = candidates;
  const cost = costOf(first);
  const length = Math.min(14, word.length) / 10;
  return logistic(
    0.58 -
      0.48 * cost +
      0.72 * (first?.frequency ?? 0) +
      1.1 * length +
      (evidence.isDerived ? -0.83 : 0) +
      (evidence.isInCode ? -1.13 : 0) +
      (evidence.isForeign ? -0.9 : 0) +
      (first ? 0 : 2.3) +
      (isTwoWords(first) ? 1.51 : 0) +
      0.59 * (Math.min(3, gapOf(candidates, 3)) / 3) +
      (evidence.isKnownMistake ? 0.82 : 0) +
      (/['-]/.test(word) ? 0.21 : 0) +
      (/[aeiouy]/.test(word) ? 0 : 0.71) +
      (word.length <= 3 ? -3.05 : 0) -
      1.19 * cost * length +
      (TECHNICAL_ENDING.test(word) ? -0.32 : 0),
  );
}

/** Short words are often abbreviations or commands. */
const SHORT = 5;
const VERY_SHORT = 3;
/** Probability from which a mistake is reported without a clear replacement. */
const VERY_LIKELY = 0.89;

/**
 * Returns true for an abbreviation, command or file extension. It resembles common words by chance, because it has few
 * letters: `emacs` and `means`, `amd` and `and`.
 */
export function isAbbreviation({ word, candidates }: SpellingEvidence): boolean {
  const [first] = candidates;
  if (word.length > SHORT || !first) return false;
  if (word.length < VERY_SHORT) return true;
  if (word.length === VERY_SHORT) return first.cost > 0.6 || first.frequency < 5;
  return first.cost > 1.3;
}

/**
 * Returns true if several words are equally far: jargon resembles many words by chance, such as `oidset` (oldest,
 * outset) and `prio` (pro, prior). Very likely mistakes are reported anyway.
 */
export function hasNoClearReplacement(evidence: SpellingEvidence, probability: number): boolean {
  return (
    evidence.candidates.length > 0 &&
    probability < VERY_LIKELY &&
    chanceOfFirst(evidence, evidence.candidates, probability) < 0.5
  );
}

/**
 * Returns false for a capitalized word that is probably a name: its candidate is not close and frequent enough. Many
 * names differ from a word by one letter.
 */
export function isMistakeDespiteCapital(
  { word, candidates, isForeign, isListedName, isKnownMistake }: SpellingEvidence,
  position: CapitalPosition,
): boolean {
  const [first] = candidates;
  if (!first || isListedName) return false;
  if (isKnownMistake && (position === 'sentence-start' || position === 'before-i')) return true;
  if (position === 'sentence-start') return isMistakeAtStart(word.length, first);
  const { length, frequency } = CAPITAL_LIMITS[position];
  const isClose = first.cost <= (word.length >= 8 ? 1 : 0.8);
  return word.length >= length && isClose && first.frequency >= frequency && !isForeign;
}

/** The shorter the word, the closer and more frequent its replacement must be. */
function isMistakeAtStart(length: number, { cost, frequency }: SpellingCandidate): boolean {
  if (length >= 8) return cost <= 1 && frequency >= 1;
  if (length >= 6) return cost <= 0.8 && frequency >= 2;
  return length === 5 ? cost <= 0.8 && frequency >= 4 : cost <= 0.6 && frequency >= 5;
}

/** Maximum confidence of a first replacement that does not meet all conditions of a certain one. */
const UNCERTAIN = 0.89;
/** Confidence of a replacement that is right in about 95 of 100 cases. */
const CERTAIN = 0.95;
/** Maximum cost of the edits and minimum frequency of a replacement that no person needs to review. */
const MOST_CERTAIN_COST = 1.2;
const LEAST_CERTAIN_FREQUENCY = 1;

/** Weight of the language model against the score of a candidate. Chosen on misspelled words in edited and technical texts. */
const WEIGHT_OF_CONTEXT = 0.25;

/**
 * Returns the natural logarithm of the probability of words in the place of the misspelled one, including their effect on
 * the words after them.
 */
export type LogProbability = (words: readonly string[]) => number;

/**
 * Returns replacements with their chances of being right, best first, spelled in lower case. `probability` is
 * `probabilityOfMistake(evidence)`. The first replacement is certain only if it is the best with and without its context.
 */
export function judgedReplacements(
  evidence: SpellingEvidence,
  probability: number,
  logProbability: LogProbability,
): Replacement[] {
  const { candidates } = evidence;
  const ranked = candidates
    .map((one) => ({
      ...one,
      score: one.score + WEIGHT_OF_CONTEXT * logProbability(one.word.toLowerCase().split(' ')),
    }))
    .sort((a, b) => b.score - a.score);
  const [first, ...others] = ranked;
  if (!first) return [];
  const chance = chanceOfFirst(evidence, ranked, probability);
  const isCertain =
    first.word === candidates[0]?.word &&
    Math.min(chance, chanceOfFirst(evidence, candidates, probability)) >= 0.85 &&
    probability >= 0.8 &&
    isPlain(evidence, first);
  const confidence = isCertain ? CERTAIN : Math.min(UNCERTAIN, chance);
  const weights = others.map(({ score }) => Math.exp(2 * (score - first.score)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return [
    { value: first.word, confidence: rounded(confidence) },
    ...others.map((other, index) => ({
      value: other.word,
      // The others share the rest, but are never more likely than the first.
      confidence: rounded(Math.min(confidence, ((1 - confidence) * (weights[index] ?? 0)) / sum)),
    })),
  ];
}

/**
 * Returns true if the change needs no review as far as the two words tell. False for short words, foreign words and
 * names, and for a replacement that is rare or far: `pierogi` is not `pirogi`, and `nowait` is not `no wait`.
 */
function isPlain(
  { word, isCapitalized, isForeign, isListedName, isKnownMistake }: SpellingEvidence,
  { cost, frequency }: SpellingCandidate,
): boolean {
  if (word.length < (isCapitalized ? 8 : 5) || isForeign || isListedName) return false;
  return isKnownMistake || (cost <= MOST_CERTAIN_COST && frequency >= LEAST_CERTAIN_FREQUENCY);
}

/** Returns the chance that the first candidate is the intended word: a logistic regression like the one above. */
function chanceOfFirst(
  { word, isKnownMistake }: SpellingEvidence,
  candidates: readonly SpellingCandidate[],
  probability: number,
): number {
  const [first, second] = candidates;
  return logistic(
    0.45 +
      0.91 * Math.min(4, gapOf(candidates, 4)) -
      1.14 * costOf(first) -
      0.39 * ((first?.frequency ?? 0) / 3) +
      0.19 * (word.length / 10) +
      0.83 * probability +
      (second ? 0 : -0.77) +
      (isKnownMistake ? 1.43 : 0) +
      (isTwoWords(first) ? 0.73 : 0),
  );
}

function costOf(first: SpellingCandidate | undefined): number {
  return Math.min(3, first?.cost ?? 3);
}

/** Returns how far the first candidate is ahead of the second, or `alone` without a second. */
function gapOf([first, second]: readonly SpellingCandidate[], alone: number): number {
  if (!first) return 0;
  return second ? first.score - second.score : alone;
}

function isTwoWords(candidate: SpellingCandidate | undefined): boolean {
  return candidate?.word.includes(' ') ?? false;
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Rounds to two digits. Never returns 0. */
function rounded(confidence: number): number {
  return Math.max(0.01, Math.round(confidence * 100) / 100);
}
