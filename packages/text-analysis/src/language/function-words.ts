import { readSections, wordsIn } from '../data-file.js';

const LISTS = readSections(import.meta.url, 'function-words.txt');

const sets = new Map<string, ReadonlySet<string>>();

/** Returns an empty set for a language without a list. */
export function functionWords(language: string): ReadonlySet<string> {
  let set = sets.get(language);
  if (!set) {
    set = new Set(LISTS.has(language) ? wordsIn(LISTS, language) : []);
    sets.set(language, set);
  }
  return set;
}

export const LANGUAGES_WITH_FUNCTION_WORDS: readonly string[] = [...LISTS.keys()];
