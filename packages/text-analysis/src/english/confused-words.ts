import { linesIn, readSections } from '../data-file.js';
import type { Draft } from './draft.js';
import { withConfidence } from './rule-confidence.js';
import type { RuleDescription } from './rule-description.js';
import type { SequenceWord, WordSequence } from './word-sequence.js';

/**
 * Minimum gain: the natural logarithm of how much more likely the sentence is with the other word. At 6, it is 400 times as
 * likely.
 */
const LEAST_GAIN = 6;

export const CONFUSED_WORD: RuleDescription = {
  ruleId: 'grammar.confused-word',
  category: 'grammar',
  severity: 'warning',
  explanation: 'Both words exist, but the other one is far more likely between these words.',
  example: 'They left {there=>their} coats in the hall.',
};

/** The words that may be meant by each word. */
const MEANT = new Map<string, Set<string>>();
for (const line of linesIn(readSections(import.meta.url, 'confused-words.txt'), '')) {
  const [left = '', right] = line.split(' > ');
  const words = left.split(' ');
  for (const word of words) {
    const meant = MEANT.get(word) ?? new Set<string>();
    for (const other of right?.split(' ') ?? words) if (other !== word) meant.add(other);
    MEANT.set(word, meant);
  }
}

/** Yields words that are correct, but far less likely than a word that is often confused with them. */
export function* confusedWords(text: string, sequence: WordSequence): Generator<Draft> {
  for (const [index, word] of sequence.words.entries()) {
    const meant = MEANT.get(word.lower);
    if (!meant || !isPlain(text, word)) continue;
    const own = sequence.logProbability(index, [word.lower]);
    let best: { other: string; gain: number } | undefined;
    for (const other of meant) {
      const gain = sequence.logProbability(index, [other]) - own;
      if (gain >= LEAST_GAIN && gain > (best?.gain ?? 0)) best = { other, gain };
    }
    if (best) yield draftOf(text.slice(word.start, word.end), word, best.other);
  }
}

/**
 * Returns false for words in capitals, at the start of a sentence, where little context decides, and beside a sign or code that
 * separates them from their context.
 */
function isPlain(text: string, { start, end }: SequenceWord): boolean {
  if (/\p{Lu}/u.test(text.slice(start, end))) return false;
  return (
    /[\p{L}\p{N}'’]\s+["'“‘(]?$/u.test(text.slice(Math.max(0, start - 4), start)) &&
    /^(?:\s+["“‘]?[\p{L}\p{N}]|[.!?]|\s*$)/u.test(text.slice(end, end + 3))
  );
}

function draftOf(original: string, { start, end }: SequenceWord, other: string): Draft {
  const value = original.includes('’') ? other.replaceAll("'", '’') : other;
  const { ruleId, category, severity, explanation } = CONFUSED_WORD;
  return {
    start,
    end,
    ruleId,
    category,
    severity,
    message: `"${original}" is unusual here. Did you mean "${value}"?`,
    explanation,
    replacements: withConfidence(ruleId, [value]),
  };
}
