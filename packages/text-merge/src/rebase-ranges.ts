import { diffArrays } from 'diff';
import { textEdits } from './text-edits.js';

/** A range of a text, in UTF-16 code units. */
export interface TextRange {
  start: number;
  end: number;
}

/** Maximum number of added and removed lines. Memory use is quadratic in it. */
const MAX_EDITS = 500;
const TIME_LIMIT_MS = 1_000;
const LIMITS = { maxEditLength: MAX_EDITS, timeout: TIME_LIMIT_MS };

/**
 * Maps ranges of one text to a later text. Returns null for an uncertain position. A range follows its unchanged line, or
 * otherwise its sentence if that occurs exactly once in both texts, or otherwise a comparison by words that leaves the
 * range and one more word on each side unchanged. Similarity is never used. See
 * docs/adr/0022-text-analysis-and-suggestions.md.
 */
export function rebaseRanges(
  before: string,
  after: string,
  ranges: readonly TextRange[],
): (TextRange | null)[] {
  if (before === after) return [...ranges];
  const byLine = lineMapping(before, after);
  const moved = ranges.map(byLine);
  const lost = ranges.filter((_, index) => moved[index] === null);
  if (lost.length === 0) return moved;
  const bySentence = sentenceMapping(before, after, lost);
  const byWords = wordMapping(before, after);
  return ranges.map((range, index) => {
    const sentence = moved[index] ?? bySentence(range);
    return sentence === 'repeated' ? null : (sentence ?? byWords(range));
  });
}

type Mapping = (range: TextRange) => TextRange | null;

/**
 * Returns a mapping by lines. Maps a line that occurs once in both texts. Also maps a line that occurs equally often in
 * both, if the comparison pairs the same occurrence.
 */
function lineMapping(before: string, after: string): Mapping {
  const numbers = new Map<string, number>();
  const old = new Lines(before, numbers);
  const now = new Lines(after, numbers);
  const pairs = pairedLines(old.numbers, now.numbers);
  const target = (line: number): number | undefined => {
    const number = old.numbers[line] ?? -1;
    if (old.count(number) !== now.count(number)) return undefined;
    if (old.count(number) === 1) return now.first(number);
    const paired = pairs[line] ?? -1;
    return paired >= 0 && old.ordinal(line) === now.ordinal(paired) ? paired : undefined;
  };
  return ({ start, end }) => {
    const [first, last] = [old.at(start), old.at(Math.max(start, end - 1))];
    const to = target(first);
    if (to === undefined) return null;
    for (let line = first + 1; line <= last; line += 1) {
      if (target(line) !== to + line - first) return null;
    }
    const shift = (now.starts[to] ?? 0) - (old.starts[first] ?? 0);
    return { start: start + shift, end: end + shift };
  };
}

/** The lines of a text with their line breaks. Equal lines have the same number in all texts that share `numbers`. */
class Lines {
  readonly starts: number[] = [];
  readonly numbers: number[] = [];
  private readonly ordinals: number[] = [];
  private readonly counts = new Map<number, number>();
  private readonly firsts = new Map<number, number>();

  constructor(text: string, numbers: Map<string, number>) {
    for (let start = 0; ;) {
      const end = text.indexOf('\n', start) + 1 || text.length;
      const line = text.slice(start, end);
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      const count = (this.counts.get(number) ?? 0) + 1;
      this.counts.set(number, count);
      if (count === 1) this.firsts.set(number, this.numbers.length);
      this.starts.push(start);
      this.numbers.push(number);
      this.ordinals.push(count);
      // The text after the last line break is a line, even if it is empty.
      if (!line.endsWith('\n')) break;
      start = end;
    }
  }

  count(number: number): number {
    return this.counts.get(number) ?? 0;
  }

  first(number: number): number | undefined {
    return this.firsts.get(number);
  }

  /** Returns which occurrence of its text a line is, from 1. */
  ordinal(line: number): number {
    return this.ordinals[line] ?? 0;
  }

  /** Returns the index of the line at a position. */
  at(position: number): number {
    return lastNotAfter(this.starts, position);
  }
}

/** Returns, for each old line, the new line that a comparison pairs it with, or -1. */
function pairedLines(old: readonly number[], now: readonly number[]): Int32Array {
  const pairs = new Int32Array(old.length).fill(-1);
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  for (let line = 0; line < head; line += 1) pairs[line] = line;
  for (let line = 1; line <= tail; line += 1) pairs[old.length - line] = now.length - line;
  const middle = old.slice(head, old.length - tail);
  const changes = diffArrays<number>(middle, now.slice(head, now.length - tail), LIMITS);
  let [from, to] = [head, head];
  for (const { added, removed, count } of changes ?? []) {
    if (!added && !removed) {
      for (let line = 0; line < count; line += 1) pairs[from + line] = to + line;
    }
    if (!added) from += count;
    if (!removed) to += count;
  }
  return pairs;
}

