import { pairsIn, readSections, wordsIn, type Sections } from '../data-file.js';
import { functionWords } from '../language/function-words.js';
import type { Dictionary } from './dictionary.js';
import { wordRanks } from './word-ranks.js';
import { capitalized } from './words.js';
import { baseLanguage } from '../language/base-language.js';

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
/** Minimum length of a part that has a slip. Shorter ones have neighbors by chance. */
const SHORTEST_CHANGED_PART = { common: 4, other: 5 };
const SHORTEST_UNCHANGED_PART = 3;

const PREFIX_LISTS = readSections(import.meta.url, 'prefixes.txt');
/** Prefixes that a language adds freely, also to words outside dictionaries. */
const PREFIXES = byLanguage(PREFIX_LISTS, wordsIn);
/** Minimum length of a word after a prefix. Short prefixes start many misspelled words. */
const SHORTEST_AFTER_PREFIX = { short: 5, long: 4 };
const LONG_PREFIX = 4;

const DERIVED = readSections(import.meta.url, 'derived-endings.txt');
/** Endings of derived words, and the endings of the words that they are derived from. */
const DERIVATIONS = byLanguage(DERIVED, (sections, language) =>
  pairsIn(sections, language).map(([ending, sources]) => ({
    ending,
    // `-` stands for no ending.
    sources: sources.split(/\s+/).map((source) => (source === '-' ? '' : source)),
  })),
);
const SHORTEST_STEM = 4;

const FOREIGN = readSections(import.meta.url, 'foreign-endings.txt');
/** Endings that a language adds to English words and software terms. */
const FOREIGN_ENDINGS = byLanguage(FOREIGN, wordsIn);

function byLanguage<T>(
  sections: Sections,
  read: (sections: Sections, language: string) => T,
): ReadonlyMap<string, T> {
  return new Map([...sections.keys()].map((language) => [language, read(sections, language)]));
}

/**
 * Returns true if an unknown word is a compound of known words, has a known prefix, or is derived from a known word. One
 * part of a compound may be a term: `clientnetwerk`.
 */
export function isBuiltFromWords(
  word: string,
  dictionary: Dictionary,
  isTerm: (part: string) => boolean = () => false,
): boolean {
  const base = baseOf(dictionary);
  const lower = word.toLowerCase();
  return (
    isPrefixed(lower, dictionary, base) ||
    isDerived(lower, dictionary, base) ||
    isCompound(word, dictionary, base, isTerm)
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
    word.replace(/ó(?=[mn][aei])/u, 'ô'),
    word.replace(/é(?=[mn][aei])/u, 'ê'),
    word.replace(/ü/u, 'u'),
  ];
  return forms.some((form) => form !== word && dictionary.knows(form));
}

/** Spanish pronouns after a verb, at most two. */
const ENCLITICS = /^(.{3,}?)(?:me|te|se|nos|os)?(?:me|te|se|nos|os|l[aeo]s?)$/u;
const GERUND = /[áéí]ndo$/u;

/** Returns true for Spanish verbs with pronouns: `redimensionarla`, `pulsándolo`, `introdúzcala`. */
export function isVerbWithPronouns(word: string, dictionary: Dictionary): boolean {
  if (baseOf(dictionary) !== 'es') return false;
  const verb = ENCLITICS.exec(word.toLowerCase())?.[1];
  if (verb === undefined) return false;
  const plain = withoutAccents(verb);
  const knows = (form: string) => dictionary.knows(form);
  // An infinitive, a gerund, or an imperative, which gets an accent: `pulse`, `púlselo`.
  if (/[aei]r$/u.test(verb)) return knows(verb);
  if (/[áéí]r$/u.test(verb)) return knows(plain);
  return verb !== plain && (GERUND.test(verb) || verb.length >= SHORTEST_STEM) && knows(plain);
}

/** Returns true for an English word or a software term with an ending of the language: `frameworków`, `renderizado`. */
export function isForeignWithEnding(
  word: string,
  language: string,
  isTerm: (stem: string) => boolean,
): boolean {
  const base = baseLanguage(language);
  // `deployarlo`
  const pronouns = base === 'es' ? /(?<=r)(?:me|te|se|nos)?(?:l[aeo]s?)$/u : /$^/u;
  const lower = word.toLowerCase().replace(pronouns, '');
  // A German or Dutch participle: `gehostet`, `gedownload`.
  const starts = (base === 'de' || base === 'nl') && lower.startsWith('ge') ? ['ge', ''] : [''];
  return starts.some((start) =>
    (FOREIGN_ENDINGS.get(base) ?? []).some((ending) => {
      if (!lower.endsWith(ending)) return false;
      const stem = lower.slice(start.length, lower.length - ending.length);
      if (stem.length < SHORTEST_STEM) return false;
      // English words lose a last e and double the last consonant: `cachen`, `loggen`.
      return (
        isTerm(stem) || isTerm(`${stem}e`) || (/(.)\1$/u.test(stem) && isTerm(stem.slice(0, -1)))
      );
    }),
  );
}

/** Returns true for languages that write compounds as one word. */
export function joinsWords(language: string): boolean {
  return COMPOUNDING[baseLanguage(language)] !== undefined;
}

/**
 * Returns true if a compound differs from a misspelled word in one part that is itself no compound and long enough, and
 * the rest is known. This excludes compounds that nobody means, such as `Protokolleierstufe` for `Protokollierstufe`.
 */
