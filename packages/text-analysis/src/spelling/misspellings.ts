import type { Finding, Replacement } from '../analysis.js';
import { functionWords } from '../language/function-words.js';
import type { Paragraph } from '../text/prose.js';
import { type Reading, readingOf } from '../text/reading.js';
import { type Candidate, candidates, isNearCommonWord, isNearSimpleWord } from './candidates.js';
import type { Dictionary } from './dictionary.js';
import {
  isBuiltFromWords,
  isForeignWithEnding,
  isVariant,
  isVerbWithPronouns,
  joinsWords,
} from './word-building.js';
import { wordRanks, type WordRanks } from './word-ranks.js';
import { isCapitalized, normalised, type SpelledWord, spelledWords } from './words.js';
import { baseLanguage } from '../language/base-language.js';

/** Words that the text and its account use. */
export interface SpellingContext {
  /** Words of the account's dictionary. A lower-case entry matches every case; other entries only match their own. */
  accountWords: ReadonlySet<string>;
  /** Words that the text uses at least three times, in lower case: its terms. */
  frequentWords: ReadonlySet<string>;
  /** Words that are capitalized within sentences of the text: its names. */
  names: ReadonlySet<string>;
  /** Software names and terms in lower case, see `softwareTerms`. */
  terms: ReadonlySet<string>;
  /** Dictionaries of the other languages of the text, and of English. */
  otherLanguages: readonly Dictionary[];
  /** Reports what was left out. */
  warn?: (warning: string) => void;
}

/** Number of uses at which an unknown word is a term rather than a slip. */
export const USES_OF_A_TERM = 3;
/** Minimum length of a word. Shorter ones are often abbreviations. */
const SHORTEST = 3;
/** A paragraph with more unknown words is in another language if they are also a large share of it. */
const ENOUGH_UNKNOWN = 10;
const MOST_UNKNOWN = 0.4;
/** Maximum length of a word before a full stop that may be an abbreviation. */
const LONGEST_ABBREVIATION = 4;
const AFTER_ABBREVIATION = /^\.(?:[),;:]|\s\p{Ll})/u;
/** Maximum number of different unknown words to check in one paragraph. Each takes 5 to 50 ms. */
const MOST_UNKNOWN_WORDS = 500;
/** A possible compound with a cheaper slip than this is a slip: `tillvalg`. */
const PLAIN_SLIP = 0.7;
/** A derived word, or an English word or a term with an ending, is a slip if another word is nearer than this. */
const PLAIN_SLIP_WITH_ENDING = 0.62;
/** An English word is a slip if a common word is nearer than this: `traffic` in French. */
const PLAIN_SLIP_OF_ENGLISH = 0.5;
/** Shorter English words are near other words by chance. */
const SHORTEST_SLIP_OF_ENGLISH = 5;
/** Number of words before and after an English word among which other English words are counted. */
const NEIGHBORS = 3;
/** A word without any of these is an abbreviation. */
const VOWEL = /[aeiouyàáâãäåæąèéêëęěìíîïıòóôõöøœőùúûüűýůăĺŕ]|[\u0250-\uffff]/iu;
/** Maximum number of replacements of one finding. */
const MOST_REPLACEMENTS = 5;

/** Candidates by word. Mistakes repeat. */
export type CandidateCache = Map<string, Candidate[]>;

const CACHED_WORDS = 2_000;

/** Returns the terms and names of a text, as part of `SpellingContext`. */
export function wordUse(
  paragraphs: readonly Paragraph[],
): Pick<SpellingContext, 'frequentWords' | 'names'> {
  const uses = new Map<string, number>();
  const names = new Set<string>();
  for (const paragraph of paragraphs) {
    for (const { word, startsSentence } of spelledWords(readingOf(paragraph).text, 'und')) {
      const lower = word.toLowerCase();
      uses.set(lower, (uses.get(lower) ?? 0) + 1);
      if (!startsSentence && isCapitalized(word)) names.add(lower);
    }
  }
  const frequentWords = new Set<string>();
  for (const [word, count] of uses) if (count >= USES_OF_A_TERM) frequentWords.add(word);
  return { frequentWords, names };
}

