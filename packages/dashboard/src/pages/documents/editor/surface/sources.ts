import { mergeText } from '@document-service/text-merge/merge-text';
import { Fragment, Slice, type Node } from 'prosemirror-model';
import { bare, fromBare, looksSame, toBare, type BareNode } from './bare.js';
import type { Segment } from './inline-content.js';
import {
  childAt,
  commonHead,
  commonTail,
  EMPTY_LAYOUT,
  indexAt,
  LayoutBuilder,
  startsOf,
  type Layout,
} from './layout.js';
import { offsetOf, positionOf } from './offsets.js';
import { readBlocks, referencesOf, type Block } from './read.js';
import { NO_REFERENCES, type References } from './references.js';
import { schema } from './schema.js';
import {
  distinct,
  isEmptyParagraph,
  listMarker,
  withMarkerOf,
  writeBlock,
  writeInline,
  type WriteStyle,
} from './write.js';

const { nodes } = schema;

/** The Markdown of a top-level block. */
export interface Source {
  text: string;
  /** What separates it from the block before, or null if the block is new. */
  lead: string | null;
  /** Identifies the block after edits. */
  id: object;
  /** The block before when the document was read: null for the first one, undefined if unknown. */
  previous: object | null | undefined;
  /** True if the text was written, not read. */
  isWritten: boolean;
  /** The node as the text shows it: its marker may differ from that of the node in the document. */
  node: Node;
  bare?: BareNode;
  segments?: readonly Segment[];
}

/** From readable to safe. The first that reads back as the same block is used. */
const STYLES: readonly WriteStyle[] = [
  { escaping: 'none', emphasis: '*' },
  { escaping: 'usual', emphasis: '*' },
  { escaping: 'usual', emphasis: '_' },
  { escaping: 'addresses', emphasis: '*' },
  { escaping: 'addresses', emphasis: '_' },
  { escaping: 'entities', emphasis: '*' },
  { escaping: 'entities', emphasis: '_' },
];

const [UNESCAPED, ESCAPED] = STYLES as [WriteStyle, WriteStyle];

/** Removed blocks that are remembered, so that undo restores their Markdown. */
const MAX_REMOVED = 20_000;

/** Keeps the Markdown of every block of a document and writes only blocks that were edited. */
export class Sources {
  /** How often each way of writing a block was used. */
  readonly counts = { spliced: 0, merged: 0, written: 0, unverified: 0 };
  private readonly sources = new WeakMap<Node, Source>();
  private readonly layouts = new WeakMap<Node, Layout>();
  private readonly removed = new RemovedBlocks();
  private references: References = NO_REFERENCES;
  private last: Layout = EMPTY_LAYOUT;
  /** Blank lines after the last block. */
  private tail = '';
  /** The Markdown of a document without text. */
  private blank = '';

  /** Reads Markdown whose line breaks are `\n`. */
  read(text: string): Node {
    const { blocks, references } = readBlocks(text);
    this.references = references;
    let end = 0;
    let previous: Node | null = null;
    for (const { node, from, to } of blocks) {
      this.set(node, { text: text.slice(from, to), lead: text.slice(end, from), previous });
      previous = node;
      end = to;
    }
    this.setEnds(text, end, blocks.length === 0);
    const children = blocks.map(({ node }) => node);
    const doc = nodes['doc'].create(null, children.length > 0 ? children : emptyParagraph());
    this.last = {
      children: doc.content.content,
      from: children.length > 0 ? blocks.map(({ from }) => from) : [0],
      to: children.length > 0 ? blocks.map(({ to }) => to) : [0],
      end,
      text,
    };
    this.layouts.set(doc, this.last);
    return doc;
  }

  /** Returns the Markdown of a document. Blocks that nobody edited keep their source, byte for byte. */
  write(doc: Node): string {
    return this.layoutOf(doc).text;
  }

