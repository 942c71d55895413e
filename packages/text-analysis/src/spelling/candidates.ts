import { pairsIn, readSections } from '../data-file.js';
import type { Dictionary } from './dictionary.js';
import { distanceWithin } from './edit-cost.js';
import { changesOnePart } from './word-building.js';
import type { WordRanks } from './word-ranks.js';
import { capitalized, isCapitalized } from './words.js';
import { baseLanguage } from '../language/base-language.js';

/** A word that the writer may have meant. */
export interface Candidate {
  word: string;
  /** Cost of the slip, less for common words. Smaller is likelier. */
  cost: number;
  /** Cost of the slip alone. */
  slip: number;
  /** True if the word is one of the most common words of its language. */
  isCommon: boolean;
}

/** Letters beyond a to z, by language. */
const EXTRA_LETTERS = new Map(pairsIn(readSections(import.meta.url, 'letters.txt'), ''));
const LATIN = 'abcdefghijklmnopqrstuvwxyz';

/** Rows of keyboards. Adjacent keys are often confused. */
const QWERTY = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const QWERTZ = ['qwertzuiopü', 'asdfghjklöä', 'yxcvbnm'];
const AZERTY = ['azertyuiop', 'qsdfghjklm', 'wxcvbn'];
const QWERTY_NORDIC = ['qwertyuiopå', 'asdfghjklöä', 'zxcvbnm'];
const KEYBOARDS: Readonly<Record<string, readonly string[]>> = {
  de: QWERTZ,
  fr: AZERTY,
  da: ['qwertyuiopå', 'asdfghjklæø', 'zxcvbnm'],
  sv: QWERTY_NORDIC,
  fi: QWERTY_NORDIC,
  cs: QWERTZ,
  hu: QWERTZ,
};

/** Cost of each kind of slip. Missing accents and swapped letters are most common, a wrong first letter is rare. */
const COST = {
  accent: 0.3,
  transposed: 0.45,
  doubled: 0.42,
  missing: 0.63,
  extra: 0.66,
  neighbour: 0.6,
  slippedKey: 0.55,
  sound: 0.62,
  replaced: 0.95,
  twoWords: 1.05,
  firstLetter: 0.35,
  /** Cost of each additional accent in a word. */
  moreAccents: 0.12,
};

const DATA = readSections(import.meta.url, 'sounds.txt');
/** Spellings that sound alike, by language. */
const SOUNDS = new Map([...DATA.keys()].map((language) => [language, pairsIn(DATA, language)]));

/** Costs for languages whose keyboards have keys for accented letters, where accents are omitted less often. */
const COST_OF_OWN_LETTERS: Readonly<Record<string, number>> = {
  da: 0.58,
  sv: 0.55,
  no: 0.58,
  nb: 0.58,
  fi: 0.55,
  de: 0.42,
};

/** European letters by frequency. If two slips cost the same, the more frequent letter wins. */
const BY_COMMONNESS = 'enairtsloudgmkvhpcfbyzjxwqáéíóúäöüåæøàèçãõâêôąęłżśćńźñëïîûùœß';
const COST_OF_RARENESS = 0.003;

/** If the best candidate costs less, replacements with arbitrary letters are not tried. */
const GOOD_ENOUGH = 0.6;

/** Maximum number of accents to try at once. */
const MOST_ACCENTED_PLACES = 5;
/** Maximum length of a word for which slips are tried. Their number grows with the length. */
const LONGEST = 32;

/** Common words cost less: by 0.63 for the most common one, by 0.03 for rank 10,000. */
const COST_OF_RANK = 0.15;
const RANK_WITHOUT_BONUS = 4.2;
const COST_OF_UNLISTED = 0.15;
/** Dictionaries accept compounds that nobody writes, such as the Danish `kølekap`. */
const COST_OF_COMPOUND = 0.2;
/** Two slips. Longer words have fewer neighbors by chance. */
const COST_OF_TWO_SLIPS = { short: 1.25, long: 1.1 };
const LONG = 8;
/** Minimum length of a word with two slips. */
const SHORTEST_WITH_TWO_SLIPS = 5;

/**
 * Returns dictionary words one slip away from `word`, and common words two slips away, likeliest first: swapped,
 * doubled, missing or additional letters, adjacent keys, accents, similar sounds, and a missing space. Makes 300 to
 * 1,000 look-ups of 10 to 50 µs.
 */
export function candidates(word: string, dictionary: Dictionary, ranks: WordRanks): Candidate[] {
  if (word.length > LONGEST) return [];
  const found = new Map<string, number>();
  for (const tried of [slips(word, dictionary.language), otherLetters(word, dictionary.language)]) {
    for (const [form, cost] of tried) {
      const known = found.get(form);
      if (known === undefined ? isCandidate(word, form, dictionary, ranks) : known > cost)
        found.set(form, cost);
    }
    found.delete(word);
    if (
      [...found].some(([form, cost]) => weighed(form, cost, dictionary, ranks).cost < GOOD_ENOUGH)
    )
      break;
  }
  for (const [form, cost] of twoSlips(word, dictionary, ranks))
    if (!found.has(form)) found.set(form, cost);
  for (const [form, cost] of splits(word, dictionary)) if (!found.has(form)) found.set(form, cost);
  return ranked(found, dictionary, ranks);
}

