import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { commonWords, LISTED_LANGUAGES } from './word-ranks.js';
import { hashed, hashOf, indexOfHash, NO_HASH } from './word-hashes.js';

const modules = createRequire(import.meta.url);

/** Languages whose dictionaries list names. German is left out, because it capitalizes all nouns. */
const LANGUAGES_WITH_NAMES = LISTED_LANGUAGES.filter((code) => code !== 'de');

const NEWLINE = 10;
/** What may follow a word in a dictionary: the slash before affix flags, white space, or the end of the line. */
const WORD_ENDS = new Set(['/', ' ', '\t', '\r', '\n'].map((end) => end.charCodeAt(0)));

/**
 * Words and names of the eight other languages that the service spells, with the letters a–z only. The dictionaries
 * know more words, but need 120 MB.
 */
export class ForeignWords {
  private constructor(
    private readonly words: ReadonlySet<string>,
    /** Sorted hashes of about 80,000 names, which would need 8 MB as strings. */
    private readonly names: Uint32Array,
  ) {}

  /** Loads the 10,000 most common words of each language, and the capitalized words of the dictionaries. 5 MB. */
  static async load(): Promise<ForeignWords> {
    const words = LISTED_LANGUAGES.flatMap(commonWords).filter((word) => /^[a-z]{2,}$/i.test(word));
    const hashes = new Set<number>();
    for (const code of LANGUAGES_WITH_NAMES) {
      const folder = dirname(modules.resolve(`dictionary-${code}`));
      const dictionary = await readFile(join(folder, 'index.dic'));
      for (const hash of nameHashes(dictionary)) hashes.add(hash);
    }
    return new ForeignWords(
      new Set(words.map((word) => word.toLowerCase())),
      Uint32Array.from(hashes).sort(),
    );
  }

  /** Returns true for a common word of another language. Expects lower case. */
  hasWord(word: string): boolean {
    return this.words.has(word);
  }

  /** Returns true for a name that a dictionary of another language lists. Expects lower case. */
  hasName(name: string): boolean {
    return indexOfHash(this.names, hashOf(name)) >= 0;
  }
}

/** Yields a hash of each line that starts with a capital and at least three letters a–z, in lower case. */
function* nameHashes(dictionary: Uint8Array): Generator<number> {
  for (let at = 0; at < dictionary.length; at = dictionary.indexOf(NEWLINE, at) + 1 || Infinity) {
    const first = dictionary[at] ?? 0;
    if (first < 65 || first > 90) continue;
    let hash = hashed(NO_HASH, first + 32);
    let end = at + 1;
    for (; isLetter(dictionary[end]); end += 1) hash = hashed(hash, dictionary[end] ?? 0);
    if (end - at > 3 && WORD_ENDS.has(dictionary[end] ?? NEWLINE)) yield hash;
  }
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 97 && byte <= 122;
}
