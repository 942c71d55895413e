import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import type { Span } from './page.js';

/** Larger tables show their Markdown, because their columns would jump on scrolling. */
const MOST_ROWS = 100;
const LONGEST_ROW = 2_000;

/** A cell from its first pipe or the start of its line, up to the next pipe or the end of the line. */
export interface Cell extends Span {
  /** Position after the pipe. */
  inside: number;
  /** Position before the next pipe, or the end of the line. */
  end: number;
  /** The text without the spaces around it. */
  text: Span;
}

export interface TableRow extends Span {
  cells: Cell[];
}

export interface Table extends Span {
  /** The header row is first. */
  rows: TableRow[];
  /** The line of dashes below the head. */
  delimiter: Span;
  alignments: ('left' | 'center' | 'right')[];
}

/** Returns the table of a node, or undefined for a large one or one in a list or quote, which show their Markdown. */
export function tableOf(state: EditorState, node: SyntaxNode): Table | undefined {
  const delimiter = node.getChild('TableDelimiter');
  const head = node.getChild('TableHeader');
  if (node.parent?.name !== 'Document' || !delimiter || !head) return undefined;
  const rows = [head, ...node.getChildren('TableRow')];
  if (rows.length > MOST_ROWS + 1) return undefined;
  const lines = rows.map(({ from }) => state.doc.lineAt(from));
  if (lines.some(({ length }) => length > LONGEST_ROW)) return undefined;
  return {
    from: lines[0]?.from ?? node.from,
    to: lines.at(-1)?.to ?? node.to,
    rows: rows.map((row, index) => rowOf(state, row, lines[index] ?? row)),
    delimiter: state.doc.lineAt(delimiter.from),
    alignments: alignmentsOf(state.sliceDoc(delimiter.from, delimiter.to)),
  };
}

function rowOf(state: EditorState, row: SyntaxNode, { from, to }: Span): TableRow {
  const pipes = row.getChildren('TableDelimiter').map((pipe) => pipe.from);
  const isBlank = (start: number, end: number) => state.sliceDoc(start, end).trim() === '';
  const starts = pipes[0] !== undefined && isBlank(from, pipes[0]) ? pipes.slice(1) : pipes;
  const last = starts.at(-1);
  const hasEnd = last !== undefined && isBlank(last + 1, to);
  const firstInside = starts === pipes ? from : (pipes[0] ?? from) + 1;
  const begins = [from, ...(hasEnd ? starts.slice(0, -1) : starts)];
  const cells = begins.map((start, index): Cell => {
    const inside = index === 0 ? firstInside : start + 1;
    const next = begins[index + 1];
    const end = next ?? (hasEnd ? last : to);
    return { from: start, to: next ?? to, inside, end, text: textOf(state, inside, end) };
  });
  return { from, to, cells };
}

function textOf(state: EditorState, from: number, to: number): Span {
  const source = state.sliceDoc(from, to);
  const text = source.trim();
  // The caret of an empty cell is after its first space.
  if (text === '') return { from: Math.min(from + 1, to), to: Math.min(from + 1, to) };
  const start = from + source.length - source.trimStart().length;
  return { from: start, to: start + text.length };
}

function alignmentsOf(delimiter: string): Table['alignments'] {
  return delimiter
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((dashes) => {
      const [start, end] = [dashes.trim().startsWith(':'), dashes.trim().endsWith(':')];
      if (!end) return 'left';
      return start ? 'center' : 'right';
    });
}

export interface Place {
  table: Table;
  row: number;
  column: number;
  cell: Cell;
}

/** Returns the table of the line at a position. */
export function tableAt(state: EditorState, position: number): Table | undefined {
  const { from, text } = state.doc.lineAt(position);
  const start = from + text.length - text.trimStart().length;
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(start, 1);
  while (node && node.name !== 'Table') node = node.parent;
  return node ? tableOf(state, node) : undefined;
}

/** Returns the cell at a position. */
export function cellAt(state: EditorState, position: number): Place | undefined {
  const table = tableAt(state, position);
  const row = table?.rows.findIndex(({ from, to }) => from <= position && position <= to) ?? -1;
  const cells = table?.rows[row]?.cells ?? [];
  const column = Math.max(
    0,
    cells.findLastIndex(({ inside }) => inside <= position),
  );
  const cell = cells[column];
  return table && cell && { table, row, column, cell };
}
