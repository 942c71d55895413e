import type { Check, Finding, ScoreBasis, Scores } from '../analysis.js';
import type { Sentence } from '../text/text-parts.js';
import { formFactor, type WordOrder } from './english-form.js';
import { FEWEST_WORDS, type Readability, readabilityOf } from './readability.js';
import { baseLanguage } from '../language/base-language.js';

export interface TextToScore {
  sentences: readonly Sentence[];
  findings: readonly Finding[];
  readability: Readability | null;
  /** Main language of the text. */
  language: string;
  /** Share of the prose in which each check ran, 0 to 1. Checks that are missing did not run. */
  coverage: Coverage;
  /** `null` for languages other than English. */
  wordOrder: WordOrder | null;
}

export type Coverage = ReadonlyMap<Check, number>;

/** Checks for mistakes. Style rules are not among them, because they say nothing about other mistakes. */
const MISTAKES: readonly Check[] = ['spelling', 'grammar', 'punctuation', 'casing', 'repetition'];
const STYLE: readonly Check[] = ['wordiness', 'passive', 'simplicity', 'length', 'inclusive'];
const CORRECTNESS: ReadonlySet<Check> = new Set([...MISTAKES, 'house-style']);
const CLARITY: ReadonlySet<Check> = new Set(STYLE);

const WEIGHT_OF_SEVERITY = { error: 1, warning: 0.5, style: 0.25 };
/** Weighted findings per 100 words at which a score is 37 (100/e). */
const TOLERANCE = 10;
const SHARES = { correctness: 0.5, clarity: 0.3, engagement: 0.2 };

/** A check counts as done from this share of the prose, and as not done below the other one. */
const MOST_PROSE = 0.8;
const LITTLE_PROSE = 0.2;
/** Highest correctness by its basis: mistakes that no check can find must not read as none. */
const MOST_CORRECT = { full: 100, partial: 95, spelling: 90, none: 0 };
/** In languages other than English, how far `overall` may exceed correctness. */
const MOST_ABOVE_CORRECTNESS = 15;

/**
 * Words in the sentence of an average word, up to which a text is easy, and from which it gets no points. Unlike the
 * mean of sentences, short list items do not hide long sentences.
 */
const EASY_SENTENCE = 10;
const HARD_SENTENCE = 55;
/** Exponent by which points fall in between: slowly at first. */
const HARDENING = 1.5;
/** Variation of sentence length (standard deviation / mean) that counts as lively. */
const LIVELY_SPREAD = 0.5;
/** Mean words per sentence up to which variation counts fully, and from which it does not: the sentences run on. */
const LIVELY_SENTENCE = 30;
const RUN_ON_SENTENCE = 45;
/** Number of words in which different words are counted. Without a window, their share would fall with the length. */
const WINDOW = 50;
const RICH_VOCABULARY = 0.8;
const POOR_VOCABULARY = 0.4;
/** Share of passive sentences that removes all points. */
const PASSIVE_LIMIT = 0.5;
/** Minimum number of words of a sentence that counts as repeated. */
const REPEATED_WORDS = 5;

/** Scores of a text without prose. */
export const NO_SCORES: Scores = {
  overall: null,
  correctness: null,
  clarity: null,
  engagement: null,
  basis: { correctness: 'none', clarity: 'none', engagement: 'none' },
};

/** Returns {@link NO_SCORES} for texts of fewer than five words. */
export function scoresOf(text: TextToScore, source: string): Scores {
  const { findings, coverage, language } = text;
  // Repeated sentences lower engagement. They change nothing else.
  const { sentences, repeatedShare } = withoutRepeated(text.sentences, source);
  const readability = repeatedShare > 0 ? readabilityOf(sentences, language) : text.readability;
  const words = countWords(sentences);
  if (words < FEWEST_WORDS) return NO_SCORES;
  const isEnglish = baseLanguage(language) === 'en';
  const basis = basisOf(coverage, isEnglish);
  const form = isEnglish ? formFactor(sentences, text.wordOrder) : 1;
  const correctness =
    basis.correctness === 'none'
      ? null
      : Math.min(MOST_CORRECT[basis.correctness], freeOf(findings, CORRECTNESS, words) * form);
  const clarity = (ease(sentences, readability) + freeOf(findings, CLARITY, words)) / 2;
  const parts = [vocabulary(sentences), rhythm(sentences)];
  if (basis.engagement === 'full') parts.push(active(sentences, findings));
  const engagement = mean(parts) * (1 - repeatedShare);
  return {
    overall: overallOf({ correctness, clarity, engagement }, isEnglish),
    correctness: correctness === null ? null : Math.round(correctness),
    clarity: Math.round(clarity),
    engagement: Math.round(engagement),
    basis,
  };
}

function overallOf(
  scores: { correctness: number | null; clarity: number; engagement: number },
  isEnglish: boolean,
): number | null {
  const { correctness, clarity, engagement } = scores;
  if (correctness === null) return null;
  const sum =
    correctness * SHARES.correctness + clarity * SHARES.clarity + engagement * SHARES.engagement;
  const most = isEnglish ? 100 : Math.round(correctness) + MOST_ABOVE_CORRECTNESS;
  return Math.min(most, Math.round(sum));
}

