import { diffArrays } from 'diff';

/** Replaces `deleteCount` UTF-16 code units at `start` with `inserted`. Positions refer to the original text. */
type Splice = readonly [start: number, deleteCount: number, inserted: string];

/** Totals of the deltas since the last version that is stored in full. */
export interface DeltaTotals {
  deltaBytes: number;
  deltaCount: number;
}

/** Maximum number of deltas between two full copies. Limits the cost of reading an old version. */
const MAX_DELTAS = 2_000;
const NO_DELTA = '[]';
/** Maximum number of added and removed chunks. The cost of a comparison is quadratic in it. */
const MAX_EDITS = 2_000;
/** Maximum share of edits in all chunks of both texts. Beyond it, texts are too different to compare. */
const MAX_EDITED_SHARE = 1 / 16;
const MIN_EDIT_LIMIT = 16;
const TIME_LIMIT_MS = 10_000;
/** Maximum length of a chunk, in UTF-16 code units. */
const MAX_CHUNK = 64;

/**
 * Returns the delta that turns `from` into `to`: JSON text of splices in ascending order, `[]` for equal texts. Both texts
 * must be well-formed; inserted texts are too. Texts with too many differences are replaced between their common ends.
 */
export function makeDelta(from: string, to: string): string {
  if (from === to) return NO_DELTA;
  const { head, tail } = commonEnds(from, to);
  const removed = from.slice(head, from.length - tail);
  const added = to.slice(head, to.length - tail);
  const whole = JSON.stringify([[head, removed.length, added] satisfies Splice]);
  if (removed === '' || added === '') return whole;
  const splices = splicesBetween(removed, added, head);
  const delta = splices && JSON.stringify(splices);
  return delta !== undefined && Buffer.byteLength(delta) < Buffer.byteLength(whole) ? delta : whole;
}

/** Returns the length of the longer text without the common start and end, in UTF-16 code units. */
export function changedUnits(from: string, to: string): number {
  const { head, tail } = commonEnds(from, to);
  return Math.max(from.length, to.length) - head - tail;
}

/**
 * Decides how to store an older content: as the delta or, if the returned `delta` is null, in full. A full copy is stored
 * once the deltas since the last copy exceed the size of the content or {@link MAX_DELTAS}.
 */
export function storeContent(
  { content, deltaBytes, deltaCount }: DeltaTotals & { content: string },
  delta: string | null = NO_DELTA,
): DeltaTotals & { delta: string | null } {
  const bytes = deltaBytes + Buffer.byteLength(delta ?? '');
  const count = deltaCount + 1;
  return delta === null || bytes > Buffer.byteLength(content) || count > MAX_DELTAS
    ? { delta: null, deltaBytes: 0, deltaCount: 0 }
    : { delta, deltaBytes: bytes, deltaCount: count };
}

function splicesBetween(from: string, to: string, offset: number): Splice[] | undefined {
  const [before, after] = [chunksOf(from), chunksOf(to)];
  const worthwhile = Math.ceil((before.length + after.length) * MAX_EDITED_SHARE);
  const maxEditLength = Math.min(MAX_EDITS, Math.max(MIN_EDIT_LIMIT, worthwhile));
  if (hasMoreNew(maxEditLength, before, after)) return undefined;
  const changes = diffArrays(before, after, { maxEditLength, timeout: TIME_LIMIT_MS });
  if (!changes) return undefined;
  const splices: Splice[] = [];
  let place = offset;
  let [start, deleted, inserted] = [place, 0, ''];
  const splice = () => {
    if (deleted > 0 || inserted !== '') splices.push([start, deleted, inserted]);
    [start, deleted, inserted] = [place, 0, ''];
  };
  for (const { added, removed, value } of changes) {
    const text = value.join('');
    if (added) inserted += text;
    else {
      place += text.length;
      if (removed) deleted += text.length;
      else splice();
    }
  }
  splice();
  return splices;
}

/**
 * True if more than `limit` chunks are only in `after`, because each of them needs an edit. Much cheaper than a comparison.
 */
function hasMoreNew(limit: number, before: readonly string[], after: readonly string[]): boolean {
  const known = new Set(before);
  let count = 0;
  for (const chunk of after) {
    if (!known.has(chunk)) count += 1;
    if (count > limit) return true;
  }
  return false;
}

/**
 * Splits a text into content-defined chunks, which end after each code unit that is a multiple of eight. Equal passages
 * get equal chunks anywhere, in any language.
 */