/** Returns a mapping by sentences that occur exactly once in both texts, or `repeated` if one occurs more often. */
function sentenceMapping(
  before: string,
  after: string,
  ranges: readonly TextRange[],
): (range: TextRange) => TextRange | 'repeated' | null {
  const old = sentencesOf(before);
  const starts = old.map(({ start }) => start);
  const covered = ({ start, end }: TextRange): TextRange[] => {
    const first = lastNotAfter(starts, start);
    let last = Math.max(first, 0);
    while (last < old.length - 1 && (old[last]?.end ?? 0) < end) last += 1;
    return first < 0 || (old[last]?.end ?? 0) < end ? [] : old.slice(first, last + 1);
  };
  const textOf = (text: string, { start, end }: TextRange) => text.slice(start, end);
  const wanted = new Set(ranges.flatMap(covered).map((one) => textOf(before, one)));
  const placesOf = (text: string, sentences: readonly TextRange[]) => {
    const places = new Map<string, number | 'several'>();
    for (const sentence of sentences) {
      const words = textOf(text, sentence);
      if (wanted.has(words)) places.set(words, places.has(words) ? 'several' : sentence.start);
    }
    return places;
  };
  const then = placesOf(before, old);
  const later = placesOf(after, sentencesOf(after));
  return (range) => {
    const sentences = covered(range);
    const [first] = sentences;
    if (!first) return null;
    const isRepeated = (words: string) =>
      then.get(words) === 'several' || later.get(words) === 'several';
    if (sentences.some((one) => isRepeated(textOf(before, one)))) return 'repeated';
    const shifts = sentences.map((sentence) => {
      const words = textOf(before, sentence);
      const [from, to] = [then.get(words), later.get(words)];
      return typeof from === 'number' && typeof to === 'number' ? to - from : undefined;
    });
    const [shift] = shifts;
    if (shift === undefined || shifts.some((other) => other !== shift)) return null;
    const [start, end] = [first.start, sentences.at(-1)?.end ?? 0];
    if (before.slice(start, end) !== after.slice(start + shift, end + shift)) return null;
    return { start: range.start + shift, end: range.end + shift };
  };
}

/**
 * Returns a mapping by a comparison by lines and words. Maps a range if the comparison leaves it and its neighbors on both
 * sides unchanged. Without neighbors, 2 % of the ranges in rewritten sentences follow a wrong word.
 */
function wordMapping(before: string, after: string): Mapping {
  let shift = 0;
  const edits = textEdits(before, after).map(({ from, to, insert }) => {
    shift += insert.length - (to - from);
    return { from, to, shiftAfter: shift };
  });
  const ends = edits.map(({ to }) => to);
  return ({ start, end }) => {
    const from = wordBefore(before, start);
    const to = wordAfter(before, end);
    if (from === to) return null;
    const previous = lastNotAfter(ends, from);
    const next = edits[previous + 1];
    if (next && next.from < to) return null;
    const moved = edits[previous]?.shiftAfter ?? 0;
    return { start: start + moved, end: end + moved };
  };
}

/** Maximum length of a neighbor, in UTF-16 units. */
const MAX_NEIGHBOR = 200;
const WORD_BEFORE = /[\p{L}\p{M}\p{N}_]+[^\p{L}\p{M}\p{N}_]*$/u;
const WORD_AFTER = /^[^\p{L}\p{M}\p{N}_]*[\p{L}\p{M}\p{N}_]+/u;

/** Returns the start of the word before a position, or of the line if it has no word there. */
function wordBefore(text: string, position: number): number {
  const near = text.slice(Math.max(0, position - MAX_NEIGHBOR), position);
  const ofLine = near.slice(near.lastIndexOf('\n') + 1);
  return position - (WORD_BEFORE.exec(ofLine)?.[0] ?? ofLine).length;
}

/** Returns the end of the word after a position, or of the line if it has no word there. */
function wordAfter(text: string, position: number): number {
  const [ofLine = ''] = text.slice(position, position + MAX_NEIGHBOR).split('\n', 1);
  return position + (WORD_AFTER.exec(ofLine)?.[0] ?? ofLine).length;
}

/** Sentence ends: a line break; punctuation with closing quotes, if whitespace follows; Chinese and Japanese punctuation. */
const SENTENCE_END = /\n|[.!?…]+["'”’»)\]*_`]*|[。！？]+[”’」』）]*/g;

/** Returns approximate sentences without surrounding whitespace. A sentence never spans lines. */
export function sentencesOf(text: string): TextRange[] {
  const sentences: TextRange[] = [];
  let start = 0;
  const add = (end: number) => {
    const words = text.slice(start, end);
    const trimmed = words.trim();
    const from = start + words.length - words.trimStart().length;
    if (trimmed !== '') sentences.push({ start: from, end: from + trimmed.length });
    start = end;
  };
  for (const { 0: sign, index } of text.matchAll(SENTENCE_END)) {
    const end = index + sign.length;
    const next = text.charAt(end);
    if (/^[\n。！？]/.test(sign) || next === '' || /\s/.test(next)) add(end);
  }
  add(text.length);
  return sentences;
}

/** Returns the index of the last ascending number that is at most `limit`; -1 if there is none. */
function lastNotAfter(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
