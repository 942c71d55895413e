import { pairsIn, readSections } from '../data-file.js';
import { pastOfRegularised } from '../english/word-forms.js';
import { distanceWithin, editCost } from './edit-cost.js';

/** A word that a misspelled one may stand for. */
export interface SpellingCandidate {
  /** In lower case, unless it is a name. Two words if a space is missing. */
  word: string;
  /** How likely it is: frequency minus edits. Only comparable between candidates of the same word. */
  score: number;
  /** How unlikely the edits are, about 1 per letter. See `editCost`. */
  cost: number;
  /** Decimal logarithm of its uses in 50 million words. 0 if rare, and for two words. */
  frequency: number;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz'";

/** Score of a candidate that is rare or two edits away, and of a known mistake. */
const WEAK = -1.5;
const CERTAIN = 10;

/** `dosn't` rather stands for `doesn't` than for `dost`. */
const LOST_APOSTROPHE = 1.5;
/** Cost of a missing space. */
const MISSING_SPACE = 1.4;

/** Maximum number of candidates. */
const MOST = 5;

/** Words whose candidates are cached. */
const CACHED_WORDS = 5_000;

/** Returns the correction of a known mistake whose spelling is far from the intended word. */
export function knownMistake(word: string): string | undefined {
  return KNOWN_MISTAKES.get(word) ?? pastOfRegularised(word);
}

const KNOWN_MISTAKES = new Map(pairsIn(readSections(import.meta.url, 'known-mistakes.txt'), ''));

/** Finds words that a misspelled one may stand for: close by common edits, and frequent. */
export class EnglishCandidates {
  private readonly byInitial = new Map<string, { word: string; letters: number }[]>();
  private readonly caches = new Map<string, Map<string, SpellingCandidate[]>>();

  /** `isKnown` accepts the words of any variant. */
  constructor(
    private readonly frequencies: ReadonlyMap<string, number>,
    private readonly isKnown: (word: string) => boolean,
  ) {
    for (const word of frequencies.keys()) {
      const key = `${word.charAt(0)}${String(word.length)}`;
      const list = this.byInitial.get(key);
      const entry = { word, letters: lettersOf(word) };
      if (list) list.push(entry);
      else this.byInitial.set(key, [entry]);
    }
  }

  /**
   * Returns up to five candidates for a word in lower case, best first. `spell` returns a candidate as `variant` spells
   * it, or `undefined` if it does not contain the word. Results are cached.
   */
  of(word: string, variant: string, spell: Spell): readonly SpellingCandidate[] {
    let cache = this.caches.get(variant);
    if (!cache) {
      cache = new Map<string, SpellingCandidate[]>();
      this.caches.set(variant, cache);
    }
    let found = cache.get(word);
    if (!found) {
      found = this.search(word, spell);
      if (cache.size >= CACHED_WORDS) cache.clear();
      cache.set(word, found);
    }
    return found;
  }

  private search(word: string, spell: Spell): SpellingCandidate[] {
    const scored = new Map<string, number>();
    const take = (candidates: Iterable<string>) => {
      for (const candidate of candidates) {
        if (candidate !== word && !scored.has(candidate))
          scored.set(candidate, this.score(word, candidate));
      }
    };
    const known = knownMistake(word);
    if (known !== undefined) scored.set(known, CERTAIN);
    take(this.near(word));
    let ranked = best(scored, spell);
    if ((ranked[0]?.score ?? -Infinity) < WEAK) {
      take(this.rare(word));
      ranked = best(scored, spell);
    }
    return ranked.map(({ candidate, spelled, score }) => ({
      word: spelled,
      score,
      cost: candidate.includes(' ') ? MISSING_SPACE : costOf(word, candidate),
      frequency: this.frequency(candidate),
    }));
  }

  private *near(word: string): Generator<string> {
    for (let at = 0; at <= word.length; at += 1) {
      const head = word.slice(0, at);
      const tail = word.slice(at);
      for (const candidate of oneEdit(head, tail))
        if (this.frequencies.has(candidate)) yield candidate;
      if (at > 0 && tail && this.frequency(head) > 4.3 && this.frequency(tail) > 4.3)
        yield `${head} ${tail}`;
    }
    const letters = lettersOf(word);
    for (const initial of new Set([word.charAt(0), word.charAt(1)])) {
      for (let length = Math.max(3, word.length - 2); length <= word.length + 2; length += 1) {
        for (const entry of this.byInitial.get(`${initial}${String(length)}`) ?? []) {
          // Two edits change at most four letters.
          if (bitsIn(letters ^ entry.letters) <= 4 && distanceWithin(word, entry.word, 2) <= 2)
            yield entry.word;
        }
      }
    }
  }

  /**
   * Yields words one edit away that are too rare for the frequency list. Slow, so only called if no other candidate is
   * close.
   */
  private *rare(word: string): Generator<string> {
    for (let at = 0; at <= word.length; at += 1) {
      for (const candidate of oneEdit(word.slice(0, at), word.slice(at)))
        if (candidate.length > 3 && this.isKnown(candidate)) yield candidate;
    }
  }

  /** Returns the decimal logarithm of a word's uses in 50 million words. */
  private frequency(word: string): number {
    return Math.log10((this.frequencies.get(word) ?? 0) + 1);
  }

  private score(word: string, candidate: string): number {
    const space = candidate.indexOf(' ');
    if (space > 0) {
      const rarer = Math.min(
        this.frequency(candidate.slice(0, space)),
        this.frequency(candidate.slice(space + 1)),
      );
      return rarer - 5.5;
    }
    const lost = word.includes("'") && !candidate.includes("'") ? LOST_APOSTROPHE : 0;
    return this.frequency(candidate) - 3.2 * costOf(word, candidate) - lost;
  }
}

/** Cost of an ending without its additional letters. */
const PLAIN_ENDING = 0.5;
/** Endings whose additional letters are missing: `deliverys`, `sandwichs`, `specificly`, `listend`. */
const PLAIN_ENDINGS: readonly [RegExp, string][] = [
  [/(?<=[^aeiou])ys$/, 'ies'],
  [/(?<=ch|sh|ss|x)s$/, 'es'],
  [/(?<=ic)ly$/, 'ally'],
  [/(?<=e[nr])d$/, 'ed'],
];

function costOf(word: string, candidate: string): number {
  for (const [ending, meant] of PLAIN_ENDINGS)
    if (ending.test(word) && word.replace(ending, meant) === candidate) return PLAIN_ENDING;
  return editCost(word, candidate);
}

/** Returns the words that differ from `head + tail` by one edit between the two. */
function oneEdit(head: string, tail: string): string[] {
  const near = [head + tail.slice(1), head + tail.charAt(1) + tail.charAt(0) + tail.slice(2)];
  for (const letter of LETTERS) near.push(head + letter + tail, head + letter + tail.slice(1));
  return near;
}

type Spell = (candidate: string) => string | undefined;

interface Ranked {
  candidate: string;
  spelled: string;
  score: number;
}

function best(scored: ReadonlyMap<string, number>, spell: Spell): Ranked[] {
  const ranked: Ranked[] = [];
  for (const [candidate, score] of [...scored].sort(
    (a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1),
  )) {
    const spelled = candidate.includes(' ') ? candidate : spell(candidate);
    if (spelled !== undefined) ranked.push({ candidate, spelled, score });
    if (ranked.length === MOST) break;
  }
  return ranked;
}

/** Returns a bit set of the letters in a word. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at += 1) bits |= 1 << (word.charCodeAt(at) % 32);
  return bits;
}

function bitsIn(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
