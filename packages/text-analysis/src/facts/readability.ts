import type { Sentence } from '../text/text-parts.js';
import { countSyllables } from './syllables.js';
import { baseLanguage } from '../language/base-language.js';

export interface ReadabilityScore {
  value: number;
  /** Where the formula was published. */
  source: string;
}

export interface Readability {
  /** 0 (hardest) to 100 (easiest) for most texts. Short words and sentences exceed 100. */
  fleschReadingEase: ReadabilityScore;
  /** Years of school in the United States. */
  fleschKincaidGrade: ReadabilityScore;
  /** Years of school in the United States. */
  gunningFog: ReadabilityScore;
}

/** Minimum number of words. In shorter texts, one long word would determine the result. */
export const FEWEST_WORDS = 5;

const FLESCH =
  'R. Flesch: A new readability yardstick. Journal of Applied Psychology 32 (1948), 221–233';
const KINCAID =
  'J. P. Kincaid et al.: Derivation of new readability formulas for Navy enlisted personnel. Research Branch Report 8-75 (1975)';
const GUNNING = 'R. Gunning: The Technique of Clear Writing. McGraw-Hill (1952)';

interface Counts {
  words: number;
  sentences: number;
  syllables: number;
  complexWords: number;
}

/** Returns `null` for languages without formulas and for texts of fewer than five words. */
export function readabilityOf(
  sentences: readonly Sentence[],
  language: string,
): Readability | null {
  if (baseLanguage(language) !== 'en') return null;
  const counts = countsOf(sentences);
  if (counts.words < FEWEST_WORDS) return null;
  return {
    fleschReadingEase: { value: fleschReadingEase(counts), source: FLESCH },
    fleschKincaidGrade: { value: fleschKincaidGrade(counts), source: KINCAID },
    gunningFog: { value: gunningFog(counts), source: GUNNING },
  };
}

/** 206.835 − 1.015 · words/sentences − 84.6 · syllables/words (Flesch 1948). */
function fleschReadingEase({ words, sentences, syllables }: Counts): number {
  return rounded(206.835 - 1.015 * (words / sentences) - 84.6 * (syllables / words));
}

/** 0.39 · words/sentences + 11.8 · syllables/words − 15.59 (Kincaid et al. 1975). */
function fleschKincaidGrade({ words, sentences, syllables }: Counts): number {
  return rounded(0.39 * (words / sentences) + 11.8 * (syllables / words) - 15.59);
}

/** 0.4 · (words/sentences + 100 · complex words/words) (Gunning 1952). */
function gunningFog({ words, sentences, complexWords }: Counts): number {
  return rounded(0.4 * (words / sentences + 100 * (complexWords / words)));
}

function countsOf(sentences: readonly Sentence[]): Counts {
  const counts: Counts = { words: 0, sentences: 0, syllables: 0, complexWords: 0 };
  for (const { words } of sentences) {
    if (words.length === 0) continue;
    counts.sentences += 1;
    for (const [index, word] of words.entries()) {
      counts.words += 1;
      counts.syllables += countSyllables(word);
      if (isComplex(word, index > 0)) counts.complexWords += 1;
    }
  }
  return counts;
}

/**
 * Returns true for words of three or more syllables, as Gunning counts them: without names, compounds of easy words, and
 * the endings -es, -ed and -ing.
 */
function isComplex(word: string, withinSentence: boolean): boolean {
  if (withinSentence && /^\p{Lu}/u.test(word)) return false;
  if (word.includes('-')) return word.split('-').some((part) => countSyllables(part) > 2);
  const syllables = countSyllables(word);
  if (syllables !== 3) return syllables > 3;
  return !/(?:[^aeiouy]ed|es|ing)$/u.test(word.toLowerCase());
}

/** Rounds to two places. Halves round up despite binary fractions. */
function rounded(value: number): number {
  return Math.round((value + 1e-9) * 100) / 100;
}