  /**
   * Returns the position in `doc` of an offset in `write(doc)`, in UTF-16 units. Undefined inside markup or an address,
   * which is not shown, and between blocks. `side` chooses where an offset has two positions, such as at a space that
   * is not part of the Markdown.
   */
  positionAt(doc: Node, offset: number, side: -1 | 1): number | undefined {
    const layout = this.layoutOf(doc);
    const index = indexAt(layout, offset);
    const node = layout.children[index];
    if (!node || offset > (layout.to[index] ?? 0)) return undefined;
    const source = this.sources.get(node);
    if (!source) return undefined;
    const segments = this.segmentsOf(node, source);
    const position = positionOf(segments, offset - (layout.from[index] ?? 0), side);
    if (position === undefined) return undefined;
    return startsOf(layout, index) + fromBare(bareOf(node, source), position, side);
  }

  /** Returns the range of the top-level block at an offset, or of the block before it. */
  blockAt(doc: Node, offset: number): { from: number; to: number } {
    const layout = this.layoutOf(doc);
    const index = Math.max(0, indexAt(layout, offset));
    const from = startsOf(layout, index);
    return { from, to: from + (layout.children[index]?.nodeSize ?? 0) };
  }

  /** Returns the offset in `write(doc)` of a position. */
  offsetAt(doc: Node, position: number, side: -1 | 1): number {
    const layout = this.layoutOf(doc);
    const { index, start } = childAt(layout, position);
    if (start === position && side === -1 && index > 0) return layout.to[index - 1] ?? 0;
    if (position >= doc.content.size) return layout.to[index] ?? 0;
    const from = layout.from[index] ?? 0;
    const node = layout.children[index];
    const source = node && this.sources.get(node);
    if (!source || start === position) return from;
    const inside = toBare(bareOf(node, source), position - start);
    return from + offsetOf(this.segmentsOf(node, source), inside, side);
  }

  /** Returns where the blocks of a document are in its Markdown. */
  layoutOf(doc: Node): Layout {
    const cached = this.layouts.get(doc);
    if (cached) return cached;
    const layout = this.arrange(doc);
    this.layouts.set(doc, layout);
    this.last = layout;
    return layout;
  }

  /** Sets the Markdown of a block, for {@link changeTo}. */
  set(
    node: Node,
    source: { text: string; lead: string; previous: Node | null },
    id: object = node,
  ): void {
    const previous = source.previous && (this.sources.get(source.previous)?.id ?? source.previous);
    const known = this.sources.get(node);
    const shown = known?.text === source.text ? known.node : node;
    this.sources.set(node, { ...source, previous, id, isWritten: false, node: shown });
  }

  /** Gives the blocks of a document the Markdown of an equal document, for {@link changeTo}. */
  adopt(doc: Node, equal: Node): void {
    equal.content.content.forEach((node, index) => {
      const source = this.sources.get(node);
      if (source) this.sources.set(doc.child(index), source);
    });
    this.last = { ...this.layoutOf(equal), children: doc.content.content };
    this.layouts.set(doc, this.last);
  }

  /** Keeps the Markdown of a block that may be inserted. */
  remember(node: Node, text: string): void {
    const source = { text, lead: null, id: node, previous: undefined, isWritten: false, node };
    this.removed.add(node, source);
  }

  get(node: Node): Source | undefined {
    return this.sources.get(node);
  }

  /** Sets what follows the last block, which ends at `end`. */
  setEnds(text: string, end: number, isBlank: boolean): void {
    this.tail = isBlank ? '' : text.slice(end);
    this.blank = isBlank ? text : '';
  }

  get definitions(): References {
    return this.references;
  }

  set definitions(references: References) {
    this.references = references;
  }

  private segmentsOf(node: Node, source: Source): readonly Segment[] {
    source.segments ??=
      node.type === nodes['raw_block']
        ? rawSegments(node, source.text)
        : (readBlocks(source.text, { references: this.references, segments: true }).blocks[0]
            ?.segments ?? []);
    return source.segments;
  }

