import { textEdits } from '@document-service/text-merge/text-edits';
import { Mark, type Node } from 'prosemirror-model';
import type { EditorState, Transaction } from 'prosemirror-state';
import { StepMap } from 'prosemirror-transform';
import type { Layout } from './layout.js';
import { readBlocks, type Block } from './read.js';
import type { References } from './references.js';
import { schema } from './schema.js';
import { hasDefinition, isSimilar, type Sources } from './sources.js';
import { isEmptyParagraph } from './write.js';

const { nodes } = schema;

/**
 * Returns a transaction that makes the document read as `text`, or undefined if it does already. Its steps are minimal:
 * marks, carets and untouched words keep their place, and undo does not include it. Dispatch it at once, because
 * `sources` already describes the changed document.
 */
export function changeTo(
  state: EditorState,
  sources: Sources,
  text: string,
): Transaction | undefined {
  const current = sources.write(state.doc);
  if (current === text) return undefined;
  const change = changedBlocks(state.doc, sources, text);
  const transaction = state.tr.setMeta('addToHistory', false);
  applyBlocks(transaction, change);
  describe(transaction.doc, sources, change, text);
  if (sources.write(transaction.doc) === text) return transaction;
  // Markdown that changed alone, and blocks that cannot be told apart, for example beside new empty paragraphs.
  return readAgain(state, sources, text);
}

/** Reads the whole text, and replaces the blocks that differ or whose Markdown does. */
function readAgain(state: EditorState, sources: Sources, text: string): Transaction {
  const { doc, selection } = state;
  const before = blocksWithMarkdown(sources.layoutOf(doc));
  const read = sources.read(text);
  const after = blocksWithMarkdown(sources.layoutOf(read));
  const { head, tail } = sameEnds(
    before,
    after,
    (one, other) => one.markdown === other.markdown && one.node.eq(other.node),
  );
  const sizeOf = (count: number) =>
    before.slice(0, count).reduce((sum, { node }) => sum + node.nodeSize, 0);
  const transaction = state.tr.setMeta('addToHistory', false).replaceWith(
    sizeOf(head),
    sizeOf(before.length - tail),
    after.slice(head, after.length - tail).map(({ node }) => node),
  );
  sources.adopt(transaction.doc, read);
  return transaction.setSelection(selection.map(transaction.doc, difference(doc, read)));
}

/** Returns the blocks with their Markdown and what is before it. The last one has the end of the text too. */
function blocksWithMarkdown({ children, to, text }: Layout): { node: Node; markdown: string }[] {
  return children.map((node, index) => {
    const end = index === children.length - 1 ? text.length : to[index];
    return { node, markdown: text.slice(to[index - 1] ?? 0, end) };
  });
}

/** Returns the smallest range that differs. */
function difference({ content }: Node, { content: fresh }: Node): StepMap {
  const start = content.findDiffStart(fresh);
  const end = content.findDiffEnd(fresh);
  if (start === null || !end) return StepMap.empty;
  // Both ends may have found the same text.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  return new StepMap([start, end.a + overlap - start, end.b + overlap - start]);
}

/** A block of the document before the change. */
interface OldBlock {
  node: Node;
  /** Position before the node. */
  position: number;
  text: string;
  from: number;
  to: number;
}

/** A block of the new text. Its range counts from the start of the text. */
interface NewBlock {
  node: Node;
  text: string;
  from: number;
  to: number;
}

interface BlockChange {
  before: readonly OldBlock[];
  /** Replace the old blocks from `start` to `end`. */
  after: readonly NewBlock[];
  start: number;
  end: number;
  /** How much later blocks after the change start in the new text. */
  shift: number;
  references: References | undefined;
}

function changedBlocks(doc: Node, sources: Sources, text: string): BlockChange {
  const before = oldBlocks(doc, sources);
  const old = sources.write(doc);
  const shift = text.length - old.length;
  const { start, end } = changedRange(before, old, text);
  const next = before[end];
  const from = start === 0 ? 0 : (before[start]?.from ?? before[start - 1]?.to ?? 0);
  const to = next ? next.to + shift : text.length;
  const { blocks } = readBlocks(text.slice(from, to), { references: sources.definitions });
  const after = blocks.map((block) => newBlock(block, text, from));
  const definitions = definitionsIn(before.slice(start, next ? end + 1 : end));
  const isDefinedAnew = definitions !== definitionsIn(after);
  const last = after.at(-1);
  const meets = !next || (last?.from === next.from + shift && last.text === next.text);
  if (isDefinedAnew || !meets) {
    const whole = readBlocks(text);
    return {
      before,
      after: whole.blocks.map((block) => newBlock(block, text, 0)),
      start: 0,
      end: before.length,
      shift,
      references: whole.references,
    };
  }
  if (next) after.pop();
  return { before, after, start, end, shift, references: undefined };
}

