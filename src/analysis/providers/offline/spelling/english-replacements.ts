import type { Replacement } from '../../../analysis.js';

const LETTERS = "abcdefghijklmnopqrstuvwxyz'";

/** Rows of a keyboard, to know which keys are neighbours. */
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** How many replacements are told. */
const MOST = 5;

/** Finds the words that a misspelled one may stand for: near by edits that people make, and frequent. */
export class EnglishReplacements {
  private readonly byInitial = new Map<string, string[]>();
  private readonly cache = new Map<string, Replacement[]>();

  constructor(
    private readonly frequencies: ReadonlyMap<string, number>,
    private readonly isKnown: (word: string) => boolean,
  ) {
    for (const word of frequencies.keys()) {
      const key = `${word.charAt(0)}${String(word.length)}`;
      const list = this.byInitial.get(key);
      if (list) list.push(word);
      else this.byInitial.set(key, [word]);
    }
  }

  of(original: string, accepts: (word: string) => boolean): Replacement[] {
    const cached = this.cache.get(original);
    if (cached) return cached;
    const word = original.toLowerCase().replaceAll('’', "'");
    const scored = new Map<string, number>();
    for (const candidate of this.candidates(word)) {
      if (candidate === word || scored.has(candidate)) continue;
      scored.set(candidate, this.score(word, candidate));
    }
    const ranked: [string, number][] = [];
    for (const [candidate, score] of [...scored].sort((a, b) => b[1] - a[1])) {
      const isRight = candidate.includes(' ') || (this.isKnown(candidate) && accepts(candidate));
      if (isRight) ranked.push([candidate, score]);
      if (ranked.length === MOST) break;
    }
    const result = confidences(ranked).map(({ value, confidence }) => ({
      value: likeCase(original, value),
      confidence,
    }));
    if (this.cache.size > 5_000) this.cache.clear();
    this.cache.set(original, result);
    return result;
  }

  private *candidates(word: string): Generator<string> {
    for (let at = 0; at <= word.length; at += 1) {
      const head = word.slice(0, at);
      const tail = word.slice(at);
      if (tail) yield* this.frequent(head + tail.slice(1));
      if (tail.length > 1)
        yield* this.frequent(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
      for (const letter of LETTERS) {
        yield* this.frequent(head + letter + tail);
        if (tail) yield* this.frequent(head + letter + tail.slice(1));
      }
      if (at > 0 && tail && this.frequency(head) > 4.3 && this.frequency(tail) > 4.3)
        yield `${head} ${tail}`;
    }
    const initials = new Set([word.charAt(0), word.charAt(1)]);
    for (const initial of initials) {
      for (let length = Math.max(3, word.length - 2); length <= word.length + 2; length += 1) {
        for (const candidate of this.byInitial.get(`${initial}${String(length)}`) ?? []) {
          if (distanceWithin(word, candidate, 2) <= 2) yield candidate;
        }
      }
    }
  }

  private *frequent(candidate: string): Generator<string> {
    if (this.frequencies.has(candidate) || this.isKnown(candidate)) yield candidate;
  }

  /** Decimal logarithm of how often a word is used in 50 million. */
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

/** Optimal string alignment, or anything over `limit` once it is sure to be. */
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

/** How unlikely somebody makes these edits: letters doubled, swapped or next to each other on a keyboard are cheap. */
function editCost(typed: string, meant: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= typed.length; i += 1) {
    const row: number[] = [];
    for (let j = 0; j <= meant.length; j += 1) {
      if (i === 0 && j === 0) {
        row.push(0);
        continue;
      }
      let cost = Infinity;
      if (i > 0) cost = Math.min(cost, (rows[i - 1]?.[j] ?? 0) + extraCost(typed, i - 1));
      if (j > 0) cost = Math.min(cost, (row[j - 1] ?? 0) + extraCost(meant, j - 1));
      if (i > 0 && j > 0) {
        cost = Math.min(
          cost,
          (rows[i - 1]?.[j - 1] ?? 0) + swapCost(typed.charAt(i - 1), meant.charAt(j - 1), i - 1),
        );
      }
      if (i > 1 && j > 1 && typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1]) {
        cost = Math.min(cost, (rows[i - 2]?.[j - 2] ?? 0) + 0.6);
      }
      row.push(cost);
    }
    rows.push(row);
  }
  return rows[typed.length]?.[meant.length] ?? 0;
}

/** A letter too many or missing. */
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

/** From the distances of their scores: 0.9 and more only where the first is far ahead of the second. */
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
