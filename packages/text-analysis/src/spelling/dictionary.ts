/** What tells words of one language from what is none. Asked with NFC and straight apostrophes. */
export interface Dictionary {
  /** BCP-47 code of the words: `de`, `en-GB`. */
  readonly language: string;
  knows(word: string): boolean;
  /** Words like this one as the dictionary itself finds them: slow, so it is asked last. */
  similar(word: string): string[];
  dispose(): void;
}

/** Remembers answers: a text asks for the same words again and again. */
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

  similar(word: string): string[] {
    return this.dictionary.similar(word);
  }

  dispose(): void {
    this.known.clear();
    this.dictionary.dispose();
  }
}