/** Returns the blocks with Markdown, or the only block of an empty document. */
function oldBlocks(doc: Node, sources: Sources): OldBlock[] {
  const { children, from, to, text } = sources.layoutOf(doc);
  const blocks: OldBlock[] = [];
  let position = 0;
  children.forEach((node, index) => {
    const [start = 0, end = 0] = [from[index], to[index]];
    if (end > start || children.length === 1) {
      blocks.push({ node, position, text: text.slice(start, end), from: start, to: end });
    }
    position += node.nodeSize;
  });
  return blocks;
}

/** Returns the changed blocks and one on each side. */
function changedRange(
  before: readonly OldBlock[],
  old: string,
  text: string,
): { start: number; end: number } {
  const shorter = Math.min(old.length, text.length);
  let head = 0;
  while (head < shorter && old.charCodeAt(head) === text.charCodeAt(head)) head += 1;
  let tail = 0;
  const most = shorter - head;
  while (
    tail < most &&
    old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)
  ) {
    tail += 1;
  }
  const first = before.findIndex(({ to }) => to >= head);
  const start = Math.max(0, (first === -1 ? before.length : first) - 1);
  let end = before.length;
  while (end > start && (before[end - 1]?.from ?? 0) > old.length - tail) end -= 1;
  return { start, end: Math.min(before.length, end + 1) };
}

function newBlock({ node, from, to }: Block, text: string, start: number): NewBlock {
  return { node, from: from + start, to: to + start, text: text.slice(from + start, to + start) };
}

/** Returns the Markdown of the blocks that may define links or footnotes. */
function definitionsIn(blocks: readonly { node: Node; text: string }[]): string {
  return blocks.flatMap(({ node, text }) => (hasDefinition(node) ? text : [])).join('\n\n');
}

/** Changes, inserts and deletes blocks. */
function applyBlocks(transaction: Transaction, change: BlockChange): void {
  const { before, after, start, end } = change;
  const old = before.slice(start, end);
  const last = before[start - 1];
  let cursor = last ? last.position + last.node.nodeSize : 0;
  const steps = transaction.steps.length;
  const mapped = (position: number, side: -1 | 1) =>
    transaction.mapping.slice(steps).map(position, side);
  // A document is never empty, so blocks are deleted last.
  const deleted: OldBlock[] = [];
  for (const [one, other] of pairs(old, after)) {
    if (one && other) {
      patch(transaction, mapped(one.position, 1), one.node, other.node);
      cursor = one.position + one.node.nodeSize;
    } else if (one) {
      deleted.push(one);
      cursor = one.position + one.node.nodeSize;
    } else if (other) {
      transaction.insert(mapped(cursor, 1), other.node);
    }
  }
  for (const { node, position } of deleted) {
    const from = mapped(position, 1);
    const isOnly = transaction.doc.childCount === 1;
    if (isOnly) transaction.replaceWith(from, from + node.nodeSize, nodes['paragraph'].create());
    else transaction.delete(from, from + node.nodeSize);
  }
}

type Pair = readonly [OldBlock | undefined, NewBlock | undefined];

/** Pairs the blocks in order: those with the same text, and between them those that are similar. */
function pairs(old: readonly OldBlock[], fresh: readonly NewBlock[]): Pair[] {
  const result: Pair[] = [];
  let [i, j] = [0, 0];
  for (const [oldAnchor, newAnchor] of [
    ...anchors(old, fresh),
    [old.length, fresh.length] as const,
  ]) {
    result.push(...pairSimilar(old.slice(i, oldAnchor), fresh.slice(j, newAnchor)));
    if (oldAnchor < old.length) result.push([old[oldAnchor], fresh[newAnchor]]);
    [i, j] = [oldAnchor + 1, newAnchor + 1];
  }
  return result;
}

