import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readSections, wordsIn } from '../data-file.js';

const modules = createRequire(import.meta.url);

const LISTS = [
  'softwareTerms.txt.gz',
  'computing-acronyms.txt',
  'networkingTerms.txt',
  'software-tools.txt',
  'webServices.txt',
  'coding-compound-terms.txt',
];

let terms: Promise<ReadonlySet<string>> | undefined;

/**
 * Loads software names and terms in lower case, from @cspell/dict-software-terms and our own list. They are correct in
 * every language.
 */
export function softwareTerms(): Promise<ReadonlySet<string>> {
  terms ??= readTerms();
  return terms;
}

async function readTerms(): Promise<ReadonlySet<string>> {
  const root = dirname(modules.resolve('@cspell/dict-software-terms'));
  const lists = await Promise.all(
    LISTS.map(async (name) => {
      const bytes = await readFile(join(root, 'dict', name));
      return (name.endsWith('.gz') ? await promisify(gunzip)(bytes) : bytes).toString('utf8');
    }),
  );
  const words = new Set(wordsIn(readSections(import.meta.url, 'software-terms.txt'), ''));
  for (const line of lists.join('\n').split('\n')) {
    // `#` starts a comment, `!` forbids a word, `~` and `:` control matching.
    const word = (line.split('#')[0] ?? '').trim().replace(/^[~+*]|[+*]$/g, '');
    if (word !== '' && !/^[!:]/.test(word)) words.add(word.toLowerCase());
  }
  return words;
}
