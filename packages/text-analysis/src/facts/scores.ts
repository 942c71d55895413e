import type { Check, Finding } from '../analysis.js';
import type { Sentence } from '../text/text-parts.js';
import { FEWEST_WORDS, type Readability } from './readability.js';

/** Scores from 0 to 100. docs/guides/analysis.md explains the formulas. */
export interface Scores {
  overall: number;
  correctness: number;
  clarity: number;
  engagement: number;
}

const CORRECTNESS: ReadonlySet<Check> = new Set([
  'spelling',
  'grammar',
  'punctuation',
  'casing',
  'repetition',
  'house-style',
]);
const CLARITY: ReadonlySet<Check> = new Set([
  'wordiness',
  'passive',
  'simplicity',
  'length',
  'inclusive',
]);

const WEIGHT_OF_SEVERITY = { error: 1, warning: 0.5, style: 0.25 };
/** Weighted findings per 100 words at which a score is 37 (100/e). */
const TOLERANCE = 10;
const SHARES = { correctness: 0.5, clarity: 0.3, engagement: 0.2 };

/** Words per sentence up to which a text is easy, and from which it gets no points. */
const EASY_SENTENCE = 18;
const HARD_SENTENCE = 45;
/** Variation of sentence length (standard deviation / mean) that counts as lively. */
const LIVELY_SPREAD = 0.5;
/** Number of words in which different words are counted. Without a window, their share would fall with the length. */
const WINDOW = 50;
const RICH_VOCABULARY = 0.8;
const POOR_VOCABULARY = 0.4;
/** Share of passive sentences that removes all points. */
const PASSIVE_LIMIT = 0.5;

/** Returns `null` for texts of fewer than five words. */
export function scoresOf(
  sentences: readonly Sentence[],
  findings: readonly Finding[],
  readability: Readability | null,
): Scores | null {
  const words = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0);
  if (words < FEWEST_WORDS) return null;
  const correctness = freeOf(findings, CORRECTNESS, words);
  const clarity = (ease(sentences, readability) + freeOf(findings, CLARITY, words)) / 2;
  const engagement = (vocabulary(sentences) + rhythm(sentences) + active(sentences, findings)) / 3;
  const overall =
    correctness * SHARES.correctness + clarity * SHARES.clarity + engagement * SHARES.engagement;
  return {
    overall: Math.round(overall),
    correctness: Math.round(correctness),
    clarity: Math.round(clarity),
    engagement: Math.round(engagement),
  };
}

/** Returns 100 without findings. Each finding per 100 words removes about a tenth of the rest. */
function freeOf(findings: readonly Finding[], checks: ReadonlySet<Check>, words: number): number {
  let weight = 0;
  for (const { category, severity } of findings)
    if (checks.has(category)) weight += WEIGHT_OF_SEVERITY[severity];
  return 100 * Math.exp(-((weight / words) * 100) / TOLERANCE);
}

/** Scores how easy sentences are to read: by length, and in English also by Flesch's formula. */
function ease(sentences: readonly Sentence[], readability: Readability | null): number {
  const lengths = lengthsOf(sentences);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const byLength = 100 * within((HARD_SENTENCE - mean) / (HARD_SENTENCE - EASY_SENTENCE));
  if (!readability) return byLength;
  // Good technical prose scores around 50, which is fine.
  const byFlesch = 100 * within((readability.fleschReadingEase.value + 10) / 60);
  return (byLength + byFlesch) / 2;
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

/** Scores how much sentence lengths vary. A single sentence gets full points. */
function rhythm(sentences: readonly Sentence[]): number {
  const lengths = lengthsOf(sentences);
  if (lengths.length < 2) return 100;
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const variance = lengths.reduce((sum, length) => sum + (length - mean) ** 2, 0) / lengths.length;
  return 100 * within(Math.sqrt(variance) / mean / LIVELY_SPREAD);
}

function active(sentences: readonly Sentence[], findings: readonly Finding[]): number {
  const passive = findings.filter((finding) => finding.category === 'passive').length;
  return 100 * within(1 - passive / lengthsOf(sentences).length / PASSIVE_LIMIT);
}

function lengthsOf(sentences: readonly Sentence[]): number[] {
  return sentences.map((sentence) => sentence.words.length).filter((length) => length > 0);
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}
