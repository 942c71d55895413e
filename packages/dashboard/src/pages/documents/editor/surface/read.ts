import type { SyntaxNode } from '@lezer/common';
import { Fragment, type Attrs, type Mark, type Node, type NodeType } from 'prosemirror-model';
import { markdownParser } from '../markdown-parser.js';
import { labelKey, labelsIn, textBrackets, withLabels } from './brackets.js';
import { footnoteDefinitions, footnoteReference } from './footnote-syntax.js';
import { InlineContent, type Marks, type Segment } from './inline-content.js';
import {
  decodeEntity,
  NO_REFERENCES,
  referencesIn,
  targetOf,
  type References,
} from './references.js';
import { schema, type Alignment } from './schema.js';

const { nodes, marks } = schema;
const parser = markdownParser.configure([footnoteDefinitions, textBrackets]);

/** Blocks that are nested deeper stay Markdown. */
const MAX_DEPTH = 50;

/** A top-level block and its range in the Markdown, without the blank lines around it. */
export interface Block {
  node: Node;
  from: number;
  to: number;
  /** In order. The offsets count from `from`. Empty unless they were asked for. */
  segments: Segment[];
}

interface ReadOptions {
  /** Definitions outside the text. Without them, the text's own are used. */
  references?: References;
  segments?: boolean;
}

/** Reads Markdown whose line breaks are `\n`. */
export function readBlocks(
  text: string,
  { references, segments = false }: ReadOptions = {},
): { blocks: Block[]; references: References } {
  const labels = references ? new Set(references.links.keys()) : labelsIn(text);
  const tree = withLabels(labels, () => parser.parse(text));
  const known = references ?? referencesIn(tree, text);
  const blocks: Block[] = [];
  let end = 0;
  for (let child = tree.topNode.firstChild; child; child = child.nextSibling) {
    let from = child.from;
    while (from > end && isBlank(text.charAt(from - 1))) from -= 1;
    const reader = new BlockReader(text, known, segments ? from : undefined);
    const node = reader.block(child);
    if (!node) continue;
    blocks.push({ node, from, to: child.to, segments: reader.segments ?? [] });
    end = child.to;
  }
  return { blocks, references: known };
}

/** Returns the definitions of raw blocks of a document. */
export function referencesOf(doc: Node): References {
  const sources: string[] = [];
  doc.descendants((node) => {
    if (node.type === nodes['raw_block'] && node.attrs['kind'] !== 'html') {
      sources.push(node.textContent);
    }
    return !node.isTextblock;
  });
  if (sources.length === 0) return NO_REFERENCES;
  const text = sources.join('\n\n');
  return referencesIn(parser.parse(text), text);
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t';
}

const RAW_KINDS: Readonly<Partial<Record<string, string>>> = {
  LinkReference: 'reference',
  FootnoteDefinition: 'footnote',
};

/** A container around a block: a quote, or an item whose content starts at this column of its own lines. */
type Container = 'quote' | number;

/** Reads one top-level block. */
class BlockReader {
  readonly segments: Segment[] | undefined;
  private position = 0;
  /** Where white space is indentation, not text. */
  private isAtLineStart = true;
  private isInCell = false;
  private readonly containers: Container[] = [];

  /** Segments count from the offset `start`. */
  constructor(
    private readonly source: string,
    private readonly references: References,
    private readonly start?: number,
  ) {
    this.segments = start === undefined ? undefined : [];
  }

