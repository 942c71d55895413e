import type { Sentence } from '../text/text-parts.js';
import { type LanguageModel, UNKNOWN_WORD } from './language-model.js';
import { modelWord } from './word-sequence.js';

/** Minimum number of known words after known words. The mean of fewer depends on single words. */
const FEWEST_PAIRS = 20;
/** Standard deviation of the values of words. The standard error is added, in favor of short texts. */
const UNCERTAINTY = 3;
/** Minimum length of a stretch of words without signs. Shorter ones are labels and items rather than phrases. */
const FEWEST_WORDS = 3;

/**
 * Returns how much better the words before them predict the words of English sentences than their frequency does: the mean of
 * ln(P(word | the two words before) / P(word)). Below 0 if the order of the words is random. Returns `null` for
 * texts with too few words that the model knows.
 */
export function wordOrderOf(sentences: readonly Sentence[], model: LanguageModel): number | null {
  let sum = 0;
  let pairs = 0;
  for (const { stretches } of sentences) {
    for (const words of stretches) {
      if (words.length < FEWEST_WORDS) continue;
      let beforePrevious = UNKNOWN_WORD;
      let previous = UNKNOWN_WORD;
      for (const word of words) {
        const id = model.idOf(modelWord(word));
        if (id !== UNKNOWN_WORD && previous !== UNKNOWN_WORD) {
          sum += model.logProbability(id, previous, beforePrevious) - model.logProbability(id);
          pairs += 1;
        }
        beforePrevious = previous;
        previous = id;
      }
    }
  }
  return pairs < FEWEST_PAIRS ? null : sum / pairs + UNCERTAINTY / Math.sqrt(pairs);
}