  /** Writes the blocks that differ from the last document and one block on each side of them. */
  private arrange(doc: Node): Layout {
    const { last } = this;
    const children = doc.content.content;
    const head = commonHead(last.children, children);
    const tail = commonTail(last.children, children, head);
    const before = last.children.slice(head, last.children.length - tail);
    const after = children.slice(head, children.length - tail);
    this.forget(before, after, doc);
    const bases = new Bases(
      before.filter((node) => this.sources.has(node)),
      before.length === after.length ? before : undefined,
    );
    let start = head;
    while (start > 0 && !this.sources.has(children[start - 1] as Node)) start -= 1;
    start = Math.max(0, start - 1);
    const builder = new LayoutBuilder(last, start);
    let previous: Source | undefined;
    for (let at = start - 1; at >= 0 && !previous; at -= 1) {
      previous = this.sources.get(children[at] as Node);
    }
    const shift = last.children.length - children.length;
    for (let index = start; index < children.length; index += 1) {
      const node = children[index] as Node;
      const isNext = index >= head && index < children.length - tail;
      const source = this.sourceFor(node, {
        previous,
        base: isNext ? () => bases.find(node, index - head) : () => undefined,
        isLast: () => !children.slice(index + 1).some((other) => !isEmptyParagraph(other)),
      });
      if (!source) {
        builder.addEmpty();
        continue;
      }
      builder.add(this.separator(previous, source), source.text);
      previous = source;
      const isUnchanged =
        index >= children.length - tail && builder.reuse(last, index + shift, source.text);
      if (isUnchanged) break;
    }
    return builder.finish(children, previous ? this.tail : this.blank);
  }

  /** Remembers the Markdown of removed blocks, and reads definitions again if some of them changed. */
  private forget(before: readonly Node[], after: readonly Node[], doc: Node): void {
    const present = new Set(after);
    for (const node of before) {
      const source = this.sources.get(node);
      if (source && !present.has(node)) this.removed.add(node, source);
    }
    if ([...before, ...after].some(hasDefinition)) this.references = referencesOf(doc);
  }

  private sourceFor(node: Node, { previous, base, isLast }: Surroundings): Source | undefined {
    let source = this.sources.get(node) ?? this.removed.find(node);
    if (!source) {
      const { node: bareNode } = bare(node);
      const isBlank = node.type === nodes['raw_block'] && node.textContent.trim() === '';
      if (isBlank || isEmptyParagraph(bareNode)) return undefined;
      source = this.edited(node, previous, base());
    }
    const isNext = previous !== undefined && source.previous === previous.id;
    const separate = distinctFrom(source.node, previous);
    const mustDiffer = separate !== source.node && !(isNext && !source.isWritten);
    if (mustDiffer || (isUnclosed(source) && !isLast())) {
      const written = this.writeVerified(bare(separate).node);
      source = { ...source, ...written, node: separate, isWritten: true, bare: undefined };
    }
    this.sources.set(node, source);
    return source;
  }

  private edited(node: Node, previous: Source | undefined, base: Base | undefined): Source {
    const from = base && this.sources.get(base.node);
    const separate = from ? withMarkerOf(node, from.node) : distinctFrom(node, previous);
    const written = this.writeEdited(
      bare(separate).node,
      base && from ? { ...base, from } : undefined,
    );
    const isSame = base?.isFirst === true && from !== undefined;
    return {
      ...written,
      lead: isSame ? from.lead : null,
      id: isSame ? from.id : node,
      previous: isSame ? from.previous : undefined,
      isWritten: true,
      node: separate,
    };
  }

  /** Writes a block so that as much as possible of the Markdown it was edited from stays. */
  private writeEdited(
    node: Node,
    base: { node: Node; from: Source } | undefined,
  ): { text: string; segments?: readonly Segment[] } {
    if (!base) return this.writeVerified(node);
    const { from } = base;
    if (node.type === nodes['raw_block']) {
      const indent = base.node.type === node.type ? indentOf(base.node, from.text) : '';
      return { text: indent + node.textContent };
    }
    const old = bareOf(base.node, from).node;
    for (const text of splices(old, node, from.text, this.segmentsOf(base.node, from))) {
      const segments = this.verify(text, node);
      if (segments) {
        this.counts.spliced += 1;
        return { text, segments };
      }
    }
    for (const style of [ESCAPED, UNESCAPED]) {
      const { text, overlaps } = mergeText(
        writeBlock(old, style),
        writeBlock(node, style),
        from.text,
      );
      const segments = overlaps.length === 0 ? this.verify(text, node) : undefined;
      if (segments) {
        this.counts.merged += 1;
        return { text, segments };
      }
    }
    return this.writeVerified(node);
  }

