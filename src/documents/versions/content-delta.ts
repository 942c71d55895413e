import { commonStretches, type Span, type Stretch } from './common-stretches.js';

/** At `start`, `deleteCount` UTF-16 units give way to `inserted`. Places are those of the text before any change. */
export type Splice = readonly [start: number, deleteCount: number, inserted: string];

/** Changed parts up to this many units are written as one: looking for what they share would gain nothing. */
const WORTH_SEARCHING = 64;

/**
 * How to get `to` from `from`: the JSON text of splices in ascending order, `[]` for equal texts. Both must be
 * well-formed; then so is every inserted text. Never longer than naming all of `to`. Linear in both texts.
 */
export function makeDelta(from: string, to: string): string {
  if (from === to) return '[]';
  const prefix = commonPrefix(from, to);
  const suffix = commonSuffix(from, to, Math.min(from.length, to.length) - prefix);
  const fromSpan = { start: prefix, end: from.length - suffix };
  const toSpan = { start: prefix, end: to.length - suffix };
  const whole = () => deltaBetween([], fromSpan, to, toSpan);
  if (Math.min(lengthOf(fromSpan), lengthOf(toSpan)) < WORTH_SEARCHING) return whole();
  const stretches = commonStretches(from, fromSpan, to, toSpan);
  const delta = deltaBetween(stretches, fromSpan, to, toSpan);
  if (stretches.length === 0 || delta.length < lengthOf(toSpan)) return delta;
  return shorter(delta, whole());
}

/** How many units stand between what both texts begin and end with, in the longer one of them. */
export function changedUnits(from: string, to: string): number {
  const prefix = commonPrefix(from, to);
  const shorter = Math.min(from.length, to.length);
  return Math.max(from.length, to.length) - prefix - commonSuffix(from, to, shorter - prefix);
}

/** What stands between the stretches, as splices. */
function deltaBetween(stretches: Stretch[], fromSpan: Span, to: string, toSpan: Span): string {
  const splices: Splice[] = [];
  let fromPlace = fromSpan.start;
  let toPlace = toSpan.start;
  const splice = (fromEnd: number, toEnd: number) => {
    if (fromEnd > fromPlace || toEnd > toPlace) {
      splices.push([fromPlace, fromEnd - fromPlace, to.slice(toPlace, toEnd)]);
    }
  };
  for (const stretch of stretches) {
    const { from, to: start, length } = withoutHalfPairs(to, stretch);
    splice(from, start);
    fromPlace = from + length;
    toPlace = start + length;
  }
  splice(fromSpan.end, toSpan.end);
  return JSON.stringify(splices);
}

/** Both texts are well-formed, so what begins or ends inside a pair does so in both. */
function withoutHalfPairs(text: string, { from, to, length }: Stretch): Stretch {
  const skipped = isLowSurrogate(text, to) ? 1 : 0;
  const left = isHighSurrogate(text, to + length - 1) ? 1 : 0;
  return { from: from + skipped, to: to + skipped, length: length - skipped - left };
}

function commonPrefix(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length > 0 && isHighSurrogate(one, length - 1) ? length - 1 : length;
}

function commonSuffix(one: string, other: string, most: number): number {
  let length = 0;
  while (
    length < most &&
    one.charCodeAt(one.length - 1 - length) === other.charCodeAt(other.length - 1 - length)
  ) {
    length += 1;
  }
  return length > 0 && isLowSurrogate(one, one.length - length) ? length - 1 : length;
}

function shorter(one: string, other: string): string {
  return Buffer.byteLength(one) <= Buffer.byteLength(other) ? one : other;
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}

function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800;
}

function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