/** Returns true if a common word, or one that is no compound, is one slip away that costs less than `limit`. */
export function isNearSimpleWord(
  word: string,
  dictionary: Dictionary,
  ranks: WordRanks,
  limit: number,
): boolean {
  if (word.length > LONGEST) return false;
  for (const [form, cost] of slips(word, dictionary.language)) {
    if (cost >= limit || form === word) continue;
    const isNear =
      ranks.rankOf(form) === undefined ? isSimple(form, dictionary) : dictionary.knows(form);
    if (isNear) return true;
  }
  return false;
}

/**
 * Returns true if one of the most common words is one slip away that costs less than `limit`. Looks only common words up
 * in the dictionary, so it takes less than a millisecond.
 */
export function isNearCommonWord(
  word: string,
  dictionary: Dictionary,
  ranks: WordRanks,
  limit: number,
): boolean {
  if (word.length > LONGEST) return false;
  for (const [form, cost] of slips(word, dictionary.language)) {
    if (cost >= limit || form.toLowerCase() === word.toLowerCase()) continue;
    // A long word that lacks only its accents is a slip for an uncommon word too: `extension` in Spanish.
    const counts = ranks.rankOf(form) !== undefined || (cost <= COST.accent && word.length >= 7);
    if (counts && dictionary.knows(form)) return true;
  }
  return false;
}

/** Returns true for words that a writer may have meant. Dictionaries also accept random compounds, such as `Verbbindung`. */
function isCandidate(
  word: string,
  form: string,
  dictionary: Dictionary,
  ranks: WordRanks,
): boolean {
  if (ranks.rankOf(form) !== undefined) return dictionary.knows(form);
  if (/\p{Ll}\p{Lu}/u.test(form)) return false;
  return (
    isSimple(form, dictionary) || (changesOnePart(word, form, dictionary) && dictionary.knows(form))
  );
}

/** Returns true for a known word that is no compound. */
function isSimple(form: string, dictionary: Dictionary): boolean {
  return dictionary.mayBeSimple(form) && dictionary.knows(form) && !dictionary.isCompound(form);
}

function weighed(form: string, slip: number, dictionary: Dictionary, ranks: WordRanks): Candidate {
  const known = form.split(' ').map((word) => ranks.rankOf(word));
  const isCommon = known.every((rank) => rank !== undefined);
  const rank = Math.log10(Math.max(...known.map((one) => one ?? 1)));
  const isCompound = !isCommon && dictionary.isCompound(form);
  const rare = COST_OF_UNLISTED + (isCompound ? COST_OF_COMPOUND : 0);
  const change = isCommon ? COST_OF_RANK * (rank - RANK_WITHOUT_BONUS) : rare;
  return { word: form, cost: slip + change, slip, isCommon };
}

function ranked(
  found: ReadonlyMap<string, number>,
  dictionary: Dictionary,
  ranks: WordRanks,
): Candidate[] {
  return [...found]
    .map(([form, cost]) => weighed(form, cost, dictionary, ranks))
    .sort((one, other) => one.cost - other.cost || (one.word < other.word ? -1 : 1));
}

/** Yields common words two slips away. */
function* twoSlips(
  word: string,
  dictionary: Dictionary,
  ranks: WordRanks,
): Generator<[string, number]> {
  if (word.length < SHORTEST_WITH_TWO_SLIPS) return;
  const cost = word.length < LONG ? COST_OF_TWO_SLIPS.short : COST_OF_TWO_SLIPS.long;
  const lower = word.toLowerCase();
  for (const listed of new Set([...ranks.similarShapes(word), ...ranks.similarShapes(lower)])) {
    if (distanceWithin(lower, listed.toLowerCase(), 2) !== 2) continue;
    const form = keepCase(word, listed);
    if (dictionary.knows(form)) yield [form, cost];
  }
}

/** Yields likely forms one slip away with their cost. Forms may repeat. */
function* slips(word: string, language: string): Generator<[string, number]> {
  const { letters, keys, base } = alphabetOf(word, language);
  yield* accents(word, letters, COST_OF_OWN_LETTERS[base] ?? COST.accent);
  yield* sounds(word, SOUNDS.get(base) ?? []);
  for (let at = 0; at < word.length; at += 1) {
    const rare = at === 0 ? COST.firstLetter : 0;
    const before = word.slice(0, at);
    const letter = word.charAt(at).toLowerCase();
    const after = word.slice(at + 1);
    const next = word.charAt(at + 1);
    const previous = word.charAt(at - 1).toLowerCase();
    if (next !== '' && next !== letter) {
      const swapped = before + next + word.charAt(at) + word.slice(at + 2);
      yield [keepCase(word, swapped), COST.transposed + rare / 2];
    }
    yield [keepCase(word, before + after), costOfExtra(keys, previous, letter, next) + rare];
    for (const other of letters) {
      if (areNeighbours(keys, letter, other))
        yield [keepCase(word, before + other + after), COST.neighbour + rarity(other) + rare];
      const doubling = other === letter;
      yield [
        keepCase(word, before + other + word.slice(at)),
        doubling ? COST.doubled : COST.missing + rarity(other) + rare,
      ];
    }
  }
  for (const other of letters) yield [word + other, COST.missing + rarity(other)];
  if (!isCapitalized(word)) yield [capitalized(word), COST.accent];
}