export function changesOnePart(word: string, compound: string, dictionary: Dictionary): boolean {
  const links = COMPOUNDING[baseOf(dictionary)];
  if (!links) return true;
  const [one, other] = [word.toLowerCase(), compound.toLowerCase()];
  const lengths = Math.min(one.length, other.length);
  let start = 0;
  while (start < lengths && one[start] === other[start]) start += 1;
  let same = 0;
  while (same < lengths - start && one.at(-1 - same) === other.at(-1 - same)) same += 1;
  const end = other.length - same;
  const canChange = (part: string) => isChangedPart(part, dictionary);
  for (let cut = SHORTEST_UNCHANGED_PART; cut <= other.length - SHORTEST_UNCHANGED_PART; cut += 1) {
    const right = other.slice(cut);
    const lefts = bareParts(other.slice(0, cut), links);
    if (cut <= start && lefts.some((left) => isPart(left, dictionary)) && canChange(right))
      return true;
    if (
      cut >= end &&
      isPart(right, dictionary) &&
      lefts.some((left) => left.length >= end && canChange(left))
    )
      return true;
  }
  return false;
}

function isChangedPart(part: string, dictionary: Dictionary): boolean {
  const ranks = wordRanks(baseOf(dictionary));
  return formsOf(part, dictionary).some((form) => {
    if (ranks.rankOf(form) !== undefined)
      return form.length >= SHORTEST_CHANGED_PART.common && dictionary.knows(form);
    return (
      form.length >= SHORTEST_CHANGED_PART.other &&
      dictionary.mayBeSimple(form) &&
      dictionary.knows(form) &&
      !dictionary.isCompound(form)
    );
  });
}

/** Returns a part of a compound with and without the linking letters at its end. */
function bareParts(part: string, links: readonly string[]): string[] {
  return links
    .filter((link) => part.endsWith(link) && part.length - link.length >= SHORTEST_UNCHANGED_PART)
    .map((link) => part.slice(0, part.length - link.length));
}

function isPart(part: string, dictionary: Dictionary): boolean {
  return formsOf(part, dictionary).some((form) => dictionary.knows(form));
}

/** Returns the spellings of a part of a compound as a word. */
function formsOf(part: string, dictionary: Dictionary): string[] {
  return baseOf(dictionary) === 'de' ? [part, capitalized(part)] : [part];
}

function isPrefixed(word: string, dictionary: Dictionary, base: string): boolean {
  return (PREFIXES.get(base) ?? []).some((prefix) => {
    let rest = word.slice(prefix.length);
    const shortest =
      prefix.length < LONG_PREFIX ? SHORTEST_AFTER_PREFIX.short : SHORTEST_AFTER_PREFIX.long;
    if (!word.startsWith(prefix) || rest.length < shortest) return false;
    // Spanish and Portuguese double an r or s after a vowel: `prerrequisito`, `microsserviço`.
    if ((base === 'es' || base === 'pt') && /^(?:rr|ss)/u.test(rest)) rest = rest.slice(1);
    return dictionary.knows(rest);
  });
}

function isDerived(word: string, dictionary: Dictionary, base: string): boolean {
  return (DERIVATIONS.get(base) ?? []).some(({ ending, sources }) => {
    const stem = word.slice(0, word.length - ending.length);
    return (
      word.endsWith(ending) &&
      stem.length >= SHORTEST_STEM &&
      sources.some((source) => isPart(stem + source, dictionary))
    );
  });
}

function isCompound(
  word: string,
  dictionary: Dictionary,
  base: string,
  isTerm: (part: string) => boolean,
): boolean {
  const links = COMPOUNDING[base];
  if (!links || word.length < SHORTEST_COMPOUND) return false;
  const shortestLast = SHORTEST_LAST_PART[base] ?? SHORTEST_PART;
  const lower = word.toLowerCase();
  const small = functionWords(base);
  const ranks = wordRanks(base);
  const knows = (part: string) =>
    !small.has(part) && dictionary.knows(base === 'de' ? capitalized(part) : part);
  const isFirst = (part: string, last: string) => {
    if (part.length >= SHORTEST_PART)
      return knows(part) || isTerm(part) || (base === 'de' && dictionary.knows(`${part}en`));
    // Short words start many misspelled words, so they must be common or terms: `celbereik`, `logniveaus`.
    return (
      part.length === SHORTEST_UNCHANGED_PART &&
      last.length >= SHORTEST_CHANGED_PART.other &&
      ((knows(part) && ranks.rankOf(part) !== undefined) || (!small.has(part) && isTerm(part)))
    );
  };
  for (let cut = SHORTEST_UNCHANGED_PART; cut <= lower.length - shortestLast; cut += 1) {
    const last = lower.slice(cut);
    const first = lower.slice(0, cut);
    const isKnown = knows(last);
    if (!isKnown && (last.length < SHORTEST_PART || !isTerm(last))) continue;
    const bare = links
      .filter((link) => first.endsWith(link))
      .map((link) => first.slice(0, first.length - link.length));
    // A word of two terms is another language.
    if (
      bare.some((part) =>
        isKnown ? isFirst(part, last) : part.length >= SHORTEST_PART && knows(part),
      )
    )
      return true;
  }
  return false;
}

function baseOf({ language }: Dictionary): string {
  return baseLanguage(language);
}

function withoutAccents(word: string): string {
  return word.replace(/[áéíóú]/gu, (letter) => letter.normalize('NFD').charAt(0));
}
