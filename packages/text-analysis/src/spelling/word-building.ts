import { readSections, wordsIn } from '../data-file.js';
import { functionWords } from '../language/function-words.js';
import type { Dictionary } from './dictionary.js';

/** Languages that join compounds, with the letters between their parts. */
const COMPOUNDING: Readonly<Record<string, readonly string[]>> = {
  de: ['', 's', 'es', 'n', 'en'],
  nl: ['', 's', 'en', 'e'],
  da: ['', 's', 'e'],
  sv: ['', 's'],
  no: ['', 's', 'e'],
  nb: ['', 's', 'e'],
  en: [''],
};
/** Minimum length of a part of a compound. The last one may be shorter: `zoekpad`. */
const SHORTEST_PART = 4;
const SHORTEST_LAST_PART: Readonly<Record<string, number>> = { nl: 3, sv: 3 };
const SHORTEST_COMPOUND = 7;

const DATA = readSections(import.meta.url, 'prefixes.txt');
/** Prefixes that a language adds freely, also to words outside dictionaries. */
const PREFIXES = new Map([...DATA.keys()].map((language) => [language, wordsIn(DATA, language)]));
const SHORTEST_AFTER_PREFIX = 5;

/** Returns true if an unknown word is a compound of known words or has a known prefix. */
export function isBuiltFromWords(word: string, dictionary: Dictionary): boolean {
  const base = dictionary.language.split('-')[0] ?? dictionary.language;
  const lower = word.toLowerCase();
  return (
    isPrefixed(lower, dictionary, base) ||
    isAdverb(lower, dictionary, base) ||
    isCompound(word, dictionary, base)
  );
}

/**
 * Returns true if a word follows a different standard than the dictionary: European Portuguese before and after 1990
 * (`actual`, `deteção`, `encontrámos`) and Brazilian Portuguese.
 */
export function isVariant(word: string, dictionary: Dictionary): boolean {
  if (dictionary.language !== 'pt') return false;
  const forms = [
    word.replace(/[cp](?=[tçc])/u, ''),
    word.replace(/(?=ç)/u, 'c'),
    word.replace(/(?=ç)/u, 'p'),
    word.replace(/(?<=[aeiou])(?=t[aeiou])/u, 'c'),
    word.replace(/ámos$/u, 'amos'),
    word.replace(/ó(?=[mn][ei])/u, 'ô'),
    word.replace(/é(?=[mn][ei])/u, 'ê'),
  ];
  return forms.some((form) => form !== word && dictionary.knows(form));
}

function isPrefixed(word: string, dictionary: Dictionary, base: string): boolean {
  return (PREFIXES.get(base) ?? []).some((prefix) => {
    const rest = word.slice(prefix.length);
    return (
      word.startsWith(prefix) && rest.length >= SHORTEST_AFTER_PREFIX && dictionary.knows(rest)
    );
  });
}

function isAdverb(word: string, dictionary: Dictionary, base: string): boolean {
  if (base !== 'es' && base !== 'pt') return false;
  return (
    word.length > 9 && word.endsWith('mente') && dictionary.knows(word.slice(0, -'mente'.length))
  );
}

function isCompound(word: string, dictionary: Dictionary, base: string): boolean {
  const links = COMPOUNDING[base];
  if (!links || word.length < SHORTEST_COMPOUND) return false;
  const shortestLast = SHORTEST_LAST_PART[base] ?? SHORTEST_PART;
  const lower = word.toLowerCase();
  const small = functionWords(base);
  const knows = (part: string) =>
    part.length >= shortestLast &&
    !small.has(part) &&
    (base === 'de'
      ? dictionary.knows(part.charAt(0).toUpperCase() + part.slice(1))
      : dictionary.knows(part));
  for (let cut = SHORTEST_PART; cut <= lower.length - shortestLast; cut += 1) {
    if (!knows(lower.slice(cut))) continue;
    const first = lower.slice(0, cut);
    if (
      links.some(
        (link) =>
          first.endsWith(link) &&
          cut - link.length >= SHORTEST_PART &&
          knows(first.slice(0, cut - link.length)),
      )
    )
      return true;
  }
  return false;
}