  private writeVerified(node: Node): { text: string; segments?: readonly Segment[] } {
    if (node.type === nodes['raw_block']) return { text: node.textContent };
    for (const style of STYLES) {
      const text = writeBlock(node, style);
      const segments = this.verify(text, node);
      if (segments) {
        this.counts.written += 1;
        return { text, segments };
      }
    }
    this.counts.unverified += 1;
    return { text: writeBlock(node, ESCAPED) };
  }

  /** Returns the segments of a Markdown text if it reads as the bare node. */
  private verify(text: string, node: Node): readonly Segment[] | undefined {
    return verified(text, node, this.references);
  }

  /** Returns what to write before a block. */
  private separator(previous: Source | undefined, source: Source): string {
    const { lead } = source;
    if (!previous) return source.previous === null && lead !== null ? lead : '';
    if (lead === null || source.previous !== previous.id) return '\n\n';
    if (!previous.isWritten && !source.isWritten) return lead;
    const isSafe = /\n[ \t]*\n/.test(lead) && !isRisky(previous.node);
    return isSafe || this.readsApart(previous, lead, source) ? lead : '\n\n';
  }

  /** Returns true if the text that separated two blocks still does. An edited raw block may read as other blocks. */
  private readsApart(previous: Source, lead: string, source: Source): boolean {
    const { blocks } = readBlocks(previous.text + lead + source.text, {
      references: this.references,
    });
    const boundary = previous.text.length + lead.length;
    const split = blocks.findIndex(({ from }) => from >= boundary);
    return (
      split > 0 &&
      (blocks[split - 1] as Block).to <= previous.text.length &&
      readsAs(blocks.slice(0, split), previous) &&
      readsAs(blocks.slice(split), source)
    );
  }
}

function readsAs(blocks: readonly Block[], { node }: Source): boolean {
  if (node.type === nodes['raw_block']) return true;
  const [block] = blocks;
  return (
    blocks.length === 1 && block !== undefined && looksSame(bare(block.node).node, bare(node).node)
  );
}

/**
 * Reads Markdown as a slice, for insertion and paste. Links may use the references of `sources`, which keep the Markdown
 * of the blocks that are inserted whole.
 */
export function readSlice(markdown: string, sources?: Sources): Slice {
  const { blocks, references } = readBlocks(markdown);
  const known = sources ? joinReferences(references, sources.definitions) : references;
  const read = sources ? readBlocks(markdown, { references: known }).blocks : blocks;
  for (const { node, from, to } of read) sources?.remember(node, markdown.slice(from, to));
  const content = Fragment.fromArray(read.map(({ node }) => node));
  const isOpen = (node: Node | null) => (node?.type === nodes['paragraph'] ? 1 : 0);
  return new Slice(content, isOpen(content.firstChild), isOpen(content.lastChild));
}

/** Returns a slice as Markdown, for the clipboard. Code alone is returned without its fence. */
export function writeSlice({ content, openStart, openEnd }: Slice): string {
  let fragment = content;
  let depth = Math.min(openStart, openEnd);
  for (; depth > 0 && fragment.childCount === 1; depth -= 1) {
    const [only] = fragment.content;
    if (!only) break;
    if (only.isTextblock) {
      if (only.type.spec.code) return only.textContent;
      return inlineMarkdown(only);
    }
    fragment = only.content;
  }
  const children = blocksFrom(fragment);
  const sources = new Sources();
  return children.length === 0 ? '' : sources.write(nodes['doc'].create(null, children));
}