/** Yields forms with one letter replaced by another that is not adjacent on the keyboard. */
function* otherLetters(word: string, language: string): Generator<[string, number]> {
  const { letters } = alphabetOf(word, language);
  for (let at = 0; at < word.length; at += 1) {
    const rare = at === 0 ? COST.firstLetter : 0;
    for (const other of letters) {
      const form = word.slice(0, at) + other + word.slice(at + 1);
      yield [keepCase(word, form), COST.replaced + rarity(other) + rare];
    }
  }
}

function costOfExtra(
  keys: readonly string[],
  previous: string,
  letter: string,
  next: string,
): number {
  if (letter === next || letter === previous) return COST.doubled;
  const slipped = areNeighbours(keys, letter, next) || areNeighbours(keys, letter, previous);
  return slipped ? COST.slippedKey : COST.extra;
}

function alphabetOf(
  word: string,
  language: string,
): { letters: string; keys: readonly string[]; base: string } {
  const base = baseLanguage(language);
  return {
    letters: LATIN + (EXTRA_LETTERS.get(base) ?? ownLetters(word)),
    keys: KEYBOARDS[base] ?? QWERTY,
    base,
  };
}

function rarity(letter: string): number {
  const rank = BY_COMMONNESS.indexOf(letter);
  return (rank < 0 ? BY_COMMONNESS.length : rank) * COST_OF_RARENESS;
}

/** Yields the word with other accents: each position alone, and all together. */
function* accents(word: string, letters: string, cost: number): Generator<[string, number]> {
  const places = Array.from(word).flatMap((letter, at) => {
    const others = Array.from(letters).filter(
      (other) => other !== letter.toLowerCase() && plain(other) === plain(letter.toLowerCase()),
    );
    return others.length > 0 ? [{ at, others }] : [];
  });
  const characters = Array.from(word);
  for (const { at, others } of places) {
    for (const other of others) yield [keepCase(word, characters.with(at, other).join('')), cost];
  }
  if (places.length < 2 || places.length > MOST_ACCENTED_PLACES) return;
  for (const [index, one] of places.entries()) {
    for (const two of places.slice(index + 1)) {
      for (const first of one.others) {
        for (const second of two.others) {
          yield [
            keepCase(word, characters.with(one.at, first).with(two.at, second).join('')),
            cost + COST.moreAccents,
          ];
        }
      }
    }
  }
}

function* sounds(
  word: string,
  pairs: readonly (readonly [string, string])[],
): Generator<[string, number]> {
  const lower = word.toLowerCase();
  for (const [heard, written] of pairs) {
    if (heard === '') continue;
    for (let at = lower.indexOf(heard); at >= 0; at = lower.indexOf(heard, at + 1)) {
      yield [
        keepCase(word, lower.slice(0, at) + written + lower.slice(at + heard.length)),
        COST.sound,
      ];
    }
  }
}

/** Yields splits into two words, one of which has more than two letters. */
function* splits(word: string, dictionary: Dictionary): Generator<[string, number]> {
  for (let at = 2; at <= word.length - 2; at += 1) {
    const first = word.slice(0, at);
    const second = word.slice(at);
    if (Math.max(first.length, second.length) < 4) continue;
    if (dictionary.knows(first) && dictionary.knows(second))
      yield [
        `${first} ${second}`,
        COST.twoWords + (Math.min(first.length, second.length) < 3 ? 0.15 : 0),
      ];
  }
}

function areNeighbours(keys: readonly string[], one: string, other: string): boolean {
  for (const [row, line] of keys.entries()) {
    const at = line.indexOf(one);
    if (at < 0) continue;
    if (line.charAt(at - 1) === other || line.charAt(at + 1) === other) return other !== '';
    const below = keys[row + 1]?.indexOf(other) ?? -1;
    if (below >= 0 && (below === at || below === at - 1)) return true;
    const above = keys[row - 1]?.indexOf(other) ?? -1;
    return above >= 0 && (above === at || above === at + 1);
  }
  return false;
}

/** Removes the accent of a letter. ł, ø and ß have no decomposition. */
function plain(letter: string): string {
  return STROKED[letter] ?? letter.normalize('NFD').charAt(0);
}

const STROKED: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  æ: 'a',
  œ: 'o',
  đ: 'd',
  ı: 'i',
};

function ownLetters(word: string): string {
  return [...new Set(word.toLowerCase())].filter((letter) => letter > 'z').join('');
}

/** Capitalizes a form if the word is capitalized. */
function keepCase(word: string, form: string): string {
  if (!isCapitalized(word)) return form;
  return capitalized(form.charAt(0) + form.slice(1).toLowerCase());
}
