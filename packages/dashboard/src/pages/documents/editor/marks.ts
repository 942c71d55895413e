import type { Edit } from '@document-service/text-merge/text-edits';
import { changesBetween } from './text-changes.js';

/** Source of a mark. Each source replaces only its own marks. */
export type MarkSource = 'conflicts' | 'issues' | 'suggestions';

/** A marked passage, in editor positions. An empty one is shown as a bar. */
export interface MarkedRange {
  id: string;
  from: number;
  to: number;
  /** The mark is hidden while the passage differs from this text. */
  original?: string | undefined;
  /** Tooltip. */
  hint?: string | undefined;
  /** True for a passage that is tracked but not shown. */
  isHidden?: boolean | undefined;
}

/** The current state of a marked passage. */
export interface Mark extends MarkedRange {
  source: MarkSource;
}

/** Position of a marked passage on the page. */
export interface MarkPlace extends Mark {
  /** Distance from the top of the editor's element, in px. */
  top: number;
  /** False while the passage differs from its original text. */
  isOriginal: boolean;
}

/** The marks of a text, in text order. They move with it. */
export class Marks {
  all: readonly Mark[] = [];

  /** Replaces the marks of a source. `length` is the length of the text. */
  set(source: MarkSource, ranges: readonly MarkedRange[], length: number): void {
    const added = ranges
      .filter(({ from, to }) => from >= 0 && from <= to && to <= length)
      .map((range) => ({ ...range, source }));
    this.all = [...this.all.filter((mark) => mark.source !== source), ...added].sort(
      (one, other) => one.from - other.from || one.to - other.to,
    );
  }

  /** Moves the marks after the text changed. */
  move(before: string, after: string, edits?: readonly Edit[]): void {
    if (this.all.length === 0) return;
    const changes = edits ?? changesBetween(before, after);
    this.all = this.all.map((mark) => movedMark(mark, changes, before));
  }

  /** Returns the marks to show in this text. */
  shownIn(text: string): Mark[] {
    return this.all.filter((mark) => mark.isHidden !== true && isOriginal(text, mark));
  }
}

export function isOriginal(text: string, { from, to, original }: Mark): boolean {
  return original === undefined || text.slice(from, to) === original;
}

/**
 * Returns the mark after the edits, which are in order. Text inserted at its edges stays outside. Text that replaces
 * the whole passage becomes the passage, so that undo finds it again.
 */
function movedMark(mark: Mark, edits: readonly Edit[], before: string): Mark {
  let [from, to] = [mark.from, mark.to];
  for (const edit of edits.toReversed()) {
    const least = trimmed(edit, before);
    const isExact = edit.from === mark.from && edit.to === mark.to;
    if (isExact || isSame(least, mark, before)) to += edit.insert.length - (edit.to - edit.from);
    else [from, to] = movedRange({ from, to }, least);
  }
  return { ...mark, from, to };
}

/** Edits are by words. Without the letters that stay, an edit may be beside a mark and not within it. */
function trimmed({ from, to, insert }: Edit, before: string): Edit {
  let [head, tail] = [0, 0];
  const shorter = Math.min(to - from, insert.length);
  while (head < shorter && before[from + head] === insert[head]) head += 1;
  while (tail < shorter - head && before[to - 1 - tail] === insert.at(-1 - tail)) tail += 1;
  return { from: from + head, to: to - tail, insert: insert.slice(head, insert.length - tail) };
}

/**
 * Returns true if an insertion at an empty mark, or the removal of the whole mark, gives the same text: of "a b a", it
 * is unknown which "a" was added.
 */
function isSame({ from, to, insert }: Edit, mark: Mark, before: string): boolean {
  if (to - from !== mark.to - mark.from || (from < to && insert !== '')) return false;
  const isBefore = from < mark.from;
  const [first, second] = isBefore ? [from, mark.from] : [mark.from, from];
  const between = before.slice(first, second);
  if (from === to && isBefore) return (insert + between).startsWith(between);
  if (from === to) return (between + insert).endsWith(between);
  return between === before.slice(to - from + first, to - from + second);
}

function movedRange(range: { from: number; to: number }, edit: Edit): [number, number] {
  const shift = edit.insert.length - (edit.to - edit.from);
  let { from, to } = range;
  if (edit.to <= from) from += shift;
  else if (edit.from <= from) from = edit.from + edit.insert.length;
  const isInsertion = edit.from === edit.to;
  if (edit.to < to || (edit.to === to && !isInsertion)) to += shift;
  else if (edit.from < to) to = edit.from;
  return [from, Math.max(from, to)];
}