function inlineMarkdown(textblock: Node): string {
  const paragraph = nodes['paragraph'].create(null, textblock.content);
  const { node } = bare(paragraph);
  const found = STYLES.map((style) => writeInline(node, style)).find((text) =>
    verified(text, node, NO_REFERENCES),
  );
  // Spaces at the edges are part of what was copied.
  const [before] = /^[ \t]*/.exec(textblock.textContent) ?? [''];
  const [after] = /[ \t]*$/.exec(textblock.textContent) ?? [''];
  const text = (found ?? writeInline(node, ESCAPED)).trim();
  return text === '' ? textblock.textContent : before + text + after;
}

/** Completes parts of lists and tables. */
function blocksFrom(fragment: Fragment): Node[] {
  const found: Node[] = [];
  const wrap = (node: Node): Node => {
    switch (node.type) {
      case nodes['list_item']:
        return nodes['bullet_list'].create(null, node);
      case nodes['table_cell']:
      case nodes['table_header']:
        return nodes['table'].create(null, nodes['table_row'].create(null, node));
      case nodes['table_row']:
        return nodes['table'].create(null, node);
      default:
        return node.isInline ? nodes['paragraph'].create(null, node) : node;
    }
  };
  for (const node of fragment.content) {
    const block = wrap(node);
    const last = found.at(-1);
    if (block !== node && last?.type === block.type) {
      found[found.length - 1] = last.copy(last.content.append(block.content));
    } else {
      found.push(block);
    }
  }
  return found;
}

function joinReferences(one: References, other: References): References {
  return {
    links: new Map([...other.links, ...one.links]),
    footnotes: new Set([...other.footnotes, ...one.footnotes]),
  };
}

interface Surroundings {
  previous: Source | undefined;
  /** The block that this one was edited from. */
  base: () => Base | undefined;
  /** True if no other block with Markdown follows. */
  isLast: () => boolean;
}

interface Base {
  node: Node;
  /** False if another block was edited from it too, as after a split. */
  isFirst: boolean;
}

/** Finds the blocks that new blocks were edited from. */
class Bases {
  private readonly used = new Set<Node>();

  /** `paired` are the removed blocks if there are as many as new ones. */
  constructor(
    private readonly removed: readonly Node[],
    private readonly paired: readonly Node[] | undefined,
  ) {}

  find(node: Node, index: number): Base | undefined {
    const found = this.paired
      ? this.removed.find((other) => other === this.paired?.[index])
      : (this.removed.find((other) => !this.used.has(other) && isSimilar(other, node)) ??
        this.removed.find((other) => isSimilar(other, node)));
    if (!found) return undefined;
    const isFirst = !this.used.has(found);
    this.used.add(found);
    return { node: found, isFirst };
  }
}

/** Returns true if most of the shorter text is at the start and end of the longer one. */
export function isSimilar(one: Node, other: Node): boolean {
  if (one.type !== other.type) return false;
  const [a, b] = [one.textContent, other.textContent];
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a.charCodeAt(head) === b.charCodeAt(head)) head += 1;
  let tail = 0;
  while (
    tail < shorter - head &&
    a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)
  )
    tail += 1;
  return (head + tail) * 2 >= shorter;
}

/** Markdown of blocks that were removed, by content. */
class RemovedBlocks {
  private readonly bySize = new Map<string, { node: Node; source: Source }[]>();
  private count = 0;

  add(node: Node, source: Source): void {
    // Text that was read cannot be written again. Text that was written can.
    if (source.isWritten && this.count >= MAX_REMOVED) return;
    const key = keyOf(node);
    const same = this.bySize.get(key) ?? [];
    const known = same.findIndex((other) => other.node.eq(node));
    if (known !== -1) {
      if (!source.isWritten || same[known]?.source.isWritten) same[known] = { node, source };
      return;
    }
    same.push({ node, source });
    this.bySize.set(key, same);
    this.count += 1;
  }

  find(node: Node): Source | undefined {
    const found = this.bySize.get(keyOf(node))?.find((other) => other.node.eq(node));
    return found && { ...found.source };
  }
}

function keyOf(node: Node): string {
  return `${node.type.name} ${String(node.nodeSize)}`;
}

function bareOf(node: Node, source: Source): BareNode {
  return (source.bare ??= bare(node));
}

