import { diffArrays } from 'diff/lib/diff/array.js';

/** Replaces the text from `from` to `to`, in UTF-16 units of the text before the edit. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
}

/**
 * Steps that one comparison may take: about 0.2 s of processor time. A stretch that would take more counts as one edit.
 */
const MAX_STEPS = 4_000_000;

/**
 * Returns the edits that turn `before` into `after`, by lines and, within changed lines, by words. The edits are in
 * order, and unchanged text lies between two of them.
 */
export function textEdits(before: string, after: string): Edit[] {
  if (before === after) return [];
  const effort = new Effort();
  const edits = editsBy(linesOf, before, after, effort).flatMap((block) =>
    editsBy(wordsOf, before.slice(block.from, block.to), block.insert, effort).map((edit) => ({
      from: block.from + edit.from,
      to: block.from + edit.to,
      insert: edit.insert,
    })),
  );
  return joinRewrites(before, edits);
}

/** Returns `text` with the edits applied. They must be in order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, insert } of edits) {
    parts.push(text.slice(at, from), insert);
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/**
 * Returns where a position of the text is after the edits. A position within or at the end of an edit moves to the start
 * (`side` -1) or the end (`side` 1) of what was inserted.
 */
export function mapPosition(position: number, edits: readonly Edit[], side: -1 | 1): number {
  let shift = 0;
  for (const { from, to, insert } of edits) {
    if (from > position || (from === position && to > position && side === -1)) break;
    if (to >= position) return from + shift + (side === 1 ? insert.length : 0);
    shift += insert.length - (to - from);
  }
  return position + shift;
}

/** Counts the steps of a comparison by Myers' algorithm, which takes the square of the number of changes. */
class Effort {
  private left = MAX_STEPS;

  /** Returns undefined if the comparison would take too long. */
  compare(before: string[], after: string[]) {
    const maxEditLength = Math.floor(Math.sqrt(2 * this.left));
    const parts = diffArrays(before, after, { maxEditLength });
    const changes =
      parts?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0) ??
      maxEditLength;
    this.left = Math.max(0, this.left - changes ** 2 / 2);
    return parts;
  }
}

function editsBy(
  split: (text: string) => string[],
  before: string,
  after: string,
  effort: Effort,
): Edit[] {
  const old = split(before);
  const fresh = split(after);
  const head = commonLength(old, fresh, (units, index) => units[index]);
  const rest = Math.min(old.length, fresh.length) - head;
  const tail = commonLength(old, fresh, (units, index) => units[units.length - 1 - index], rest);
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  let at = lengthOf(old.slice(0, head));
  if (removed.length === 0 && added.length === 0) return [];
  const parts =
    removed.length === 0 || added.length === 0 ? undefined : effort.compare(removed, added);
  if (!parts) return [{ from: at, to: at + lengthOf(removed), insert: added.join('') }];
  const edits: Edit[] = [];
  let open: Edit | undefined;
  for (const part of parts) {
    const text = part.value.join('');
    if (!part.added && !part.removed) {
      at += text.length;
      open = undefined;
      continue;
    }
    if (!open) edits.push((open = { from: at, to: at, insert: '' }));
    if (part.added) open.insert += text;
    else open.to = at += text.length;
  }
  return edits;
}

/** How many units both texts share, counted by `at` from one end. */
function commonLength(
  one: string[],
  other: string[],
  at: (units: string[], index: number) => string | undefined,
  most = Math.min(one.length, other.length),
): number {
  let length = 0;
  while (length < most && at(one, length) === at(other, length)) length += 1;
  return length;
}

/**
 * Joins edits with nothing but spaces or punctuation of one line between them: somebody has rewritten the phrase, and its
 * words are not to be mixed with words of another version.
 */
function joinRewrites(before: string, edits: readonly Edit[]): Edit[] {
  const joined: Edit[] = [];
  for (const edit of edits) {
    const last = joined.at(-1);
    const between = last && before.slice(last.to, edit.from);
    if (last && between !== undefined && /^[^\p{L}\p{N}\n]*$/u.test(between)) {
      last.insert += between + edit.insert;
      last.to = edit.to;
    } else {
      joined.push({ ...edit });
    }
  }
  return joined;
}

/** Lines with their line breaks. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** Words, the letters of scripts without spaces, line breaks, and every space and sign. */
function wordsOf(text: string): string[] {
  return (
    text.match(
      /\r\n|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_]/gu,
    ) ?? []
  );
}

function lengthOf(units: readonly string[]): number {
  return units.reduce((sum, { length }) => sum + length, 0);
}
