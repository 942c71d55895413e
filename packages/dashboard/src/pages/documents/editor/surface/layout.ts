import type { Edit } from '@document-service/text-merge/text-edits';
import type { Node } from 'prosemirror-model';
import { changesBetween } from '../text-changes.js';

/** Where the top-level blocks of a document are in its Markdown. Empty paragraphs are empty ranges. */
export interface Layout {
  children: readonly Node[];
  from: readonly number[];
  to: readonly number[];
  /** End of the last block. */
  end: number;
  text: string;
}

export const EMPTY_LAYOUT: Layout = { children: [], from: [], to: [], end: 0, text: '' };

/** Builds a layout, of which the blocks before `start` are those of the last one. */
export class LayoutBuilder {
  private readonly from: number[];
  private readonly to: number[];
  private readonly parts: string[];
  private at: number;

  constructor(last: Layout, start: number) {
    this.from = last.from.slice(0, start);
    this.to = last.to.slice(0, start);
    this.at = this.to.at(-1) ?? 0;
    this.parts = [last.text.slice(0, this.at)];
  }

  addEmpty(): void {
    this.from.push(this.at);
    this.to.push(this.at);
  }

  add(separator: string, text: string): void {
    this.parts.push(separator, text);
    this.from.push(this.at + separator.length);
    this.at += separator.length + text.length;
    this.to.push(this.at);
  }

  /** Takes the blocks after `index` from the last layout if this block has the same text there. */
  reuse(last: Layout, index: number, text: string): boolean {
    const [from = 0, to = 0] = [last.from[index], last.to[index]];
    if (to - from !== text.length || !last.text.startsWith(text, from)) return false;
    const shift = this.at - to;
    for (let next = index + 1; next < last.children.length; next += 1) {
      this.from.push((last.from[next] ?? 0) + shift);
      this.to.push((last.to[next] ?? 0) + shift);
    }
    this.parts.push(last.text.slice(to, last.end));
    this.at = last.end + shift;
    return true;
  }

  finish(children: readonly Node[], tail: string): Layout {
    const text = this.parts.join('') + tail;
    return { children, from: this.from, to: this.to, end: this.at, text };
  }
}

export function commonHead(one: readonly Node[], other: readonly Node[]): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  return length;
}

export function commonTail(one: readonly Node[], other: readonly Node[], head: number): number {
  const most = Math.min(one.length, other.length) - head;
  let length = 0;
  while (length < most && one[one.length - 1 - length] === other[other.length - 1 - length])
    length += 1;
  return length;
}

/** Returns the last block that starts at or before an offset and has Markdown, or -1. */
export function indexAt({ from, to }: Layout, offset: number): number {
  let [low, high] = [0, from.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  let index = low - 1;
  while (index > 0 && from[index] === to[index]) index -= 1;
  return index;
}

const starts = new WeakMap<Layout, number[]>();

/** Returns the block at a position, or the last one. */
export function childAt(layout: Layout, position: number): { index: number; start: number } {
  let [low, high] = [0, layout.children.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startsOf(layout, middle) <= position) low = middle + 1;
    else high = middle;
  }
  const index = Math.max(0, low - 1);
  return { index, start: startsOf(layout, index) };
}

/** Returns the position before a block. */
export function startsOf(layout: Layout, index: number): number {
  let sums = starts.get(layout);
  if (!sums) {
    let sum = 0;
    sums = layout.children.map(({ nodeSize }) => (sum += nodeSize) - nodeSize);
    starts.set(layout, sums);
  }
  return sums[index] ?? 0;
}

/**
 * Returns the edits that lead from the text of one layout to that of another. They are within the blocks that differ, so
 * a new block is inserted with the blank line before it. Returns undefined if they are not known.
 */
export function editsBetween(before: Layout, after: Layout): Edit[] | undefined {
  const [one, other] = [before.children, after.children];
  let head = commonHead(one, other);
  let tail = commonTail(one, other, head);
  // The Markdown of a block may change with the block beside it.
  while (head > 0 && textAt(before, head - 1) !== textAt(after, head - 1)) head -= 1;
  const isTailSame = () => textAt(before, one.length - tail) === textAt(after, other.length - tail);
  while (tail > 0 && !isTailSame()) tail -= 1;
  const from = before.to[head - 1] ?? 0;
  const [end, endAfter] = [endOf(before, tail), endOf(after, tail)];
  const isKnown =
    from === (after.to[head - 1] ?? 0) && before.text.length - end === after.text.length - endAfter;
  if (!isKnown) return undefined;
  return changesBetween(before.text.slice(from, end), after.text.slice(from, endAfter)).map(
    (edit) => ({ from: from + edit.from, to: from + edit.to, insert: edit.insert }),
  );
}

/** Returns the Markdown of a block with what separates it from the block before. */
function textAt({ to, text }: Layout, index: number): string {
  return text.slice(to[index - 1] ?? 0, to[index]);
}

/** Returns the end of the blocks before the last `tail` ones. */
function endOf({ children, to, text }: Layout, tail: number): number {
  return tail === 0 ? text.length : (to[children.length - tail - 1] ?? 0);
}
