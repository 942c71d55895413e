import type { ITrie } from 'cspell-trie-lib';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dictionary } from './dictionary.js';

/** The German dictionary of @cspell/dict-de-de: a trie that knows which words form compounds. */
export class GermanDictionary implements Dictionary {
  readonly language = 'de';

  private constructor(private trie: ITrie | undefined) {}

  /** Loads the dictionary. `manifest` is any file in the root of the package. Takes a second of CPU time and 50 MB. */
  static async load(manifest: string): Promise<GermanDictionary> {
    const [{ decodeTrie }, packed] = await Promise.all([
      import('cspell-trie-lib'),
      readFile(join(dirname(manifest), 'de_DE.trie.gz')),
    ]);
    return new GermanDictionary(decodeTrie(await promisify(gunzip)(packed)));
  }

  knows(word: string): boolean {
    if (this.has(word)) return true;
    const first = word.charAt(0);
    const lower = first.toLowerCase();
    // Handles capitals at the start of a sentence, and verbs and adjectives that are used as nouns.
    return first !== lower && this.has(lower + word.slice(1));
  }

  isCompound(word: string): boolean {
    const lower = word.charAt(0).toLowerCase() + word.slice(1);
    const forms = [word, lower].map((form) => this.trie?.findWord(form, { caseSensitive: true }));
    return (
      forms.some((form) => form?.found) && forms.every((form) => !form?.found || form.compoundUsed)
    );
  }

  /** Returns true for all words, because look-ups in the trie are cheap. */
  mayBeSimple(): boolean {
    return true;
  }

  dispose(): void {
    this.trie = undefined;
  }

  private has(word: string): boolean {
    return this.trie?.hasWord(word, true) ?? false;
  }
}
