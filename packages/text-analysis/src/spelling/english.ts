import type { TextRange } from '../analysis.js';
import type { Dictionary } from './dictionary.js';
import { EnglishCandidates, knownMistake } from './english-candidates.js';
import type { EnglishFrequencies } from './english-frequencies.js';
import type { ForeignWords } from './foreign-words.js';
import type { SpellingEvidence } from './english-judgement.js';
import { capitalized, type SpelledWord } from './words.js';

/** Accepted spelling: British and American, or one of them. */
export type EnglishVariant = 'en' | 'en-US' | 'en-GB';

/** Lexicons. A word counts as misspelled only if all of them lack it. */
export interface EnglishLexicons {
  us: Dictionary;
  gb: Dictionary;
  /** In lower case. */
  softwareTerms: ReadonlySet<string>;
  /** Other words, see harper-words.txt. */
  harperWords: ReadonlySet<string>;
}

/** Maximum length of a word, in UTF-16 units. Longer ones are identifiers or noise. */
const LONGEST_WORD = 30;
/** Names in lower case that are shorter are often abbreviations or commands. */
const SHORTEST_NAME = 4;

/** Minimum length of a word that may stand for a name, and minimum uses of the name in 50 million words. */
const SHORTEST_LIKE_NAME = 6;
const USES_OF_COMMON_NAME = 150;

/** Endings after an apostrophe. Jargon adds verb endings to commands: `stat'ing`, `OK'd`. */
const ENDING = /(?:'(?:s|d|m|ll|re|ve|ed|er|ing)|s')$/i;
/** Plurals of nouns that dictionaries only list in the singular: `encodings`, `deprecations`, `lookups`, `matchers`. */
const NOMINAL = /(?:ing|[st]ion|[eo]r|up|ism|ist|graph|hand)s$/;

const ENDINGS = new Set(
  'able ability ness ify ified less like wise ish ized izer izing ised iser'.split(' '),
);
const BEGINNINGS = new Set(
  'sub pre non multi micro macro meta auto inter super hyper poly proto mono tele pseudo anti'.split(
    ' ',
  ),
);

export class EnglishSpelling {
  private readonly candidates: EnglishCandidates;

  constructor(
    private readonly lexicons: EnglishLexicons,
    private readonly statistics: EnglishFrequencies,
    private readonly foreign: ForeignWords,
  ) {
    this.candidates = new EnglishCandidates(statistics.frequencies, (word) =>
      this.knows(word, 'en'),
    );
  }

  knows(word: string, variant: EnglishVariant): boolean {
    const { us, gb, softwareTerms, harperWords } = this.lexicons;
    if (variant !== 'en-GB' && us.knows(word)) return true;
    if (variant !== 'en-US' && gb.knows(word)) return true;
    if (harperWords.has(word)) return true;
    return isTerm(word.toLowerCase(), softwareTerms);
  }

