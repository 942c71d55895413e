import type { Replacement } from '../analysis.js';
import { pairsIn, readSections } from '../data-file.js';
import { pastOfRegularised } from '../english/word-forms.js';

const LETTERS = "abcdefghijklmnopqrstuvwxyz'";

/** Rows of a keyboard, used to find adjacent keys. */
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

const ENDINGS = new Set(
  'able ability ness ify ified less like wise ish ized izer izing ised iser'.split(' '),
);
const BEGINNINGS = new Set(
  'sub pre non multi micro macro meta auto inter super hyper poly proto mono tele pseudo anti'.split(
    ' ',
  ),
);

/** Score of a candidate that is rare or two edits away, and of a known mistake. */
const WEAK = -1.5;
const CERTAIN = 10;

/** Maximum number of replacements. */
const MOST = 5;

/** Returns the correction of a known mistake whose spelling is far from the intended word. */
export function knownMistake(word: string): string | undefined {
  return KNOWN_MISTAKES.get(word) ?? pastOfRegularised(word);
}

const KNOWN_MISTAKES = new Map(pairsIn(readSections(import.meta.url, 'known-mistakes.txt'), ''));

/** Finds words that a misspelled one may stand for: close by common edits, and frequent. */
export class EnglishReplacements {
  private readonly byInitial = new Map<string, { word: string; letters: number }[]>();
  private readonly cache = new Map<string, Replacement[]>();

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

  of(original: string, accepts: (word: string) => boolean): Replacement[] {
    const cached = this.cache.get(original);
    if (cached) return cached;
    const word = original.toLowerCase().replaceAll('’', "'");
    const scored = new Map<string, number>();
    const take = (candidates: Iterable<string>) => {
      for (const candidate of candidates) {
        if (candidate !== word && !scored.has(candidate))
          scored.set(candidate, this.score(word, candidate));
      }
    };
    const known = knownMistake(word);
    if (known) scored.set(known, CERTAIN);
    take(this.candidates(word));
    let ranked = this.best(scored, accepts);
    if ((ranked[0]?.[1] ?? -Infinity) < WEAK) {
      take(this.rare(word));
      ranked = this.best(scored, accepts);
    }
    if (!this.isLikely(original, word, ranked[0]?.[0])) ranked = [];
    const result = confidences(ranked).map(({ value, confidence }) => ({
      value: likeCase(original, value),
      confidence,
    }));
    if (this.cache.size > 5_000) this.cache.clear();
    this.cache.set(original, result);
    return result;
  }

  /**
   * Returns true if an unknown word is a slip for the candidate rather than a name. The shorter the word, the closer
   * and more frequent the candidate must be.
   */
  private isLikely(original: string, word: string, candidate: string | undefined): boolean {
    if (candidate === undefined) return false;
    if (candidate === knownMistake(word)) return true;
    if (candidate.includes(' ')) return word.length > 5;
    const cost = editCost(word, candidate);
    const frequency = this.frequency(candidate);
    if (/^[A-Z]/.test(original)) return isNearForName(word.length, cost, frequency);
    if (cost > 0.85 && this.isDerived(word)) return false;
    return isNear(word.length, cost, frequency, candidate.length > word.length);
  }

  /** Returns true for words made of two words (`userspace`), or of a word and an affix (`hookable`, `unsynced`). */
  private isDerived(word: string): boolean {
    for (let at = 3; at <= word.length - 3; at += 1) {
      const head = word.slice(0, at);
      const tail = word.slice(at);
      const isTail = ENDINGS.has(tail) ? head.length > 3 : tail.length > 3 && this.isKnown(tail);
      if (isTail && (BEGINNINGS.has(head) || this.isKnown(head))) return true;
    }
    if (/(?:er|ers|ly)$/.test(word) && [-1, -2, -3].some((end) => this.isKnown(word.slice(0, end))))
      return true;
    return /^(?:un|re|de)/.test(word) && word.length > 6 && this.isKnown(word.slice(2));
  }

  private best(
    scored: ReadonlyMap<string, number>,
    accepts: (word: string) => boolean,
  ): [string, number][] {
    const ranked: [string, number][] = [];
    for (const [candidate, score] of [...scored].sort(
      (a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1),
    )) {
      if (candidate.includes(' ') || accepts(candidate)) ranked.push([candidate, score]);
      if (ranked.length === MOST) break;
    }
    return ranked;
  }