/** Returns the indexes of blocks with the same text: those at both ends, and those whose text is unique. */
function anchors(
  old: readonly OldBlock[],
  fresh: readonly NewBlock[],
): (readonly [number, number])[] {
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head]?.text === fresh[head]?.text) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail)?.text === fresh.at(-1 - tail)?.text) tail += 1;
  const found = Array.from({ length: head }, (_, index) => [index, index] as const);
  const indexes = uniqueIndexes(old.slice(head, old.length - tail));
  const candidates: (readonly [number, number])[] = [];
  for (const [text, index] of uniqueIndexes(fresh.slice(head, fresh.length - tail))) {
    const other = indexes.get(text);
    if (other !== undefined) candidates.push([head + other, head + index]);
  }
  found.push(...increasing(candidates));
  for (let index = tail; index > 0; index -= 1) {
    found.push([old.length - index, fresh.length - index]);
  }
  return found;
}

function uniqueIndexes(blocks: readonly { text: string }[]): Map<string, number> {
  const indexes = new Map<string, number>();
  const repeated = new Set<string>();
  blocks.forEach(({ text }, index) => {
    if (indexes.has(text)) repeated.add(text);
    indexes.set(text, index);
  });
  for (const text of repeated) indexes.delete(text);
  return indexes;
}