/**
 * Returns `spelling.unknown-word` findings of a paragraph in the language of `dictionary`. The cache affects time only,
 * not findings.
 */
export function misspellings(
  paragraph: Paragraph,
  dictionary: Dictionary,
  context: SpellingContext,
  cache: CandidateCache = new Map(),
): Finding[] {
  const reading = readingOf(paragraph);
  const checker = new Checker(dictionary, context, cache, { paragraph, reading });
  const words = spelledWords(reading.text, dictionary.language).filter(
    (word) => !reading.isMasked(word.start) && !reading.isMasked(word.end - 1),
  );
  const unknown = words.flatMap((word, index) => {
    const neighbors = words.slice(Math.max(0, index - NEIGHBORS), index + NEIGHBORS + 1);
    return checker.isFine(word.word, neighbors) ? [] : [index];
  });
  if (unknown.length > ENOUGH_UNKNOWN && unknown.length > words.length * MOST_UNKNOWN) {
    context.warn?.(MOSTLY_UNKNOWN);
    return [];
  }
  const different = new Set<string | undefined>();
  return unknown.flatMap((index) => {
    const { word } = words[index] ?? {};
    if (different.size === MOST_UNKNOWN_WORDS && !different.has(word)) {
      context.warn?.(tooManyUnknown(MOST_UNKNOWN_WORDS));
      return [];
    }
    different.add(word);
    return checker.check(words[index], words[index - 1]);
  });
}

const MOSTLY_UNKNOWN =
  'More than 40 % of the words of a paragraph are unknown, so its spelling was not checked. It may be in another language: set `language`, or analyze it separately.';

/** Explains that only the first unknown words of a paragraph were checked. */
export function tooManyUnknown(most: number): string {
  return `A paragraph has more than ${String(most)} unknown words; the rest of them were not checked. Correct the reported ones, and analyze the text again.`;
}

class Checker {
  private readonly base: string;
  private readonly ranks: WordRanks;

  constructor(
    private readonly dictionary: Dictionary,
    private readonly context: SpellingContext,
    private readonly cache: CandidateCache,
    private readonly place: { paragraph: Paragraph; reading: Reading },
  ) {
    this.base = baseLanguage(dictionary.language);
    this.ranks = wordRanks(this.base);
  }

  check(word: SpelledWord | undefined, previous: SpelledWord | undefined): Finding[] {
    if (!word) return [];
    // The first part of `Eingabe- und Ausgabe`.
    if (/^[-‐‑]/u.test(this.place.reading.text.slice(word.end)) && this.isStem(word.word))
      return [];
    const parts = word.word.includes('-') ? this.unknownParts(word) : [word];
    return parts.flatMap((part) => this.unknown(part, previous) ?? []);
  }

  /** Returns the unknown parts of a hyphenated word. */
  private unknownParts(word: SpelledWord): SpelledWord[] {
    const cuts = this.place.reading.text.slice(word.start, word.end).split(/[-‐‑]/u);
    const first = normalised(cuts[0] ?? '');
    // The ending of an abbreviation or a foreign name, as in `API-em`.
    if (cuts.length === 2 && this.isAbbreviation(first) && (cuts[1] ?? '').length <= 4) return [];
    const parts: SpelledWord[] = [];
    let { start } = word;
    for (const [index, cut] of cuts.entries()) {
      const part = normalised(cut);
      const isStem = index < cuts.length - 1 && this.isStem(part);
      const startsSentence = word.startsSentence && index === 0;
      if (!isStem && !this.isFine(part))
        parts.push({ word: part, start, end: start + cut.length, startsSentence });
      start += cut.length + 1;
    }
    return parts;
  }

  private isAbbreviation(word: string): boolean {
    return (
      (word.length > 1 && word === word.toUpperCase()) || this.context.terms.has(word.toLowerCase())
    );
  }