  private *candidates(word: string): Generator<string> {
    for (let at = 0; at <= word.length; at += 1) {
      const head = word.slice(0, at);
      const tail = word.slice(at);
      const near = [head + tail.slice(1), head + tail.charAt(1) + tail.charAt(0) + tail.slice(2)];
      for (const letter of LETTERS) near.push(head + letter + tail, head + letter + tail.slice(1));
      for (const candidate of near) if (this.frequencies.has(candidate)) yield candidate;
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
      const head = word.slice(0, at);
      const tail = word.slice(at);
      const near = [head + tail.slice(1), head + tail.charAt(1) + tail.charAt(0) + tail.slice(2)];
      for (const letter of LETTERS) near.push(head + letter + tail, head + letter + tail.slice(1));
      for (const candidate of near)
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
    return this.frequency(candidate) - 3.2 * editCost(word, candidate);
  }
}

function isNear(length: number, cost: number, frequency: number, isLonger: boolean): boolean {
  if (length <= 3) return false;
  if (length === 4) return cost <= 0.65 && frequency >= 2.5;
  if (length === 5) return cost <= (isLonger ? 0.95 : 0.75) && frequency >= 2;
  if (length <= 7) return cost <= 1 && frequency >= 0.9;
  if (length <= 9) return cost <= 1 || (cost <= 1.65 && frequency >= 1.5);
  return cost <= 2;
}

/** A capitalized word at the start of a sentence may be a name, unless it is long and nearly a known word. */
function isNearForName(length: number, cost: number, frequency: number): boolean {
  if (length >= 8) return cost <= 1 && frequency >= 1;
  return length > 4 && cost <= 0.8 && frequency >= 2;
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

/** Returns the optimal string alignment distance, or any number over `limit` if it exceeds it. */
function distanceWithin(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      ) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      if (cost < best) best = cost;
    }
    if (best > limit) return best;
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** Returns how unlikely these edits are. Doubled, swapped and adjacent letters are cheap. */
function editCost(typed: string, meant: string): number {
  let before: number[] = [];
  // Nothing was typed, so all letters are missing.
  let previous = [0];
  for (let j = 1; j <= meant.length; j += 1)
    previous.push(at(previous, j - 1) + extraCost(meant, j - 1));
  for (let i = 1; i <= typed.length; i += 1) {
    const row = [at(previous, 0) + extraCost(typed, i - 1)];
    for (let j = 1; j <= meant.length; j += 1) {
      const isTransposed =
        i > 1 && j > 1 && typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1];
      row.push(
        Math.min(
          at(previous, j) + extraCost(typed, i - 1),
          at(row, j - 1) + extraCost(meant, j - 1),
          at(previous, j - 1) + swapCost(typed.charAt(i - 1), meant.charAt(j - 1), i - 1),
          isTransposed ? at(before, j - 2) + TRANSPOSED : Infinity,
        ),
      );
    }
    before = previous;
    previous = row;
  }
  return at(previous, meant.length);
}

const TRANSPOSED = 0.6;
const at = (row: readonly number[], index: number) => row[index] ?? Infinity;

/** Returns the cost of an additional or missing letter. */
function extraCost(word: string, at: number): number {
  const letter = word.charAt(at);
  if (letter === word.charAt(at - 1) || letter === word.charAt(at + 1)) return 0.5;
  if (letter === "'") return 0.4;
  if (at === 0) return 1.4;
  if (letter === 'e' || letter === 'h' || letter === 'u') return 0.8;
  return 0.95;
}

const VOWELS = 'aeiouy';
const SOUND_ALIKE = new Set([
  'sc',
  'cs',
  'kc',
  'ck',
  'sz',
  'zs',
  'fp',
  'jg',
  'gj',
  'mn',
  'nm',
  'td',
  'dt',
  'kq',
  'qk',
  'ct',
  'tc',
  'vf',
  'fv',
]);

function swapCost(typed: string, meant: string, at: number): number {
  if (typed === meant) return 0;
  const initial = at === 0 ? 0.4 : 0;
  if (VOWELS.includes(typed) && VOWELS.includes(meant)) return 0.7 + initial;
  if (SOUND_ALIKE.has(typed + meant)) return 0.8 + initial;
  if (areNeighbours(typed, meant)) return 0.9 + initial;
  return 1.2 + initial;
}

function areNeighbours(a: string, b: string): boolean {
  for (const [index, row] of ROWS.entries()) {
    const at = row.indexOf(a);
    if (at < 0) continue;
    if (Math.abs(row.indexOf(b) - at) === 1 && row.includes(b)) return true;
    const below = ROWS[index + 1] ?? '';
    const above = ROWS[index - 1] ?? '';
    return [
      below.charAt(at),
      below.charAt(at - 1),
      above.charAt(at),
      above.charAt(at + 1),
    ].includes(b);
  }
  return false;
}

/** Derives confidences from score differences. The first one only gets at least 0.9 if it is far ahead of the second. */
function confidences(ranked: [string, number][]): Replacement[] {
  const weights = ranked.map(([, score]) => Math.exp(2 * score));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return ranked.map(([value, score], index) => {
    const share = sum > 0 ? (weights[index] ?? 0) / sum : 0;
    const certain = Math.min(1, Math.max(0.3, (score + 3.5) / 4));
    return { value, confidence: Math.round(100 * Math.min(0.97, share * certain)) / 100 };
  });
}

/** `Recieve` → `Receive`, `RECIEVE` → `RECEIVE`. */
function likeCase(original: string, value: string): string {
  if (original.length > 1 && original === original.toUpperCase()) return value.toUpperCase();
  if (/^\p{Lu}/u.test(original)) return value.charAt(0).toUpperCase() + value.slice(1);
  return value;
}
