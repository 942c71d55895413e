import type { Replacement } from '../analysis.js';
import type { Dictionary } from './dictionary.js';
import { EnglishReplacements } from './english-replacements.js';

/** Accepted spelling: British and American, or one of them. */
export type EnglishVariant = 'en' | 'en-US' | 'en-GB';

/** Lexicons. A word counts as misspelled only if all of them lack it. */
export interface EnglishLexicons {
  us: Dictionary;
  gb: Dictionary;
  /** In lower case. */
  softwareTerms: ReadonlySet<string>;
}

/** Maximum length of a word, in UTF-16 units. Longer ones are identifiers or noise. */
const LONGEST_WORD = 30;

export class EnglishSpelling {
  readonly replacements: EnglishReplacements;

  constructor(
    private readonly lexicons: EnglishLexicons,
    frequencies: ReadonlyMap<string, number>,
  ) {
    this.replacements = new EnglishReplacements(frequencies, (word) => this.knows(word, 'en'));
  }

  knows(word: string, variant: EnglishVariant): boolean {
    const { us, gb, softwareTerms } = this.lexicons;
    if (variant !== 'en-GB' && us.knows(word)) return true;
    if (variant !== 'en-US' && gb.knows(word)) return true;
    return softwareTerms.has(word.toLowerCase());
  }

  /** Returns true if a word is known or built from known words. `also` is an additional lexicon. */
  isWord(word: string, variant: EnglishVariant, also: (word: string) => boolean): boolean {
    if (word.length > LONGEST_WORD || !/^[A-Za-z'’-]+$/.test(word)) return true;
    const straight = word.replaceAll('’', "'");
    const known = (part: string) =>
      part.length < 2 ||
      also(part) ||
      this.knows(part, variant) ||
      this.knows(part.toLowerCase(), variant);
    if (known(straight)) return true;
    const stem = straight.replace(/(?:'s|s')$/i, (ending) => (ending.startsWith('s') ? 's' : ''));
    if (stem !== straight && known(stem)) return true;
    return (
      stem.includes('-') &&
      stem.split('-').every((part) => PREFIXES.has(part.toLowerCase()) || known(part))
    );
  }

  /** Returns replacements, likeliest first. */
  replacementsFor(word: string, variant: EnglishVariant): Replacement[] {
    return this.replacements.of(word, (candidate) => this.knows(candidate, variant));
  }
}

/** Prefixes before a hyphen that are not words. */
const PREFIXES = new Set(
  'anti auto bi co counter cross de dis e ex extra hyper inter intra macro mega meta micro mini mis mono multi non omni over para poly post pre pro proto pseudo quasi re semi sub super tele trans tri ultra un under uni'.split(
    ' ',
  ),
);
