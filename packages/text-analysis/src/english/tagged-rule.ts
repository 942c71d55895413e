import { readSections, wordsIn } from '../data-file.js';
import type { LanguageModel } from './language-model.js';
import type { RuleDescription } from './rule-description.js';
import type { Token } from './tagger.js';
import { COMMON_VERBS, gerundOf, NO_PLURAL, pastOf, pluralOf, singularOf } from './word-forms.js';

/** Word data that rules need beyond tags. */
export interface WordKnowledge {
  /** Returns how often a word, in lower case, occurs in 50 million words. */
  frequency: (word: string) => number;
  /** Returns the natural logarithm of the probability of a word after two words. All are in lower case. */
  logProbability: (word: string, previous: string, beforePrevious: string) => number;
}

export function wordKnowledge(
  frequencies: ReadonlyMap<string, number>,
  model: LanguageModel,
): WordKnowledge {
  return {
    frequency: (word) => frequencies.get(word) ?? 0,
    logProbability: (word, previous, beforePrevious) =>
      model.logProbability(model.idOf(word), model.idOf(previous), model.idOf(beforePrevious)),
  };
}

/** A mistake at one position of a sentence: the tokens to replace. */
export interface Mistake {
  from: Token;
  to: Token;
  message: string;
  replacements: string[];
}

/** Returns the mistake of one word that `replacements` correct. */
export const replaced = (token: Token, message: string, ...replacements: string[]): Mistake => ({
  from: token,
  to: token,
  message,
  replacements,
});

/** A mistake that parts of speech prove. */
export interface TaggedRule extends RuleDescription {
  /** Checks one position. Returns null if it is correct. Looks at a few tokens around it, so it takes linear time. */
  check(tokens: readonly Token[], at: number, words: WordKnowledge): Mistake | null;
}

export const lowerAt = (tokens: readonly Token[], at: number) => tokens[at]?.lower ?? '';
export const posAt = (tokens: readonly Token[], at: number) => tokens[at]?.pos ?? '';

export const DATA = readSections(import.meta.url, 'tagged-rules.txt');
export const set = (section: string) => new Set(wordsIn(DATA, section));

export const MODALS = set('modals');
export const NOT_PLURAL = set('not plural');

export function isSentenceStart(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (!before) return true;
  return /^[.!?:。！？]$/.test(before.text) && /^\p{Lu}/u.test(tokens[at]?.text ?? '');
}

/** Returns true if a hyphen or apostrophe directly follows: "sports-related", "users' data". */
export const isPartOfCompound = (tokens: readonly Token[], at: number) =>
  /^[-–/'’]/.test(tokens[at + 1]?.text ?? '') && tokens[at + 1]?.blankBefore === false;

/** Returns true for nouns that are also used as verbs: "act", "smoke", "attempt". */
export function isAlsoVerb(noun: string, words: WordKnowledge): boolean {
  const uses = words.frequency(gerundOf(noun)) + words.frequency(pastOf(noun));
  return uses >= 0.03 * words.frequency(noun);
}

/** Returns true for the plural of a common noun, but not for words such as "news", "works" and "physics". */
export function isCountedPlural({ lower }: Token, words: WordKnowledge): boolean {
  const singular = singularOf(lower);
  if (singular === undefined || words.frequency(singular) < 100) return false;
  return !NOT_PLURAL.has(lower) && !COMMON_VERBS.has(singular) && !lower.endsWith('ics');
}

/** Returns true for a common noun in the singular that has a distinct plural. */
export function isSingularNoun(token: Token, words: WordKnowledge): boolean {
  if (token.isMasked || token.pos !== 'NOUN' || !/^[a-z]{3,}$/.test(token.text)) return false;
  if (singularOf(token.lower) !== undefined || /s$/.test(token.lower) || NO_PLURAL.has(token.lower))
    return false;
  if (
    NOT_COUNTED.has(token.lower) ||
    MODALS.has(token.lower) ||
    /(?:ing|ness|ism)$/.test(token.lower)
  )
    return false;
  const plural = pluralOf(token.lower);
  return (
    plural !== token.lower && words.frequency(plural) >= 40 && words.frequency(token.lower) >= 100
  );
}

const NOT_COUNTED = set('not counted');

/** Returns true if the next token does not belong to the noun. */
export function endsNounPhrase(next: Token | undefined): boolean {
  if (!next) return true;
  if (next.isMasked) return false;
  if (next.pos === 'PUNCT') return /^[.,;:!?)]$/.test(next.text);
  if (/^(?:last|next|yesterday|today|tomorrow|tonight)$/.test(next.lower)) return true;
  return (
    /^(?:ADP|AUX|CCONJ|SCONJ|PRON|ADV|DET|PART)$/.test(next.pos) ||
    (next.pos === 'VERB' && !/(?:ed|ing)$/.test(next.lower))
  );
}