function basisOf(coverage: Coverage, isEnglish: boolean): ScoreBasis {
  const ran = (check: Check) => (coverage.get(check) ?? 0) >= MOST_PROSE;
  const seen = MISTAKES.filter((check) => (coverage.get(check) ?? 0) >= LITTLE_PROSE);
  const onlySpelling = seen.length === 1 && seen[0] === 'spelling' && ran('spelling');
  const some = seen.length === 0 ? 'none' : onlySpelling ? 'spelling' : 'partial';
  const style = STYLE.every(ran) ? 'full' : 'partial';
  return {
    correctness: MISTAKES.every(ran) ? 'full' : some,
    clarity: isEnglish ? style : 'sentence length',
    engagement: isEnglish && ran('passive') ? 'full' : 'partial',
  };
}

/** Returns the first use of each sentence, and the share of words in sentences that occur more than once. */
function withoutRepeated(
  sentences: readonly Sentence[],
  source: string,
): { sentences: Sentence[]; repeatedShare: number } {
  const uses = new Map<string, number>();
  const keys = sentences.map(({ words, range }) => {
    if (!range || words.length < REPEATED_WORDS) return null;
    // The source tells sentences apart that differ only in code.
    const key = source
      .slice(range.start, range.end)
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}`]+/gu, ' ')
      .trim();
    uses.set(key, (uses.get(key) ?? 0) + 1);
    return key;
  });
  const seen = new Set<string>();
  let repeated = 0;
  const distinct = sentences.filter(({ words }, index) => {
    const key = keys[index] ?? null;
    if (key === null) return true;
    if ((uses.get(key) ?? 0) > 1) repeated += words.length;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
  return { sentences: distinct, repeatedShare: repeated / Math.max(1, countWords(sentences)) };
}

/** Returns 100 without findings. Each finding per 100 words removes about a tenth of the rest. */
function freeOf(findings: readonly Finding[], checks: ReadonlySet<Check>, words: number): number {
  let weight = 0;
  for (const { category, severity } of findings)
    if (checks.has(category)) weight += WEIGHT_OF_SEVERITY[severity];
  return 100 * Math.exp(-((weight / words) * 100) / TOLERANCE);
}

/** Scores how easy sentences are to read: by length, and in English also by Flesch's formula. The lower one counts. */
function ease(sentences: readonly Sentence[], readability: Readability | null): number {
  const lengths = lengthsOf(sentences);
  const ofWord = mean(lengths.map((length) => length ** 2)) / mean(lengths);
  const excess = within((ofWord - EASY_SENTENCE) / (HARD_SENTENCE - EASY_SENTENCE));
  const byLength = 100 * (1 - excess ** HARDENING);
  if (!readability) return byLength;
  // Good technical prose scores around 50, which is fine.
  return Math.min(byLength, 100 * within((readability.fleschReadingEase.value + 10) / 60));
}

/** Returns the share of different words, averaged over windows. */
function vocabulary(sentences: readonly Sentence[]): number {
  const words = sentences.flatMap((sentence) => sentence.words.map((word) => word.toLowerCase()));
  const width = Math.min(WINDOW, words.length);
  const counts = new Map<string, number>();
  let sum = 0;
  for (const [index, word] of words.entries()) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    if (index >= width) {
      const gone = words[index - width] ?? '';
      const left = (counts.get(gone) ?? 1) - 1;
      if (left === 0) counts.delete(gone);
      else counts.set(gone, left);
    }
    if (index >= width - 1) sum += counts.size / width;
  }
  const share = sum / (words.length - width + 1);
  return 100 * within((share - POOR_VOCABULARY) / (RICH_VOCABULARY - POOR_VOCABULARY));
}

/** Scores how much sentence lengths vary. A single sentence gets full points, unless it is very long. */
function rhythm(sentences: readonly Sentence[]): number {
  const lengths = lengthsOf(sentences);
  const average = mean(lengths);
  const isShort = within((RUN_ON_SENTENCE - average) / (RUN_ON_SENTENCE - LIVELY_SENTENCE));
  if (lengths.length < 2) return 100 * isShort;
  const variance = mean(lengths.map((length) => (length - average) ** 2));
  return 100 * isShort * within(Math.sqrt(variance) / average / LIVELY_SPREAD);
}

function active(sentences: readonly Sentence[], findings: readonly Finding[]): number {
  const passive = findings.filter((finding) => finding.category === 'passive').length;
  return 100 * within(1 - passive / lengthsOf(sentences).length / PASSIVE_LIMIT);
}

function lengthsOf(sentences: readonly Sentence[]): number[] {
  return sentences.map((sentence) => sentence.words.length).filter((length) => length > 0);
}

function countWords(sentences: readonly Sentence[]): number {
  return sentences.reduce((sum, sentence) => sum + sentence.words.length, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}
