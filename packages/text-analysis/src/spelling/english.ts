import type { Replacement } from '../analysis.js';
import type { Dictionary } from './dictionary.js';
import { EnglishReplacements } from './english-replacements.js';

/** Which spelling counts as right: of either side of the ocean, or of one. */
export type EnglishVariant = 'en' | 'en-US' | 'en-GB';

/** The lexicons that must all be ignorant of a word before it counts as misspelled. */
export interface EnglishLexicons {
  us: Dictionary;
  gb: Dictionary;
  /** In lower case. */
  softwareTerms: ReadonlySet<string>;
}

/** A word of more units is an identifier or noise. */
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

  /** Whether a word, as it stands in a text, is one or is made of such. `also` is a lexicon more. */
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

  /** The likeliest first. */
  replacementsFor(word: string, variant: EnglishVariant): Replacement[] {
    return this.replacements.of(word, (candidate) => this.knows(candidate, variant));
  }
}

/** Stand before a hyphen and are no words themselves. */
const PREFIXES = new Set(
  'anti auto bi co counter cross de dis e ex extra hyper inter intra macro mega meta micro mini mis mono multi non omni over para poly post pre pro proto pseudo quasi re semi sub super tele trans tri ultra un under uni'.split(
    ' ',
  ),
);
