import type { SyntaxNode } from '@lezer/common';
import { markdownParser } from './markdown-parser.js';

export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'emphasis' | 'strong' | 'strike'; children: Inline[] }
  /** Without `href` the address is none that a page may lead to. */
  | { kind: 'link' | 'image'; href: string | undefined; children: Inline[] };

export interface ListItem {
  /** Of a task list: whether it is done. */
  done: boolean | undefined;
  blocks: Block[];
}

export type Block =
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; start: number | undefined; items: ListItem[] }
  | { kind: 'code' | 'html'; text: string }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' };

/** Quotes in quotes and the like, deeper than anybody reads; what is deeper is shown as it is written. */
const MAX_DEPTH = 40;

/** What a Markdown text says, without HTML: tags are text like any other. */
export function markdownTree(text: string): Block[] {
  const root = markdownParser.parse(text).topNode;
  const context: Context = { text, references: new Map() };
  collectReferences(root, context);
  return blocksOf(root, context, 0);
}

interface Context {
  text: string;
  /** Addresses of `[label]: address`, by label. */
  references: Map<string, string>;
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

function sourceOf({ from, to }: { from: number; to: number }, { text }: Context): string {
  return text.slice(from, to);
}

function collectReferences(root: SyntaxNode, context: Context): void {
  root.cursor().iterate(({ name, node }) => {
    if (name !== 'LinkReference') return;
    const label = node.getChild('LinkLabel');
    const url = node.getChild('URL');
    if (!label || !url) return;
    const key = labelKey(sourceOf(label, context));
    if (!context.references.has(key)) context.references.set(key, sourceOf(url, context));
  });
}

function labelKey(label: string): string {
  return label.slice(1, -1).trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

// Blocks. ------------------------------------------------------------------------------------------------------------

function blocksOf(node: SyntaxNode, context: Context, depth: number): Block[] {
  return childrenOf(node).flatMap((child) => blockOf(child, context, depth) ?? []);
}

function blockOf(node: SyntaxNode, context: Context, depth: number): Block | undefined {
  if (depth > MAX_DEPTH) return { kind: 'html', text: sourceOf(node, context) };
  const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name)?.[1];
  if (heading !== undefined) {
    return { kind: 'heading', level: Number(heading), children: trimmed(inlinesOf(node, context)) };
  }
  switch (node.name) {
    case 'Paragraph':
      return { kind: 'paragraph', children: trimmed(inlinesOf(node, context)) };
    case 'Blockquote':
      return { kind: 'quote', blocks: blocksOf(node, context, depth + 1) };
    case 'BulletList':
    case 'OrderedList':
      return listOf(node, context, depth + 1);
    case 'FencedCode':
    case 'CodeBlock':
      return { kind: 'code', text: codeOf(node, context) };
    case 'HTMLBlock':
      return { kind: 'html', text: sourceOf(node, context) };
    case 'Table':
      return tableOf(node, context);
    case 'HorizontalRule':
      return { kind: 'rule' };
    default:
      return undefined;
  }
}

function codeOf(node: SyntaxNode, context: Context): string {
  return node
    .getChildren('CodeText')
    .map((part) => sourceOf(part, context))
    .join('');
}

function listOf(node: SyntaxNode, context: Context, depth: number): Block {
  const items = node.getChildren('ListItem');
  const [first] = items;
  const mark = first?.getChild('ListMark');
  const number =
    mark && node.name === 'OrderedList' ? Number.parseInt(sourceOf(mark, context), 10) : undefined;
  return {
    kind: 'list',
    start: number,
    items: items.map((item) => {
      const task = item.getChild('Task');
      const marker = task?.getChild('TaskMarker');
      const blocks = blocksOf(item, context, depth);
      if (!task) return { done: undefined, blocks };
      const children = trimmed(inlinesOf(task, context));
      return {
        done: marker ? /x/i.test(sourceOf(marker, context)) : undefined,
        blocks: [{ kind: 'paragraph' as const, children }, ...blocks],
      };
    }),
  };
}

function tableOf(node: SyntaxNode, context: Context): Block {
  const header = node.getChild('TableHeader');
  return {
    kind: 'table',
    head: header ? cellsOf(header, context) : [],
    rows: node.getChildren('TableRow').map((row) => cellsOf(row, context)),
  };
}

/** Cells by column: an empty one has no node, only the bars around it. */
function cellsOf(row: SyntaxNode, context: Context): Inline[][] {
  const cells: Inline[][] = [];
  let column = 0;
  for (const child of childrenOf(row)) {
    if (child.name === 'TableCell') {
      while (cells.length < column) cells.push([]);
      cells[column] = trimmed(inlinesOf(child, context));
    } else if (child.name === 'TableDelimiter' && child.from !== row.from) {
      column += 1;
    }
  }
  return cells;
}

// Text. --------------------------------------------------------------------------------------------------------------

/** Signs of the syntax, which are not shown. */
const MARKS = new Set([
  'HeaderMark',
  'QuoteMark',
  'ListMark',
  'EmphasisMark',
  'StrikethroughMark',
  'CodeMark',
  'TaskMarker',
  'LinkMark',
  'LinkTitle',
  'LinkLabel',
]);

function inlinesOf(node: SyntaxNode, context: Context): Inline[] {
  return inlinesBetween(node, node.from, node.to, context, 0);
}

function inlinesBetween(
  node: SyntaxNode,
  from: number,
  to: number,
  context: Context,
  depth: number,
): Inline[] {
  const inlines: Inline[] = [];
  let at = from;
  const textUpTo = (end: number) => {
    if (end > at) inlines.push(textInline(context.text.slice(at, end)));
  };
  for (const child of childrenOf(node)) {
    if (child.from < from || child.to > to) continue;
    textUpTo(child.from);
    at = child.to;
    inlines.push(...inlineOf(child, context, depth));
  }
  textUpTo(to);
  return inlines;
}

function textInline(text: string): Inline {
  return { kind: 'text', text: text.replaceAll(/\s*\n\s*/g, '\n') };
}

const SPANS = { Emphasis: 'emphasis', StrongEmphasis: 'strong', Strikethrough: 'strike' } as const;

function inlineOf(node: SyntaxNode, context: Context, depth: number): Inline[] {
  const { name } = node;
  const source = sourceOf(node, context);
  if (MARKS.has(name)) return [];
  if (depth > MAX_DEPTH) return [textInline(source)];
  const span = SPANS[name as keyof typeof SPANS] as (typeof SPANS)[keyof typeof SPANS] | undefined;
  if (span) {
    return [{ kind: span, children: inlinesBetween(node, node.from, node.to, context, depth + 1) }];
  }
  switch (name) {
    case 'Escape':
      return [{ kind: 'text', text: source.slice(1) }];
    case 'Entity':
      return [{ kind: 'text', text: characterOf(source) }];
    case 'HardBreak':
      return [{ kind: 'break' }];
    case 'InlineCode':
      return [{ kind: 'code', text: inlineCode(source) }];
    case 'Link':
    case 'Image':
      return linkOf(node, context, depth);
    case 'Autolink':
      return [addressLink(source.slice(1, -1))];
    case 'URL':
      return [addressLink(source)];
    default:
      return [textInline(source)];
  }
}

function inlineCode(source: string): string {
  const ticks = /^`+/.exec(source)?.[0].length ?? 0;
  const text = source.slice(ticks, -ticks).replaceAll('\n', ' ');
  return /^ .*[^ ].* $/.test(text) ? text.slice(1, -1) : text;
}

function addressLink(address: string): Inline {
  const href = safeAddress(/^www\./i.test(address) ? `http://${address}` : address);
  const children: Inline[] = [{ kind: 'text', text: address }];
  return href === undefined ? { kind: 'text', text: address } : { kind: 'link', href, children };
}

function linkOf(node: SyntaxNode, context: Context, depth: number): Inline[] {
  const kind = node.name === 'Image' ? 'image' : 'link';
  const [open, close] = node.getChildren('LinkMark');
  if (!open || !close) return [textInline(sourceOf(node, context))];
  const children = inlinesBetween(node, open.to, close.from, context, depth + 1);
  const url = node.getChild('URL');
  const label = node.getChild('LinkLabel');
  const shown = `[${context.text.slice(open.to, close.from)}]`;
  const key = labelKey(label && label.to - label.from > 2 ? sourceOf(label, context) : shown);
  const address = url ? sourceOf(url, context) : context.references.get(key);
  // `[so]` is a link only where somewhere `[so]: address` stands.
  if (address === undefined && !url && node.getChildren('LinkMark').length < 3) {
    const before = { kind: 'text' as const, text: sourceOf(open, context) };
    const rest = label ? sourceOf(label, context) : '';
    return [before, ...children, { kind: 'text', text: `]${rest}` }];
  }
  return [{ kind, href: safeAddress(address?.replace(/^<(.*)>$/s, '$1')), children }];
}

/** The address, if it is one of the web: a script, a file or a place on this page is none. */
export function safeAddress(address: string | undefined): string | undefined {
  if (address === undefined || !/^https?:\/\//i.test(address)) return undefined;
  return URL.canParse(address) ? new URL(address).href : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  laquo: '«',
  raquo: '»',
  euro: '€',
  times: '×',
  rarr: '→',
  larr: '←',
};

/** The character of `&name;` or `&#number;`; others stay as they are written. */
function characterOf(entity: string): string {
  const [, hex, decimal, name = ''] = /^&(?:#x([\da-f]+)|#(\d+)|(\w+));$/i.exec(entity) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (Number.isInteger(code)) {
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  }
  return ENTITIES[name] ?? entity;
}

function trimmed(inlines: Inline[]): Inline[] {
  const result = [...inlines];
  const first = result[0];
  if (first?.kind === 'text') result[0] = { kind: 'text', text: first.text.trimStart() };
  const last = result.at(-1);
  if (last?.kind === 'text') {
    result[result.length - 1] = { kind: 'text', text: last.text.trimEnd() };
  }
  return result;
}