function verified(
  text: string,
  node: Node,
  references: References,
): readonly Segment[] | undefined {
  const { blocks } = readBlocks(text, { references, segments: true });
  const [block] = blocks;
  const isWhole = blocks.length === 1 && block?.from === 0 && block.to === text.length;
  return isWhole && looksSame(bare(block.node).node, node) ? block.segments : undefined;
}

/** Returns Markdown with one edit of plain text at its place: as typed, and escaped. */
function splices(old: Node, node: Node, source: string, segments: readonly Segment[]): string[] {
  if (old.type !== node.type) return [];
  const start = old.content.findDiffStart(node.content);
  if (start === null) return [source];
  const ends = old.content.findDiffEnd(node.content);
  if (!ends) return [];
  const overlap = Math.max(0, start - Math.min(ends.a, ends.b));
  const [oldEnd, end] = [ends.a + overlap, ends.b + overlap];
  const $start = node.resolve(start);
  const isWithinText =
    $start.parent.isTextblock &&
    old.resolve(start).sameParent(old.resolve(oldEnd)) &&
    $start.sameParent(node.resolve(end));
  if (!isWithinText || !isPlain(node, start, end)) return [];
  const inserted = node.textBetween(start, end);
  const escaped = inserted.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  const isVerbatim = escaped === inserted || $start.parent.type.spec.code === true;
  const ranges = sourceRanges(segments, start, oldEnd);
  return (isVerbatim ? [inserted] : [inserted, escaped]).flatMap((text) =>
    ranges.map(({ from, to }) => source.slice(0, from) + text + source.slice(to)),
  );
}

/** Returns the ranges of the Markdown for a range of the node's content. An insertion beside markup has two. */
function sourceRanges(
  segments: readonly Segment[],
  start: number,
  end: number,
): { from: number; to: number }[] {
  // Positions of segments count from before the node.
  const after = offsetOf(segments, start + 1, 1);
  if (end > start) {
    const to = offsetOf(segments, end + 1, -1);
    return to < after ? [] : [{ from: after, to }];
  }
  const before = offsetOf(segments, start + 1, -1);
  const offsets = before === after ? [before] : [before, after];
  return offsets.map((offset) => ({ from: offset, to: offset }));
}

function isPlain(node: Node, from: number, to: number): boolean {
  const { content } = node.slice(from, to);
  return content.content.every((child) => child.isText);
}

function rawSegments(node: Node, source: string): Segment[] {
  const { length } = node.textContent;
  return [{ position: 1, offset: indentOf(node, source).length, length, sourceLength: length }];
}

/** Returns the indentation of a raw block, which its node lacks. */
function indentOf(node: Node, source: string): string {
  return source.slice(0, Math.max(0, source.length - node.textContent.length));
}

/** Returns true if a blank line after the block may not end it. */
function isRisky(node: Node): boolean {
  const isCode = node.type === nodes['code_block'] || node.type === nodes['raw_block'];
  return isCode || listMarker(node) !== undefined;
}

/** Returns true for fenced code without a closing fence, which the end of the text closes. */
function isUnclosed({ node, text }: Source): boolean {
  const { fence } = node.attrs as { fence?: string };
  if (node.type !== nodes['code_block'] || fence === undefined || fence === '') return false;
  const lines = text.split('\n');
  const last = (lines.at(-1) ?? '').trim();
  return (
    lines.length < 2 || last.length < fence.length || last !== fence.charAt(0).repeat(last.length)
  );
}

/** Returns true if a block contains text that may define a link or a footnote. */
export function hasDefinition(node: Node): boolean {
  if (node.isTextblock) return isDefinition(node);
  return node.content.content.some((child) => hasDefinition(child));
}

function isDefinition(node: Node): boolean {
  return node.type === nodes['raw_block'] && node.textContent.includes(']:');
}

function distinctFrom(node: Node, previous: Source | undefined): Node {
  return previous ? distinct(node, previous.node) : node;
}

function emptyParagraph(): Node {
  return nodes['paragraph'].create();
}
