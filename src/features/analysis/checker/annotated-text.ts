import type { TextRange } from '@document-service/text-analysis/analysis';
import { isLowSurrogate } from '@document-service/text-analysis/text/prose';

/**
 * A text with markup, and the plain text that is checked. All numbers are UTF-16 units. The arrays describe the pieces in
 * order. They are typed arrays, because a text may have 65,000 pieces, which move between threads.
 */
export interface AnnotatedText {
  plain: string;
  /** Length with markup. */
  length: number;
  /** Offset of each piece in the text with markup, and the end of the last one. */
  starts: Uint32Array;
  /** Offset of each piece in the plain text, and the end of the last one. */
  plainStarts: Uint32Array;
  /** 1 for markup, 0 for text. */
  isMarkup: Uint8Array;
}

/** A piece of text as clients send it. */
export type Annotation = { text: string } | { markup: string; interpretAs?: string | undefined };

export function annotatedText(annotations: readonly Annotation[]): AnnotatedText {
  const starts = new Uint32Array(annotations.length + 1);
  const plainStarts = new Uint32Array(annotations.length + 1);
  const isMarkup = new Uint8Array(annotations.length);
  const plain: string[] = [];
  let pieces = 0;
  let [at, plainAt] = [0, 0];
  for (const one of annotations) {
    const source = 'text' in one ? one.text : one.markup;
    const read = 'text' in one ? one.text : (one.interpretAs ?? '');
    if (source === '' && read === '') continue;
    isMarkup[pieces] = 'text' in one ? 0 : 1;
    pieces += 1;
    at += source.length;
    plainAt += read.length;
    starts[pieces] = at;
    plainStarts[pieces] = plainAt;
    plain.push(read);
  }
  return {
    plain: plain.join(''),
    length: at,
    starts: starts.slice(0, pieces + 1),
    plainStarts: plainStarts.slice(0, pieces + 1),
    isMarkup: isMarkup.slice(0, pieces),
  };
}

/** A range of the plain text in the text with markup. */
interface PlacedRange extends TextRange {
  /** True if markup stands inside the range. Replacing the whole range would remove it. */
  hasMarkup: boolean;
}

/** Returns where a range of at least one unit of the plain text is, or `undefined` if it consists of markup. */
export function placedRange(
  text: AnnotatedText,
  { start, end }: TextRange,
): PlacedRange | undefined {
  const { starts, plainStarts, isMarkup } = text;
  if (start >= end || end > text.plain.length) return undefined;
  const first = pieceAt(plainStarts, start);
  const last = pieceAt(plainStarts, end - 1);
  let hasMarkup = false;
  let hasText = false;
  for (let piece = first; piece <= last; piece += 1) {
    if (isMarkup[piece] === 1) hasMarkup = true;
    else hasText = true;
  }
  if (!hasText) return undefined;
  const offset = (at: number, piece: number) =>
    (starts[piece] ?? 0) + at - (plainStarts[piece] ?? 0);
  return {
    start: isMarkup[first] === 1 ? (starts[first] ?? 0) : offset(start, first),
    end: isMarkup[last] === 1 ? (starts[last + 1] ?? 0) : offset(end, last),
    hasMarkup,
  };
}

/** Returns the index of the piece that contains a unit of the plain text. Binary search. */
function pieceAt(plainStarts: Uint32Array, unit: number): number {
  let low = 0;
  let high = plainStarts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((plainStarts[middle] ?? 0) <= unit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Returns the smallest part of a range that the replacements change, with the shortened replacements. If they only
 * insert, it contains the unit before. `original` is the text of the range, which is not empty.
 */
export function changedPart(
  original: string,
  { start }: TextRange,
  replacements: readonly string[],
): TextRange & { replacements: string[] } {
  const all = [original, ...replacements];
  const shortest = Math.min(...all.map(({ length }) => length));
  let before = 0;
  while (before < shortest && all.every((one) => one[before] === original[before])) before += 1;
  let after = 0;
  while (
    after < shortest - before &&
    all.every((one) => one[one.length - 1 - after] === original[original.length - 1 - after])
  ) {
    after += 1;
  }
  if (before + after >= original.length) {
    if (before > 0) before -= 1;
    else after -= 1;
  }
  if (isLowSurrogate(original, before)) before -= 1;
  if (after > 0 && isLowSurrogate(original, original.length - after)) after -= 1;
  const cut = (text: string) => text.slice(before, text.length - after);
  return {
    start: start + before,
    end: start + original.length - after,
    replacements: replacements.map(cut),
  };
}
