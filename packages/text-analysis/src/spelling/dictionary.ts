/** Decides whether a word belongs to a language. Expects NFC and straight apostrophes. */
export interface Dictionary {
  /** BCP 47 code, such as `de` or `en-GB`. */
  readonly language: string;
  knows(word: string): boolean;
  /** Returns true if a known word is not in the dictionary itself, but formed of other words: `Datenbankverbindung`. */
  isCompound(word: string): boolean;
  /** Returns false if a word can only be a compound. Cheaper than `knows`, which tries all ways to split a word. */
  mayBeSimple(word: string): boolean;
  dispose(): void;
}

/** Caches results, because texts repeat words. */
export class CachedDictionary implements Dictionary {
  private static readonly LIMIT = 20_000;
  private readonly known = new Map<string, boolean>();

  constructor(private readonly dictionary: Dictionary) {}

  get language(): string {
    return this.dictionary.language;
  }

  knows(word: string): boolean {
    let known = this.known.get(word);
    if (known === undefined) {
      known = this.dictionary.knows(word);
      if (this.known.size >= CachedDictionary.LIMIT) this.known.clear();
      this.known.set(word, known);
    }
    return known;
  }

  isCompound(word: string): boolean {
    return this.dictionary.isCompound(word);
  }

  mayBeSimple(word: string): boolean {
    return this.dictionary.mayBeSimple(word);
  }

  dispose(): void {
    this.known.clear();
    this.dictionary.dispose();
  }
}