  /**
   * Returns true for stems. Portuguese verbs lose their ending before a pronoun, and German nouns get a linking letter
   * before a hyphen.
   */
  private isStem(part: string): boolean {
    if (this.base === 'pt')
      return ['r', 'ar', 'er', 'ir', 's'].some((end) => this.isFine(withoutAccent(part) + end));
    // A verb or noun without its ending: `Kopier-`, `Schul-`.
    if (this.base === 'de' && ['en', 'e'].some((end) => this.isFine(part + end))) return true;
    if (this.base === 'de' || this.base === 'nl' || this.base === 'sv' || this.base === 'da')
      return ['s', 'es', 'n', 'en', 'e'].some(
        (end) => part.endsWith(end) && this.isFine(part.slice(0, -end.length)),
      );
    return false;
  }

  /** Returns true if a word is right. `neighbors` are the words around it, including itself. */
  isFine(word: string, neighbors: readonly SpelledWord[] = []): boolean {
    if (word.length < SHORTEST || word === word.toUpperCase()) return true;
    return (
      this.isOwnWord(word) ||
      this.isListed(word) ||
      this.isInflectedTerm(word) ||
      isVariant(word, this.dictionary) ||
      isVerbWithPronouns(word, this.dictionary) ||
      this.isOtherLanguage(word) ||
      this.isBuilt(word) ||
      this.isRightEnglish(word, neighbors)
    );
  }

  private isListed(word: string): boolean {
    const lower = word.toLowerCase();
    const { accountWords, frequentWords, terms } = this.context;
    return (
      accountWords.has(word) ||
      accountWords.has(lower) ||
      terms.has(lower) ||
      frequentWords.has(lower)
    );
  }

  /** Returns true for compounds and derived words, also of English words and terms, unless they are near another word. */
  private isBuilt(word: string): boolean {
    const { terms, otherLanguages } = this.context;
    const isTerm = (part: string) =>
      terms.has(part) || otherLanguages.some((one) => isEnglish(one) && one.knows(part));
    return (
      (isBuiltFromWords(word, this.dictionary, isTerm) && !this.isPlainSlip(word)) ||
      (isForeignWithEnding(word, this.base, isTerm) &&
        !this.isNearCommonWord(word, PLAIN_SLIP_WITH_ENDING))
    );
  }

  /** Returns true for an English word among others, or one that is not near a common word of the language. */
  private isRightEnglish(word: string, neighbors: readonly SpelledWord[]): boolean {
    return (
      this.isEnglish(word) &&
      (this.isAmongEnglish(word, neighbors) || !this.isNearCommonWord(word, PLAIN_SLIP_OF_ENGLISH))
    );
  }

  private isOwnWord(word: string): boolean {
    return this.dictionary.knows(word) || functionWords(this.base).has(word.toLowerCase());
  }

  /** Returns true if a possible compound is close to a dictionary word: `tillvalg`, `innehall`. */
  private isPlainSlip(word: string): boolean {
    const limit = joinsWords(this.base) ? PLAIN_SLIP : PLAIN_SLIP_WITH_ENDING;
    return isNearSimpleWord(word, this.dictionary, this.ranks, limit);
  }

  private isNearCommonWord(word: string, limit: number): boolean {
    return (
      word.length >= SHORTEST_SLIP_OF_ENGLISH &&
      isNearCommonWord(word, this.dictionary, this.ranks, limit)
    );
  }

  /** Returns true if another word nearby is English, or all of them may be. */
  private isAmongEnglish(word: string, neighbors: readonly SpelledWord[]): boolean {
    const others = neighbors.filter((other) => other.word !== word);
    return (
      others.some((other) => this.isEnglishOnly(other.word)) ||
      others.every((other) => this.isEnglish(other.word))
    );
  }