function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  let start = 0;
  for (let end = 1; end <= text.length; end += 1) {
    const unit = text.charCodeAt(end - 1);
    const ends = (unit & 7) === 0 || end - start >= MAX_CHUNK || end === text.length;
    if (ends && !isHighSurrogate(unit)) {
      chunks.push(text.slice(start, end));
      start = end;
    }
  }
  return chunks;
}

/** Returns the lengths of the common start and end. Neither splits a surrogate pair. */
function commonEnds(one: string, other: string): { head: number; tail: number } {
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one.charCodeAt(head) === other.charCodeAt(head)) head += 1;
  if (head > 0 && isHighSurrogate(one.charCodeAt(head - 1))) head -= 1;
  let tail = 0;
  const [oneEnd, otherEnd] = [one.length - 1, other.length - 1];
  while (
    tail < most - head &&
    one.charCodeAt(oneEnd - tail) === other.charCodeAt(otherEnd - tail)
  ) {
    tail += 1;
  }
  if (tail > 0 && isLowSurrogate(one.charCodeAt(one.length - tail))) tail -= 1;
  return { head, tail };
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}

/** A slice of an inserted text, or of the original text if `text` is undefined. */
interface Piece {
  text: string | undefined;
  start: number;
  end: number;
}

/**
 * Applies a chain of deltas from {@link makeDelta}, in order. Composes the deltas pairwise instead of building each
 * intermediate text, in O(text + splices × log deltas) time. Throws if the chain does not fit the text.
 */
export function applyDeltas(text: string, deltas: readonly string[]): string {
  let changes = deltas.map((delta) => piecesOf(JSON.parse(delta) as Splice[]));
  while (changes.length > 1) changes = joinedByTwos(changes);
  const [change] = changes;
  return change ? built(text, change) : text;
}

/** Returns the slices that a delta concatenates. The last one extends to the end of the text. */
function piecesOf(splices: readonly Splice[]): Piece[] {
  const pieces: Piece[] = [];
  let place = 0;
  for (const [start, deleteCount, inserted] of splices) {
    if (start < place || deleteCount < 0)
      throw new Error('A stored delta has splices out of order.');
    add(pieces, undefined, place, start);
    add(pieces, inserted, 0, inserted.length);
    place = start + deleteCount;
  }
  add(pieces, undefined, place, Infinity);
  return pieces;
}

function joinedByTwos(changes: readonly Piece[][]): Piece[][] {
  const joined: Piece[][] = [];
  for (let index = 0; index < changes.length; index += 2) {
    const [first = [], second] = changes.slice(index, index + 2);
    joined.push(second ? joinedPieces(first, second) : first);
  }
  return joined;
}

/** Returns the composition of two changes. Both are in ascending order, so one pass through each is enough. */
function joinedPieces(first: readonly Piece[], second: readonly Piece[]): Piece[] {
  const pieces: Piece[] = [];
  let index = 0;
  /** Position of `first[index]` in the result of `first`. */
  let place = 0;
  for (const wanted of second) {
    if (wanted.text !== undefined) {
      add(pieces, wanted.text, wanted.start, wanted.end);
      continue;
    }
    for (let piece = first[index]; piece && place < wanted.end; piece = first[index]) {
      const offset = piece.start - place;
      const end = place + piece.end - piece.start;
      if (end > wanted.start) {
        const from = Math.max(place, wanted.start);
        add(pieces, piece.text, from + offset, Math.min(end, wanted.end) + offset);
      }
      if (end > wanted.end) break;
      place = end;
      index += 1;
    }
  }
  return pieces;
}

/** Adds a slice, or extends the last one if the two are adjacent in the original text. */
function add(pieces: Piece[], text: string | undefined, start: number, end: number): void {
  if (start >= end) return;
  const last = pieces.at(-1);
  if (last && text === undefined && last.text === undefined && last.end === start) last.end = end;
  else pieces.push({ text, start, end });
}

function built(text: string, pieces: readonly Piece[]): string {
  const parts = pieces.map((piece) => {
    const end = piece.end === Infinity ? text.length : piece.end;
    if (piece.text === undefined && (piece.start > text.length || end > text.length)) {
      throw new Error('A stored delta does not fit its text.');
    }
    return (piece.text ?? text).slice(piece.start, end);
  });
  return parts.join('');
}