  /** Returns undefined for the markers of a container. */
  block(node: SyntaxNode): Node | undefined {
    const { name } = node;
    if (/^(?:QuoteMark|ListMark|TaskMarker)$/.test(name)) return undefined;
    const level = /^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1];
    if (level !== undefined) return this.heading(node, Number(level));
    if (this.containers.length >= MAX_DEPTH) return this.raw(node, 'nested');
    switch (name) {
      case 'Paragraph':
      case 'Task':
        return this.textblock(nodes['paragraph'], null, node);
      case 'Blockquote':
        return this.within('quote', () =>
          this.container(nodes['blockquote'], null, () => this.blocksOf(node)),
        );
      case 'BulletList':
      case 'OrderedList':
        return this.list(node);
      case 'FencedCode':
      case 'CodeBlock':
        return this.codeBlock(node);
      case 'HorizontalRule':
        this.position += 1;
        return nodes['horizontal_rule'].create({ markup: this.text(node.from, node.to) });
      case 'Table':
        return this.table(node);
      default:
        return this.raw(node, RAW_KINDS[name] ?? 'html');
    }
  }

  private heading(node: SyntaxNode, level: number): Node {
    const found = node.getChildren('HeaderMark');
    const [first, last] = [found[0], found.at(-1)];
    if (node.name.startsWith('Setext')) {
      const underline = last ? this.text(last.from, last.to) : '';
      const to = this.source.lastIndexOf('\n', last?.from ?? node.to);
      const range = { from: node.from, to: Math.max(node.from, to) };
      return this.textblock(nodes['heading'], { level, underline }, node, range);
    }
    const range = {
      from: first?.to ?? node.from,
      to: last && last !== first ? last.from : node.to,
    };
    return this.textblock(nodes['heading'], { level }, node, range);
  }

  private textblock(type: NodeType, attrs: Attrs | null, node: SyntaxNode, range?: Range): Node {
    const { from, to } = range ?? node;
    this.position += 1;
    const content = new InlineContent(this.position);
    this.isAtLineStart = true;
    this.run(node, { from, to }, [], content);
    content.trim();
    if (this.segments) {
      if (content.segments.length === 0) content.segments.push(emptySegment(this.position, to));
      for (const segment of content.segments) {
        this.segments.push({ ...segment, offset: segment.offset - (this.start ?? 0) });
      }
    }
    this.position = content.position + 1;
    const inline = type === nodes['heading'] ? content.onOneLine() : content.nodes;
    return type.create(attrs, Fragment.fromArray(inline));
  }

  private code(type: NodeType, attrs: Attrs, lines: readonly Range[], end: number): Node {
    this.position += 1;
    let text = '';
    for (const { from, to } of lines) {
      const line = this.text(from, to);
      this.segments?.push({
        position: this.position,
        offset: from - (this.start ?? 0),
        length: line.length,
        sourceLength: line.length,
      });
      this.position += line.length;
      text += line;
    }
    if (lines.length === 0) {
      this.segments?.push(emptySegment(this.position, end - (this.start ?? 0)));
    }
    this.position += 1;
    return type.create(attrs, text === '' ? null : schema.text(text));
  }

  private codeBlock(node: SyntaxNode): Node {
    const lines: Range[] = node.getChildren('CodeText');
    if (node.name === 'CodeBlock') {
      return this.code(nodes['code_block'], { fence: '' }, lines, node.to);
    }
    const info = node.getChild('CodeInfo');
    const fence = node.firstChild;
    const attrs = {
      info: info ? this.text(info.from, info.to) : '',
      fence: fence ? this.text(fence.from, fence.to) : '```',
    };
    const last = lines.at(-1);
    // The line break before the end of the text ends code that nothing closes, and is not part of it.
    if (last?.to === node.to && this.source.charAt(last.to - 1) === '\n') {
      lines.splice(-1, 1, { from: last.from, to: last.to - 1 });
    }
    const indent = this.indentOf(node.from);
    const stripped = lines.flatMap((range) => this.withoutIndent(range, indent));
    const firstLine = this.source.indexOf('\n', node.from);
    const end = firstLine === -1 ? node.to : Math.min(firstLine + 1, node.to);
    return this.code(nodes['code_block'], attrs, stripped, end);
  }

  /** Markdown as text, without the markers of the containers around it. */
  private raw(node: SyntaxNode, kind: string): Node {
    const lines: Range[] = [];
    for (let from = node.from; from <= node.to;) {
      const lineBreak = this.source.indexOf('\n', from);
      const to = lineBreak === -1 || lineBreak >= node.to ? node.to : lineBreak + 1;
      const start = from === node.from ? from : this.skipContainers(from, to);
      if (start < to || from === node.from) lines.push({ from: start, to });
      if (to === node.to) break;
      from = to;
    }
    return this.code(nodes['raw_block'], { kind }, lines, node.to);
  }

  private skipContainers(lineStart: number, lineEnd: number): number {
    let at = lineStart;
    for (const container of this.containers) {
      if (container === 'quote') {
        const marker = /^ {0,3}> ?/.exec(this.source.slice(at, lineEnd))?.[0];
        at += marker?.length ?? 0;
      } else {
        for (let column = 0; column < container && isBlank(this.source.charAt(at)); at += 1) {
          column += this.source.charAt(at) === '\t' ? 4 - (column % 4) : 1;
        }
      }
    }
    return at;
  }

  /** Returns the indentation of a block. Zero if it starts on the line of the item around it. */
  private indentOf(from: number): number {
    const lineStart = this.source.lastIndexOf('\n', from - 1) + 1;
    const start = this.skipContainers(lineStart, from);
    return this.isBlankBetween(start, from) ? from - start : 0;
  }

  /** Removes the indentation of fenced code, which is that of its fence, from its lines. */
  private withoutIndent({ from, to }: Range, indent: number): Range[] {
    if (indent === 0) return [{ from, to }];
    const ranges: Range[] = [];
    for (let start = from; start < to;) {
      const lineBreak = this.source.indexOf('\n', start);
      const end = lineBreak === -1 || lineBreak >= to ? to : lineBreak + 1;
      const blanks = /^ */.exec(this.text(start, end))?.[0].length ?? 0;
      const skipped = Math.min(indent, blanks);
      if (start + skipped < end) ranges.push({ from: start + skipped, to: end });
      start = end;
    }
    return ranges;
  }

  private within<Value>(container: Container, read: () => Value): Value {
    this.containers.push(container);
    try {
      return read();
    } finally {
      this.containers.pop();
    }
  }

  private container(type: NodeType, attrs: Attrs | null, readChildren: () => Node[]): Node {
    this.position += 1;
    const children = readChildren();
    if (children.length === 0) {
      children.push(nodes['paragraph'].create());
      this.position += 2;
    }
    this.position += 1;
    return type.create(attrs, children);
  }

  private blocksOf(node: SyntaxNode): Node[] {
    const found: Node[] = [];
    for (let child = node.firstChild; child; child = child.nextSibling) {
      const block = this.block(child);
      if (block) found.push(block);
    }
    return found;
  }

  private list(node: SyntaxNode): Node {
    const items = node.getChildren('ListItem');
    const mark = items[0]?.firstChild;
    const marker = mark ? this.text(mark.from, mark.to) : '-';
    const tight = !this.isLoose(items);
    const readItems = () => items.map((item) => this.item(item));
    if (node.name === 'BulletList') {
      return this.container(nodes['bullet_list'], { mark: marker, tight }, readItems);
    }
    const attrs = { order: parseInt(marker, 10), delimiter: marker.slice(-1), tight };
    return this.container(nodes['ordered_list'], attrs, readItems);
  }

  /** Returns true if a blank line separates items, or blocks of an item. */
  private isLoose(items: readonly SyntaxNode[]): boolean {
    const isSeparated = (one: Range, other: Range) =>
      /\n[ \t>]*\n/.test(this.text(one.to, other.from));
    return items.some((item, index) => {
      const previous = items[index - 1];
      if (previous && isSeparated(previous, item)) return true;
      const children = childrenOf(item).filter(
        ({ name }) => name !== 'ListMark' && name !== 'QuoteMark',
      );
      return children.some((child, at) => {
        const before = children[at - 1];
        return before !== undefined && isSeparated(before, child);
      });
    });
  }

  private item(node: SyntaxNode): Node {
    const marker = node.firstChild;
    const [first] = childrenOf(node).filter(({ name }) => name !== 'ListMark');
    const box = /^\[([ xX])\](?=[ \t]|$)/.exec(first ? this.text(first.from, first.to) : '');
    const isTask =
      box !== null &&
      first !== undefined &&
      (first.name === 'Task' || (first.name === 'Paragraph' && first.to - first.from === 3));
    const checked = isTask ? box[1] !== ' ' : null;
    const width = this.itemWidth(marker?.to ?? node.from, node.from);
    return this.within(width, () =>
      this.container(nodes['list_item'], { checked }, () => {
        if (!isTask) return this.blocksOf(node);
        const found: Node[] = [];
        for (const child of childrenOf(node)) {
          const range = { from: child.from + 3, to: child.to };
          const block =
            child.from === first.from
              ? this.textblock(nodes['paragraph'], null, child, range)
              : this.block(child);
          if (block) found.push(block);
        }
        return found;
      }),
    );
  }

  /** Returns the number of columns before the content of an item, from the start of its marker. */
  private itemWidth(markerEnd: number, markerStart: number): number {
    const own = this.indentOf(markerStart);
    const spaces = /^ */.exec(this.source.slice(markerEnd, markerEnd + 6))?.[0].length ?? 0;
    const isEmpty = this.source.charAt(markerEnd + spaces) === '\n';
    const gap = spaces === 0 || spaces > 4 || isEmpty ? 1 : spaces;
    return own + markerEnd - markerStart + gap;
  }

  private table(node: SyntaxNode): Node {
    const header = node.getChild('TableHeader');
    const delimiters = node
      .getChildren('TableDelimiter')
      .map(({ from, to }) => this.text(from, to))
      .find((text) => text.includes('-'));
    const alignments = alignmentsOf(delimiters ?? '');
    const rows = [...(header ? [header] : []), ...node.getChildren('TableRow')];
    return this.container(nodes['table'], null, () =>
      rows.map((row) => this.row(row, alignments, row === header)),
    );
  }

  private row(row: SyntaxNode, alignments: readonly Alignment[], isHeader: boolean): Node {
    const ranges = this.cellsOf(row);
    const type = isHeader ? nodes['table_header'] : nodes['table_cell'];
    return this.container(nodes['table_row'], null, () =>
      alignments.map((align, index) =>
        this.container(type, { align }, () => {
          const range = ranges[index] ?? { from: row.to, to: row.to };
          this.isInCell = true;
          const paragraph = this.textblock(nodes['paragraph'], null, row, range);
          this.isInCell = false;
          return [paragraph];
        }),
      ),
    );
  }

  private cellsOf(row: SyntaxNode): Range[] {
    const cells: Range[] = [];
    let from = row.from;
    for (const pipe of row.getChildren('TableDelimiter')) {
      const isOuter =
        cells.length === 0 && from === row.from && this.isBlankBetween(from, pipe.from);
      if (!isOuter) cells.push({ from, to: pipe.from });
      from = pipe.to;
    }
    if (!this.isBlankBetween(from, row.to)) cells.push({ from, to: row.to });
    // White space belongs to no cell, so that text typed into an empty one stays apart from its pipes.
    return cells.map((cell) => {
      const text = this.text(cell.from, cell.to);
      const indent = text.length - text.trimStart().length;
      return text.trim() === ''
        ? { from: cell.from + Math.min(1, text.length), to: cell.from + Math.min(1, text.length) }
        : { from: cell.from + indent, to: cell.from + text.trimEnd().length };
    });
  }

  private isBlankBetween(from: number, to: number): boolean {
    return this.text(from, to).trim() === '';
  }

  private text(from: number, to: number): string {
    return this.source.slice(from, to);
  }

  // --- Inline ---

  /** Reads a range of a node. */
  private run(node: SyntaxNode, { from, to }: Range, set: Marks, content: InlineContent): void {
    let at = from;
    for (let child = node.childAfter(from); child && child.from < to; child = child.nextSibling) {
      if (child.from < from) continue;
      this.plain({ from: at, to: child.from }, set, content);
      this.inline(child, set, content);
      at = child.to;
    }
    this.plain({ from: at, to }, set, content);
  }

  /** Text without markup. A line break reads as a space. */
  private plain({ from, to }: Range, set: Marks, content: InlineContent): void {
    if (from >= to) return;
    let text = this.text(from, to);
    let start = from;
    if (this.isAtLineStart) {
      const trimmed = text.replace(/^[ \t\n]+/, '');
      start += text.length - trimmed.length;
      text = trimmed;
      if (text === '') return;
      this.isAtLineStart = false;
    }
    let at = 0;
    for (const lineBreak of text.matchAll(/[ \t]*\n[ \t]*/g)) {
      const end = lineBreak.index + lineBreak[0].length;
      content.add(text.slice(at, lineBreak.index), set, { from: start + at });
      content.add(' ', set, { from: start + lineBreak.index, length: lineBreak[0].length });
      at = end;
      if (end === text.length) this.isAtLineStart = true;
    }
    content.add(text.slice(at), set, { from: start + at });
  }

  private inline(node: SyntaxNode, set: Marks, content: InlineContent): void {
    const { name, from, to } = node;
    if (name === 'QuoteMark') {
      this.isAtLineStart = true;
      return;
    }
    const mark = EMPHASIS[name];
    if (mark) {
      this.isAtLineStart = false;
      this.inside(node, withMark(set, mark.create()), content);
      return;
    }
    switch (name) {
      case 'TableCell':
        this.run(node, node, set, content);
        return;
      case 'HardBreak':
        content.addNode(nodes['hard_break'].create(null, null, set), { from, length: to - from });
        this.isAtLineStart = true;
        return;
      case 'Link':
      case 'Image':
        this.link(node, set, content);
        return;
    }
    this.isAtLineStart = false;
    this.leaf(node, set, content);
  }

  private leaf(node: SyntaxNode, set: Marks, content: InlineContent): void {
    const { name, from, to } = node;
    switch (name) {
      case 'InlineCode':
        this.inlineCode(node, set, content);
        break;
      case 'Escape':
        content.add(this.text(from + 1, to), set, { from, length: 2 });
        break;
      case 'Entity': {
        const source = this.text(from, to);
        const text = decodeEntity(source.slice(1, -1)) ?? source;
        content.add(text, set, { from, length: to - from });
        break;
      }
      case 'HTMLTag':
      case 'Comment':
      case 'ProcessingInstruction':
        this.html(node, set, content);
        break;
      case 'URL':
        this.bareAddress(node, set, content);
        break;
      case 'Autolink':
        this.autolink(node, set, content);
        break;
      default:
        this.plain(node, set, content);
    }
  }

  /** Content between the first and the last marker. */
  private inside(node: SyntaxNode, set: Marks, content: InlineContent): void {
    const range = { from: node.firstChild?.to ?? node.from, to: node.lastChild?.from ?? node.to };
    this.run(node, range, set, content);
  }

  private inlineCode(node: SyntaxNode, set: Marks, content: InlineContent): void {
    const codeMarks = withMark(set, marks['code'].create());
    let from = node.firstChild?.to ?? node.from;
    let to = node.lastChild?.from ?? node.to;
    const source = this.text(from, to);
    const flat = source.replace(/\n/g, ' ');
    if (/^ .* $/s.test(flat) && flat.trim() !== '') {
      from += 1;
      to -= 1;
    }
    // A line break, with the markers of the containers of the next line, reads as a space.
    const pattern = this.isInCell ? /\\\|/g : /\n(?:[ \t]*>)*[ \t]*/g;
    const text = this.text(from, to);
    let at = 0;
    for (const found of text.matchAll(pattern)) {
      const range = { from: from + found.index, length: found[0].length };
      content.add(text.slice(at, found.index), codeMarks, { from: from + at });
      content.add(this.isInCell ? '|' : ' ', codeMarks, range);
      at = found.index + found[0].length;
    }
    content.add(text.slice(at), codeMarks, { from: from + at });
  }

  private html({ from, to }: Range, set: Marks, content: InlineContent): void {
    const source = this.text(from, to);
    if (this.isInCell && /^<br[ \t]*\/?>$/i.test(source)) {
      content.addNode(nodes['hard_break'].create(null, null, set), { from, length: to - from });
      return;
    }
    const text = source.replace(/\n(?:[ \t]*>)*[ \t]*/g, ' ');
    content.add(text, withMark(set, marks['html'].create()), { from, length: to - from });
  }

  /** The service links only addresses with a scheme: `www.example.com` and `a@b.c` are text. */
  private bareAddress({ from, to }: Range, set: Marks, content: InlineContent): void {
    const text = this.text(from, to);
    const isLink = /^(?:https?:\/\/|mailto:)/i.test(text) && !hasLink(set);
    content.add(text, isLink ? withMark(set, linkTo(text)) : set, { from });
  }

  private autolink(node: SyntaxNode, set: Marks, content: InlineContent): void {
    const [from, to] = [node.from + 1, node.to - 1];
    const text = this.text(from, to);
    const isMail = text.includes('@') && !/^[a-z][\w+.-]*:/i.test(text);
    content.add(text, withMark(set, linkTo(isMail ? `mailto:${text}` : text)), { from });
  }

  private link(node: SyntaxNode, set: Marks, content: InlineContent): void {
    const [open, close, third] = node.getChildren('LinkMark');
    const isImage = node.name === 'Image';
    if (!open || !close || this.footnote(node, set, content)) return;
    const isInline = third !== undefined && this.text(third.from, third.to) === '(';
    const target = isInline
      ? targetOf(node, this.source)
      : this.references.links.get(this.labelOf(node, { from: open.to, to: close.from }));
    if (!target || (!isImage && hasLink(set))) {
      this.literal(node, set, content);
      return;
    }
    this.isAtLineStart = false;
    const range = { from: open.to, to: close.from };
    if (isImage) {
      const attrs = { src: target.href, alt: this.plainTextOf(node, range), title: target.title };
      const image = nodes['image'].create(attrs, null, set);
      content.addNode(image, { from: node.from, length: node.to - node.from });
    } else {
      this.run(node, range, withMark(set, marks['link'].create(target)), content);
    }
  }

  private labelOf(node: SyntaxNode, range: Range): string {
    const label = node.getChild('LinkLabel');
    const isFull = label !== null && label.to - label.from > 2;
    return labelKey(
      isFull ? this.text(label.from + 1, label.to - 1) : this.text(range.from, range.to),
    );
  }

  /** Reads a reference to a footnote. Returns false if the node is not one. */
  private footnote(node: SyntaxNode, set: Marks, content: InlineContent): boolean {
    const from = node.name === 'Image' ? node.from + 1 : node.from;
    const reference = footnoteReference(this.text(from, node.to));
    if (!reference || !this.references.footnotes.has(labelKey(reference.label))) return false;
    const to = from + reference.text.length;
    this.plain({ from: node.from, to: from }, set, content);
    this.isAtLineStart = false;
    content.add(reference.text, withMark(set, marks['html'].create()), { from });
    this.plain({ from: to, to: node.to }, set, content);
    return true;
  }

  /** A link without a definition is text. */
  private literal(node: SyntaxNode, set: Marks, content: InlineContent): void {
    let at = node.from;
    for (const child of childrenOf(node)) {
      if (/^(?:LinkMark|LinkLabel|URL|LinkTitle)$/.test(child.name)) continue;
      this.plain({ from: at, to: child.from }, set, content);
      this.inline(child, set, content);
      at = child.to;
    }
    this.plain({ from: at, to: node.to }, set, content);
  }

  private plainTextOf(node: SyntaxNode, range: Range): string {
    const wasAtLineStart = this.isAtLineStart;
    const content = new InlineContent(0);
    this.run(node, range, [], content);
    this.isAtLineStart = wasAtLineStart;
    return content.nodes
      .map((inline) => {
        if (inline.isText) return inline.text ?? '';
        return inline.type === nodes['image'] ? String(inline.attrs['alt']) : ' ';
      })
      .join('');
  }
}

interface Range {
  from: number;
  to: number;
}

const EMPHASIS: Readonly<Partial<Record<string, Mark['type']>>> = {
  Emphasis: marks['em'],
  StrongEmphasis: marks['strong'],
  Strikethrough: marks['strike'],
};

function withMark(set: Marks, mark: Mark): Marks {
  return mark.addToSet(set);
}

function hasLink(set: Marks): boolean {
  return marks['link'].isInSet(set) !== undefined;
}

function linkTo(href: string): Mark {
  return marks['link'].create({ href });
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

function alignmentsOf(delimiters: string): Alignment[] {
  return delimiters
    .replace(/^[\s>]*\|?|\|?\s*$/g, '')
    .split('|')
    .map((cell) => {
      const [left, right] = [cell.trim().startsWith(':'), cell.trim().endsWith(':')];
      if (left && right) return 'center';
      if (right) return 'right';
      return left ? 'left' : null;
    });
}

function emptySegment(position: number, offset: number): Segment {
  return { position, offset, length: 0, sourceLength: 0 };
}