  /** Returns true for terms with an ending after an apostrophe or colon: `API'er`, `JSON:en`, `Docker's`. */
  private isInflectedTerm(word: string): boolean {
    const cut = word.search(/[':]/);
    if (cut < 2) return false;
    const stem = word.slice(0, cut);
    return word.length - cut <= 4 && (this.isAbbreviation(stem) || this.dictionary.knows(stem));
  }

  private isEnglish(word: string): boolean {
    return this.context.otherLanguages.some((other) => isEnglish(other) && isWordOf(word, other));
  }

  private isEnglishOnly(word: string): boolean {
    return !this.isOwnWord(word) && this.isEnglish(word) && !this.context.terms.has(word);
  }

  private isOtherLanguage(word: string): boolean {
    return this.context.otherLanguages.some((other) => !isEnglish(other) && isWordOf(word, other));
  }

  private unknown(word: SpelledWord, previous: SpelledWord | undefined): Finding | undefined {
    const isCapital = isCapitalized(word.word);
    // `enz.`, `bijv.`
    const after = this.place.reading.text.slice(word.end, word.end + 3);
    if (word.word.length <= LONGEST_ABBREVIATION && AFTER_ABBREVIATION.test(after))
      return undefined;
    // Only German capitalizes nouns like names.
    if (isCapital && !word.startsSentence && this.base !== 'de') return undefined;
    if (isCapital && this.isName(word, previous)) return undefined;
    const found = this.candidatesFor(word.word);
    return isSlip(word.word, isCapital, found[0], this.base === 'de')
      ? this.finding(word, found)
      : undefined;
  }

  private isName({ word, start }: SpelledWord, previous: SpelledWord | undefined): boolean {
    if (this.base !== 'de') return this.context.names.has(word.toLowerCase());
    if (previous === undefined) return false;
    const before = previous.word.toLowerCase();
    if (BEFORE_A_NAME.has(before)) return true;
    // A noun seldom follows another word with a capital directly: `Holger Levsen`.
    const isAdjacent = this.place.reading.text.slice(previous.end, start) === ' ';
    return (
      isAdjacent &&
      !previous.startsSentence &&
      isCapitalized(previous.word) &&
      !functionWords(this.base).has(before)
    );
  }

  private candidatesFor(word: string): Candidate[] {
    const key = `${this.dictionary.language} ${word}`;
    let found = this.cache.get(key);
    if (!found) {
      found = candidates(word, this.dictionary, this.ranks).slice(0, MOST_REPLACEMENTS);
      if (this.cache.size >= CACHED_WORDS) this.cache.clear();
      this.cache.set(key, found);
    }
    return found;
  }

  private finding(word: SpelledWord, found: readonly Candidate[]): Finding | undefined {
    const { paragraph, reading } = this.place;
    const range = reading.sourceOf(word.start, word.end);
    if (!range) return undefined;
    const original = paragraph.prose.slice(range.start, range.end);
    return {
      ruleId: 'spelling.unknown-word',
      category: 'spelling',
      severity: 'error',
      message: `“${original}” is not in the dictionary.`,
      explanation:
        'The word is not in the dictionary of this language, the list of software terms or your account’s dictionary. If it is correct, add it to your account’s dictionary.',
      start: paragraph.start + range.start,
      end: paragraph.start + range.end,
      original,
      replacements: replacements(found, word.word, original, COMPOUNDING.has(this.base)),
    };
  }
}

function isEnglish({ language }: Dictionary): boolean {
  return language === 'en' || language.startsWith('en-');
}

function isWordOf(word: string, dictionary: Dictionary): boolean {
  return (
    dictionary.knows(word) ||
    dictionary.knows(word.toLowerCase()) ||
    isBuiltFromWords(word, dictionary)
  );
}

const BEFORE_A_NAME = new Set('herr herrn frau dr prof familie firma von namens'.split(' '));

/**
 * Limits by length of the word, for lower case and capitals: the cost of common candidates, and the slip alone of
 * uncommon ones. Fitted to seeded slips and to unknown words of translated manuals.
 */
const LIMITS: readonly { to: number; lower: [number, number]; capital: [number, number] }[] = [
  { to: 3, lower: [0.25, 0], capital: [0, 0] },
  { to: 4, lower: [0.6, 0.35], capital: [0.45, 0] },
  { to: 5, lower: [0.85, 0.5], capital: [0.65, 0] },
  { to: 6, lower: [0.95, 0.65], capital: [0.6, 0.46] },
  { to: 8, lower: [1.05, 0.75], capital: [0.9, 0.65] },
  { to: 9, lower: [1.15, 0.8], capital: [1.1, 0.75] },
  { to: Infinity, lower: [1.15, 1], capital: [1.1, 0.75] },
];
/** Limits for a missing space and for a word without a vowel. */
const MOST_OF_TWO_WORDS = 1;
const MOST_WITHOUT_VOWEL = 0.6;
/** Minimum length of an uncommon German noun without its capital. */
const SHORTEST_NOUN = 7;

/**
 * Returns true if a word is a slip for a candidate. Names, foreign words and commands resemble dictionary words less, or
 * only uncommon ones. Short words resemble other words by chance.
 */
function isSlip(
  word: string,
  isCapital: boolean,
  best: Candidate | undefined,
  hasCapitalNouns: boolean,
): boolean {
  if (best === undefined || (!VOWEL.test(word) && best.cost >= MOST_WITHOUT_VOWEL)) return false;
  if (best.word.includes(' ')) return best.isCommon && best.cost < MOST_OF_TWO_WORDS;
  // A name or a brand without its capital. In German, it is a noun.
  if (!best.isCommon && best.word.toLowerCase() === word)
    return hasCapitalNouns && word.length >= SHORTEST_NOUN;
  const limits = LIMITS.find(({ to }) => word.length <= to);
  const [common, uncommon] = (isCapital ? limits?.capital : limits?.lower) ?? [0, 0];
  return best.isCommon ? best.cost < common : best.slip < uncommon;
}

/** Languages whose dictionaries accept any compound, such as the Dutch `klantenservies` (customer tableware). */
const COMPOUNDING = new Set(['da', 'de', 'nl', 'sv']);

function replacements(
  found: readonly Candidate[],
  word: string,
  original: string,
  mustBeCommon: boolean,
): Replacement[] {
  const typographic = original.includes('’');
  const chance = confidenceOfFirst(found, word);
  const first = mustBeCommon && !found[0]?.isCommon ? Math.min(NOT_SAFE, chance) : chance;
  return found.map(({ word: value }, index) => ({
    value: typographic ? value.replaceAll("'", '’') : value,
    confidence: rounded(index === 0 ? first : (1 - first) * (SHARE_OF_OTHERS[index - 1] ?? 0)),
  }));
}

/** Share of each further replacement in the chance that the first one is wrong. */
const SHARE_OF_OTHERS = [0.5, 0.2, 0.1, 0.05];

/** Confidence of a replacement that is right in at least 95 of 100 words, and the maximum for others. */
const SAFE = 0.95;
const NOT_SAFE = 0.89;
const SHORTEST_SAFE = 5;
const LONG_ENOUGH_FOR_UNCOMMON = 8;
const MOST_SAFE_SLIP = { common: 0.7, uncommon: 0.45 };

/**
 * Returns the chance that the first candidate is right. Fitted to 3,654 seeded slips in eight languages. Of 3,623 others,
 * the first candidate was right for 98.5 % of those with a chance of at least 0.95.
 */
function confidenceOfFirst(found: readonly Candidate[], word: string): number {
  const [first, second] = found;
  if (!first) return 0;
  const gap = Math.min(1.5, (second?.cost ?? 2.5) - first.cost);
  const x =
    -0.25 +
    6.51 * gap -
    0.45 * first.cost +
    (first.isCommon ? 0.32 : 0) +
    0.056 * Math.min(word.length, 14) -
    (second ? 0 : 5.18);
  const chance = 1 / (1 + Math.exp(-x));
  // Real texts also contain correct words that no dictionary knows. They are near uncommon words or two slips away.
  const isPlain = first.isCommon
    ? first.slip < MOST_SAFE_SLIP.common
    : first.slip <= MOST_SAFE_SLIP.uncommon && word.length >= LONG_ENOUGH_FOR_UNCOMMON;
  const isSafe = chance >= SAFE && word.length >= SHORTEST_SAFE && isPlain;
  return isSafe ? SAFE : Math.min(NOT_SAFE, chance);
}

function rounded(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}

function withoutAccent(part: string): string {
  return part.slice(0, -1) + part.slice(-1).normalize('NFD').charAt(0);
}
