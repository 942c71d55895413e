import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import type { Span } from '../live/page.js';
import { cellAt } from '../live/table-model.js';
import { cellText } from '../live/tables.js';

/** The type of the first or last block of Markdown: text that joins adjacent text, a list, or another block. */
export type Edge = 'text' | 'list' | 'block';

export interface MarkdownPiece {
  markdown: string;
  first: Edge;
  last: Edge;
}

interface Insertion {
  changes: { from: number; to: number; insert: string };
  /** Position after the Markdown in the new text. */
  end: number;
}

/** Maximum time to parse the text up to a position, in ms. */
const PARSE_WITHIN = 200;

/** Marks of quotes and list items at the start of a line. */
const CONTAINERS = /^(?:\s*(?:>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))[ \t]?)*[ \t]*/;
const QUOTES = /^(?:[ \t]{0,3}>[ \t]?)*/;
const HEADING_OR_TASK = /^(?:#{1,6}(?=\s|$)|\[[ xX]\](?=\s|$))\s*/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/** Returns the change that replaces a range with Markdown, as blocks of the quote or list item there. */
export function insertionAt(state: EditorState, range: Span, piece: MarkdownPiece): Insertion {
  const { from, to } = range;
  if (cellAt(state, from)) return insertion(range, '', cellText(piece.markdown), '');
  const line = state.doc.lineAt(from);
  const before = line.text.slice(0, from - line.from);
  const containers = CONTAINERS.exec(before)?.[0] ?? '';
  const quotes = QUOTES.exec(containers)?.[0] ?? '';
  const isItem = ITEM.test(containers.slice(quotes.length));
  const isBlank = before.slice(containers.length).replace(HEADING_OR_TASK, '').trim() === '';
  // Continuation lines are aligned with the text of the item.
  let prefix = containers.replaceAll(/[^\s>]/g, ' ');
  let start = from;
  let lead = '';
  if (piece.first !== 'text' && !isBlank) {
    lead = isItem && piece.first === 'list' ? `\n${prefix}` : between(prefix);
  } else if (piece.first === 'list' && isItem) {
    // The list replaces the empty item.
    prefix = quotes + leadingSpaces(containers.slice(quotes.length));
    start = line.from + prefix.length;
  } else if (piece.first !== 'text') {
    start = line.from + containers.length;
    const isBelowText = !isItem && isTextAbove(state, line.number);
    lead = isBelowText ? `\n${prefix}` : '';
  }
  const body = indented(piece.markdown, prefix);
  return insertion({ from: start, to }, lead, body, after(state, to, prefix, piece));
}

function leadingSpaces(text: string): string {
  return text.slice(0, text.length - text.trimStart().length);
}

function isTextAbove({ doc }: EditorState, number: number): boolean {
  return number > 1 && !isEmptyLine(doc.line(number - 1).text);
}

/** Returns the change that inserts Markdown after the block that ends at a position, or before all text. */
export function insertionAfter(state: EditorState, at: number, piece: MarkdownPiece): Insertion {
  const line = state.doc.lineAt(at);
  let lead = '';
  if (at > line.from && line.text.trim() !== '') lead = '\n\n';
  else if (isTextAbove(state, line.number)) lead = '\n';
  return insertion(
    { from: at, to: at },
    lead,
    piece.markdown,
    after(state, at, '', { ...piece, last: 'block' }),
  );
}

function insertion({ from, to }: Span, lead: string, body: string, trail: string): Insertion {
  const changes = { from, to, insert: lead + body + trail };
  return { changes, end: from + lead.length + body.length };
}

/** Returns the separator between Markdown and the text after it. */
function after(state: EditorState, to: number, prefix: string, { last }: MarkdownPiece): string {
  if (last === 'text') return '';
  const line = state.doc.lineAt(to);
  if (line.text.slice(to - line.from).trim() !== '') return between(prefix);
  if (line.number === state.doc.lines) return '';
  const next = state.doc.line(line.number + 1).text;
  const continues = last === 'list' && ITEM.test(next.replace(QUOTES, ''));
  return isEmptyLine(next) || continues ? '' : `\n${prefix.trimEnd()}`;
}

function isEmptyLine(text: string): boolean {
  return text.replace(QUOTES, '').trim() === '';
}

function between(prefix: string): string {
  return `\n${prefix.trimEnd()}\n${prefix}`;
}

function indented(markdown: string, prefix: string): string {
  if (prefix === '') return markdown;
  return markdown
    .split('\n')
    .map((line, index) => {
      if (index === 0) return line;
      return line === '' ? prefix.trimEnd() : prefix + line;
    })
    .join('\n');
}

const CODE = /^(?:FencedCode|CodeBlock|InlineCode|HTMLBlock|HTMLTag|CommentBlock|Comment)$/;

/** True if a position is in code or HTML, where Markdown would be text. */
export function isInCode(state: EditorState, at: number): boolean {
  const tree = ensureSyntaxTree(state, at, PARSE_WITHIN) ?? syntaxTree(state);
  for (let node: SyntaxNode | null = tree.resolveInner(at, -1); node; node = node.parent) {
    if (!CODE.test(node.name) || at <= node.from) continue;
    const isOpen = node.name === 'CodeBlock' || node.getChildren('CodeMark').length === 1;
    if (at < node.to || isOpen) return true;
  }
  return false;
}

/** Returns the outermost block at a position as whole lines, or the line if it is empty. */
export function blockAt(state: EditorState, at: number): Span {
  const line = state.doc.lineAt(at);
  const tree = ensureSyntaxTree(state, line.to, PARSE_WITHIN) ?? syntaxTree(state);
  const indent = line.text.length - line.text.trimStart().length;
  let node = tree.resolveInner(line.from + indent, 1);
  while (node.parent && node.parent.name !== 'Document') node = node.parent;
  if (line.text.trim() === '' || node.name === 'Document') return line;
  return { from: state.doc.lineAt(node.from).from, to: state.doc.lineAt(node.to).to };
}