/** Returns a longest part of the pairs, which are in order of their second index, whose first index grows too. */
function increasing(all: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  /** Index of the pair that ends the best part of each length, and the one before each pair. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  all.forEach(([value], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((all[ends[middle] ?? 0]?.[0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1];
    ends[low] = index;
  });
  const result: (readonly [number, number])[] = [];
  for (let index = ends.at(-1); index !== undefined; index = before[index]) {
    const pair = all[index];
    if (pair) result.unshift(pair);
  }
  return result;
}

function pairSimilar(old: readonly OldBlock[], fresh: readonly NewBlock[]): Pair[] {
  const result: Pair[] = [];
  let at = 0;
  fresh.forEach((block, index) => {
    const isOnlyPair = old.length === fresh.length && old.length === 1;
    let match = at;
    while (match < old.length && !fits(old[match], block, isOnlyPair)) match += 1;
    // A far match would delete the blocks between, of which later ones may fit too.
    const room = old.length - match >= 1 && match - at <= Math.max(8, fresh.length - index);
    if (match < old.length && room) {
      for (; at < match; at += 1) result.push([old[at], undefined]);
      result.push([old[at], block]);
      at += 1;
    } else {
      result.push([undefined, block]);
    }
  });
  for (; at < old.length; at += 1) result.push([old[at], undefined]);
  return result;
}

function fits(one: OldBlock | undefined, other: NewBlock, isOnlyPair: boolean): boolean {
  if (!one) return false;
  if (isEmptyParagraph(one.node)) return other.node.isTextblock;
  const areTexts = isOnlyPair && isText(one.node) && isText(other.node);
  return areTexts || isSimilar(one.node, other.node);
}

function isText(node: Node): boolean {
  return node.isTextblock && !node.type.spec.code;
}

/** Changes the node at a position with as few steps as possible. */
function patch(transaction: Transaction, position: number, old: Node, fresh: Node): void {
  if (old.eq(fresh)) return;
  patchInside(transaction, position, old, fresh);
  const result = transaction.doc.nodeAt(position);
  if (result && !result.eq(fresh)) {
    transaction.replaceWith(position, position + result.nodeSize, fresh);
  }
}

function patchInside(transaction: Transaction, position: number, old: Node, fresh: Node): void {
  if (old.isTextblock && fresh.isTextblock && old.type.spec.code === fresh.type.spec.code) {
    patchText(transaction, position + 1, old, fresh);
    if (!old.hasMarkup(fresh.type, fresh.attrs)) {
      transaction.setNodeMarkup(position, fresh.type, fresh.attrs);
    }
    return;
  }
  if (old.type !== fresh.type || old.isLeaf) {
    transaction.replaceWith(position, position + old.nodeSize, fresh);
    return;
  }
  patchChildren(transaction, position + 1, old, fresh);
  if (!old.hasMarkup(fresh.type, fresh.attrs)) {
    transaction.setNodeMarkup(position, null, fresh.attrs);
  }
}

/** Children at both ends stay. Those in the middle are paired in order. */
function patchChildren(transaction: Transaction, start: number, old: Node, fresh: Node): void {
  const [before, after] = [old.content.content, fresh.content.content];
  const { head, tail } = sameEnds(before, after, (one, other) => one.eq(other));
  const [end, freshEnd] = [before.length - tail, after.length - tail];
  const positions = [start];
  for (const child of before) positions.push((positions.at(-1) ?? start) + child.nodeSize);
  let paired = end === freshEnd ? end : head;
  while (paired < Math.min(end, freshEnd) && isPair(before[paired], after[paired])) paired += 1;
  // From the end, so that earlier positions stay.
  const [from, to] = [positions[paired] ?? start, positions[end] ?? start];
  const rest = after.slice(paired, freshEnd);
  if (rest.length > 0 || to > from) transaction.replaceWith(from, to, rest);
  for (let index = paired - 1; index >= head; index -= 1) {
    const [one, other] = [before[index], after[index]];
    if (one && other) patch(transaction, positions[index] ?? start, one, other);
  }
}

/** Returns how many items are the same at the start and at the end. */
function sameEnds<Item>(
  one: readonly Item[],
  other: readonly Item[],
  isEqual: (a: Item, b: Item) => boolean,
): { head: number; tail: number } {
  const isSame = (a: Item | undefined, b: Item | undefined) => a && b && isEqual(a, b);
  const shorter = Math.min(one.length, other.length);
  let head = 0;
  while (head < shorter && isSame(one[head], other[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && isSame(one.at(-1 - tail), other.at(-1 - tail))) tail += 1;
  return { head, tail };
}

function isPair(one: Node | undefined, other: Node | undefined): boolean {
  return one !== undefined && other !== undefined && isSimilar(one, other);
}

/** Changes words with text steps, and marks with mark steps. */
function patchText(transaction: Transaction, start: number, old: Node, fresh: Node): void {
  const edits = textEdits(textOf(old), textOf(fresh));
  let shift = 0;
  const placed = edits.map(({ from, to, insert }) => {
    const at = from + shift;
    shift += insert.length - (to - from);
    return { from, to, slice: fresh.slice(at, at + insert.length) };
  });
  for (const { from, to, slice } of placed.reverse()) {
    transaction.replace(start + from, start + to, slice);
  }
  fresh.forEach((child, offset) => {
    const [from, to] = [start + offset, start + offset + child.nodeSize];
    if (!differsIn(transaction.doc, { from, to }, child.marks)) return;
    transaction.removeMark(from, to);
    for (const mark of child.marks) transaction.addMark(from, to, mark);
  });
}

/** The text of a block, with a placeholder for every other inline node. Its indexes are positions. */
function textOf(node: Node): string {
  return node.textBetween(0, node.content.size, undefined, '\ufffc');
}

/** Tells the sources what the blocks of the changed document are in the new text. */
function describe(doc: Node, sources: Sources, change: BlockChange, text: string): void {
  const { before, after, start, end, shift, references } = change;
  if (references) sources.definitions = references;
  const written = doc.content.content.filter((node) => !isEmptyParagraph(node));
  const kept = before.slice(0, start).filter(({ text: own }) => own !== '');
  const last = kept.at(-1);
  let previous = last?.node ?? null;
  let to = last?.to ?? 0;
  after.forEach((block, index) => {
    const node = written[kept.length + index];
    if (!node) return;
    sources.set(node, { text: block.text, lead: text.slice(to, block.from), previous });
    previous = node;
    to = block.to;
  });
  const next = before[end];
  if (next) {
    const lead = text.slice(to, next.from + shift);
    const id = sources.get(next.node)?.id;
    sources.set(next.node, { text: next.text, lead, previous }, id);
  } else {
    sources.setEnds(text, to, written.length === 0);
  }
}

/** Returns true if an inline node of the range has other marks. */
function differsIn(doc: Node, { from, to }: { from: number; to: number }, marks: readonly Mark[]) {
  const found: Node[] = [];
  doc.nodesBetween(from, to, (node) => {
    if (node.isInline && !Mark.sameSet(node.marks, marks)) found.push(node);
  });
  return found.length > 0;
}
