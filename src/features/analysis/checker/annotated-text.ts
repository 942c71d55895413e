import type { TextRange } from '@document-service/text-analysis/analysis';

/** A piece of a text with markup. `at` is its offset in the text with markup, `plainAt` in the text without. */
interface TextPart {
  at: number;
  length: number;
  plainAt: number;
  /** Length of the text itself, or of what markup is read as. */
  plainLength: number;
  isMarkup: boolean;
}

/** A text with markup, and the plain text that is checked. All numbers are UTF-16 units. */
export interface AnnotatedText {
  plain: string;
  /** Length with markup. */
  length: number;
  /** In order. */
  parts: readonly TextPart[];
}

/** A piece of text as clients send it. */
export type Annotation = { text: string } | { markup: string; interpretAs?: string | undefined };

export function annotatedText(annotations: readonly Annotation[]): AnnotatedText {
  const parts: TextPart[] = [];
  const plain: string[] = [];
  let length = 0;
  let plainLength = 0;
  for (const one of annotations) {
    const isMarkup = !('text' in one);
    const source = isMarkup ? one.markup : one.text;
    const read = isMarkup ? (one.interpretAs ?? '') : one.text;
    if (source === '' && read === '') continue;
    const sizes = { length: source.length, plainLength: read.length };
    parts.push({ at: length, plainAt: plainLength, ...sizes, isMarkup });
    plain.push(read);
    length += source.length;
    plainLength += read.length;
  }
  return { plain: plain.join(''), length, parts };
}

/** A range of the plain text in the text with markup. */
interface PlacedRange extends TextRange {
  /** True if markup stands inside the range. Replacing the whole range would remove it. */
  hasMarkup: boolean;
}

/** Returns where a range of at least one unit of the plain text is, or `undefined` if it consists of markup. */
export function placedRange(
  { parts }: AnnotatedText,
  { start, end }: TextRange,
): PlacedRange | undefined {
  const first = indexOfPart(parts, start);
  const last = indexOfPart(parts, end - 1);
  const [from, to] = [parts[first], parts[last]];
  if (!from || !to) return undefined;
  const inside = parts.slice(first, last + 1);
  if (inside.every(({ isMarkup, plainLength }) => isMarkup || plainLength === 0)) return undefined;
  return {
    start: from.isMarkup ? from.at : from.at + start - from.plainAt,
    end: to.isMarkup ? to.at + to.length : to.at + end - to.plainAt,
    hasMarkup: inside.some(({ isMarkup }) => isMarkup),
  };
}

/** Returns the index of the part that contains a unit of the plain text. Binary search. */
function indexOfPart(parts: readonly TextPart[], unit: number): number {
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((parts[middle]?.plainAt ?? 0) <= unit) low = middle;
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

function isLowSurrogate(text: string, at: number): boolean {
  return /^[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]$/.test(text.charAt(at - 1));
}
