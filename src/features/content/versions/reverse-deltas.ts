import { diffArrays } from 'diff';

/** At `start`, `deleteCount` UTF-16 units give way to `inserted`. Places are those of the text before any change. */
export type Splice = readonly [start: number, deleteCount: number, inserted: string];

/** What the deltas since the last full copy of a content amount to. */
export interface KeptDeltas {
  deltaBytes: number;
  deltaCount: number;
}

/** Deltas between two full copies: what reading the oldest of them may cost. */
const MAX_DELTAS = 2_000;
const NO_DELTA = '[]';
/** Pieces removed and added; what the comparison costs grows with their square. */
const MAX_EDITS = 2_000;
/** Of all pieces of both texts, the part that may be edits: a text that was rewritten is not worth comparing. */
const EDITED_PART = 1 / 16;
const ALWAYS_EDITS = 16;
const TIME_LIMIT_MS = 10_000;
/** Most units of a piece. */
const MAX_PIECE = 64;

/**
 * How to get `to` from `from`: the JSON text of splices in ascending order, `[]` for equal texts. Both must be
 * well-formed; then so is every inserted text. What differs in too many places is replaced from the first to the last.
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

/** Units between what both texts begin and end with, in the longer one. */
export function changedUnits(from: string, to: string): number {
  const { head, tail } = commonEnds(from, to);
  return Math.max(from.length, to.length) - head - tail;
}

/**
 * Whether an older content is kept as the delta or, with `delta` null, as a full copy: as soon as the deltas since the
 * last copy add up to more bytes than the content, or are too many to be read at once.
 */
export function keepContent(
  { content, deltaBytes, deltaCount }: KeptDeltas & { content: string },
  delta: string | null = NO_DELTA,
): KeptDeltas & { delta: string | null } {
  const bytes = deltaBytes + Buffer.byteLength(delta ?? '');
  const count = deltaCount + 1;
  return delta === null || bytes > Buffer.byteLength(content) || count > MAX_DELTAS
    ? { delta: null, deltaBytes: 0, deltaCount: 0 }
    : { delta, deltaBytes: bytes, deltaCount: count };
}

function splicesBetween(from: string, to: string, offset: number): Splice[] | undefined {
  const [before, after] = [piecesOf(from), piecesOf(to)];
  const worthwhile = Math.ceil((before.length + after.length) * EDITED_PART);
  const maxEditLength = Math.min(MAX_EDITS, Math.max(ALWAYS_EDITS, worthwhile));
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

/** Whether more pieces than `limit` are in `after` alone; each takes an edit. Much cheaper than to compare what was rewritten. */
function hasMoreNew(limit: number, before: readonly string[], after: readonly string[]): boolean {
  const known = new Set(before);
  let count = 0;
  for (const piece of after) {
    if (!known.has(piece)) count += 1;
    if (count > limit) return true;
  }
  return false;
}

/**
 * The text in pieces that end where the text itself says so, after each unit that is a multiple of eight: what two texts
 * have in common comes in the same pieces wherever it stands, with or without words and lines.
 */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let end = 1; end <= text.length; end += 1) {
    const unit = text.charCodeAt(end - 1);
    const ends = (unit & 7) === 0 || end - start >= MAX_PIECE || end === text.length;
    if (ends && !isHighSurrogate(unit)) {
      pieces.push(text.slice(start, end));
      start = end;
    }
  }
  return pieces;
}

/** Units that both texts begin and end with; neither end splits a surrogate pair. */
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
