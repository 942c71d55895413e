import { readSections, wordsIn } from '../data-file.js';
import type { Sentence } from '../text/text-parts.js';
import { baseLanguage } from '../language/base-language.js';

export interface Sentiment {
  /** −1 (negative) to 1 (positive). */
  score: number;
  label: 'positive' | 'neutral' | 'negative';
}

const DATA = readSections(import.meta.url, 'sentiment.txt');

/** Returns the words of the sections named `kind` with a number, such as `weight -3`. */
function numbered(kind: string): Map<string, number> {
  const sections = [...DATA.keys()].filter((name) => name.startsWith(`${kind} `));
  return new Map(
    sections.flatMap((name) =>
      wordsIn(DATA, name).map((word) => [word, Number(name.slice(kind.length))] as const),
    ),
  );
}

/** English words with a sentiment, from −3 to 3. */
const LEXICON = numbered('weight');

const NEGATIONS = new Set(wordsIn(DATA, 'negations'));
/** Words that strengthen or weaken the sentiment after them. */
const DEGREES = numbered('degree');

/** Number of words that a negation or degree affects. */
const REACH = 3;
/** A negated sentiment is weaker than its opposite: "not good" is not "bad". */
const NEGATED = -0.7;
/** The text after "but" matters more, so text before it counts less. */
const BEFORE_BUT = 0.5;
/** Keeps a single word from reaching the end of the scale. */
const SATURATION = 8;
/** Weight of a neutral sentence, relative to one with a sentiment. */
const WEIGHT_OF_NEUTRAL = 0.2;
const THRESHOLD = 0.12;

/** Returns `null` for languages without a lexicon (all but English) and for texts without words. */
export function sentimentOf(sentences: readonly Sentence[], language: string): Sentiment | null {
  if (baseLanguage(language) !== 'en') return null;
  let sum = 0;
  let weight = 0;
  for (const { words } of sentences) {
    if (words.length === 0) continue;
    const judgement = judgementOf(words);
    sum += judgement / Math.sqrt(judgement * judgement + SATURATION);
    weight += judgement === 0 ? WEIGHT_OF_NEUTRAL : 1;
  }
  if (weight === 0) return null;
  const score = Math.round((sum / Math.max(1, weight)) * 1000) / 1000 || 0;
  const label = score > THRESHOLD ? 'positive' : score < -THRESHOLD ? 'negative' : 'neutral';
  return { score, label };
}

function judgementOf(words: readonly string[]): number {
  const lower = words.map((word) => word.toLowerCase().replaceAll('’', "'"));
  const but = lower.lastIndexOf('but');
  let sum = 0;
  for (const [index, word] of lower.entries()) {
    const value = LEXICON.get(word);
    if (value === undefined || isOtherSense(lower, index)) continue;
    let factor = index < but ? BEFORE_BUT : 1;
    for (const before of lower.slice(Math.max(0, index - REACH), index)) {
      factor *= DEGREES.get(before) ?? 1;
      if (NEGATIONS.has(before)) factor *= NEGATED;
    }
    sum += value * factor;
  }
  return sum;
}

/** Returns true where a word has no sentiment: "as well as", "looks like a cat", "a kind of". */
function isOtherSense(words: readonly string[], index: number): boolean {
  const word = words[index];
  const next = words[index + 1] ?? '';
  const previous = words[index - 1] ?? '';
  if (word === 'well') return previous === 'as' || next === 'as';
  if (word === 'kind') return next === 'of';
  if (word === 'like')
    return !/^(?:i|you|we|they|who|to|would|really|don't|didn't|not|also)$/u.test(previous);
  return false;
}