  /** Returns true if a word is known or built from known words. `also` is an additional lexicon. */
  isWord(word: string, variant: EnglishVariant, also: (word: string) => boolean): boolean {
    if (word.length > LONGEST_WORD || !/^[A-Za-z'’-]+$/.test(word)) return true;
    const straight = word.replaceAll('’', "'");
    const known = (part: string) =>
      part.length < 2 ||
      this.knows(part, variant) ||
      this.knows(part.toLowerCase(), variant) ||
      also(part);
    if (known(straight)) return true;
    const stem = straight.replace(ENDING, (ending) => (ending.startsWith('s') ? 's' : ''));
    if (stem !== straight && known(stem)) return true;
    if (NOMINAL.test(stem) && known(stem.slice(0, -1))) return true;
    return stem.includes('-') && stem.split('-').every((part) => isPrefix(part) || known(part));
  }

  /** Returns the words that {@link isWord} does not accept, or only the unaccepted parts of hyphenated ones. */
  *unknownWords(
    words: readonly SpelledWord[],
    variant: EnglishVariant,
    also: (word: string) => boolean,
  ): Generator<TextRange> {
    for (const { word, start, end } of words) {
      if (this.isWord(word, variant, also)) continue;
      // The reading may spell a word with more units, such as soft hyphens.
      if (end - start !== word.length) yield { start, end };
      else {
        for (const { 0: part, index } of word.matchAll(/[^-]+/g)) {
          if (isPrefix(part) || (part !== word && this.isWord(part, variant, also))) continue;
          yield { start: start + index, end: start + index + part.length };
        }
      }
    }
  }

  /** Returns true for a common word of another language, unless it is a common mistake or another region's spelling. */
  isForeign(word: string): boolean {
    const lower = word.toLowerCase();
    return (
      this.foreign.hasWord(lower) && knownMistake(lower) === undefined && !this.knows(lower, 'en')
    );
  }

  /** Returns what is known about a word that no lexicon contains. `inCode` holds words of the text's code. */
  evidenceOf(
    original: string,
    variant: EnglishVariant,
    inCode: ReadonlySet<string>,
  ): SpellingEvidence {
    const word = original.toLowerCase().replaceAll('’', "'");
    const known = knownMistake(word);
    const [stem, possessive] = word.endsWith("'s") ? [word.slice(0, -2), "'s"] : [word, ''];
    const candidates = this.candidates.of(stem, variant, (one) => this.spelled(stem, one, variant));
    return {
      word: stem,
      isCapitalized: /^[A-Z]/.test(original),
      candidates: possessive
        ? candidates.map((one) => ({ ...one, word: one.word + possessive }))
        : candidates,
      isKnownMistake: known !== undefined && candidates[0]?.word === known,
      isDerived: this.isDerived(word),
      isInCode: inCode.has(word),
      isForeign: this.foreign.hasWord(stem),
      isListedName: [stem, ...(/^[A-Z]/.test(original) ? singularsOf(stem) : [])].some(
        (one) => this.statistics.names.has(one) || this.foreign.hasName(one),
      ),
    };
  }

  /** Returns the capitalized form of a name that is written in lower case, such as `Singapore`, or `undefined`. */
  properName(word: string, variant: EnglishVariant): string | undefined {
    if (word.length < SHORTEST_NAME || word !== word.toLowerCase()) return undefined;
    if (!this.statistics.names.has(word)) return undefined;
    const name = capitalized(word);
    return this.knows(name, variant) ? name : undefined;
  }

  /**
   * Returns a candidate as the variant spells it. Long names are candidates too: `wendesday` stands for `Wednesday`.
   * Shorter ones resemble too many words.
   */
  private spelled(word: string, candidate: string, variant: EnglishVariant): string | undefined {
    if (this.knows(candidate, variant)) return candidate;
    const { names, frequencies } = this.statistics;
    if (word.length < SHORTEST_LIKE_NAME || !names.has(candidate)) return undefined;
    if ((frequencies.get(candidate) ?? 0) < USES_OF_COMMON_NAME) return undefined;
    const name = capitalized(candidate);
    return this.knows(name, variant) ? name : undefined;
  }

  private isDerived(word: string): boolean {
    const isKnown = (part: string) => this.knows(part, 'en');
    for (let at = 3; at <= word.length - 3; at += 1) {
      const head = word.slice(0, at);
      const tail = word.slice(at);
      const isTail = ENDINGS.has(tail) ? head.length > 3 : tail.length > 3 && isKnown(tail);
      if (isTail && (BEGINNINGS.has(head) || isKnown(head))) return true;
    }
    if (/(?:er|ers|ly)$/.test(word) && [-1, -2, -3].some((end) => isKnown(word.slice(0, end))))
      return true;
    return /^(?:un|re|de)/.test(word) && word.length > 6 && isKnown(word.slice(2));
  }
}

/** Returns `kennedy` for `kennedys`. Names keep their spelling. */
function singularsOf(word: string): string[] {
  return [/s$/, /es$/].flatMap((ending) => (ending.test(word) ? [word.replace(ending, '')] : []));
}

/** Returns true for a term and its plural. */
function isTerm(word: string, terms: ReadonlySet<string>): boolean {
  return (
    terms.has(word) || (word.length > 4 && /[^s]s$/.test(word) && terms.has(word.slice(0, -1)))
  );
}

function isPrefix(part: string): boolean {
  return PREFIXES.has(part.toLowerCase());
}

/** Prefixes before a hyphen that are not words. */
const PREFIXES = new Set(
  'anti auto bi co counter cross de dis e ex extra hyper inter intra macro mega meta micro mini mis mono multi non omni over para poly post pre pro proto pseudo quasi re semi sub super tele trans tri ultra un under uni'.split(
    ' ',
  ),
);
