import {
  inlinesOf,
  type Block,
  type Inline,
  type Table,
  type TableCell,
} from '../rich-text/rich-text.js';
import { widthOf, type Setting } from './paragraph-layout.js';
import type { Box } from './page-flow.js';
import type { PdfCanvas } from './pdf-canvas.js';
import { COLORS, type TextStyle } from './text-style.js';

const PADDING = 5;
const MIN_COLUMN = 24;
/** Rows and letters of a cell that are looked at for the width of its column. */
const SAMPLED_ROWS = 100;
const SAMPLED_LETTERS = 80;
/** Points, so that what was measured fits where it is set. */
const ROUNDING = 0.5;

/** Lays out the blocks of a cell. */
export type LayoutBlocks = (blocks: readonly Block[], setting: Setting) => Box[];

/** A table as boxes: rows part between lines, and the header stands again on each page. */
export function layoutTable(
  table: Table,
  { style, width }: Setting,
  canvas: PdfCanvas,
  layoutBlocks: LayoutBlocks,
): Box[] {
  const widths = columnWidths(table, style, width, canvas);
  const frame = (boxes: (Box | undefined)[][], shaded: boolean) =>
    rowBoxes(boxes, widths, shaded, canvas);
  const layoutRow = (row: readonly TableCell[], header: boolean): Box[] => {
    const cells = row.map(({ blocks }, column) =>
      layoutBlocks(blocks, {
        style: { ...style, bold: style.bold || header },
        width: (widths[column] ?? 0) - 2 * PADDING,
        alignment: table.alignments[column],
      }).filter((box, index) => !box.space || index > 0),
    );
    const slices = Math.max(1, ...cells.map(({ length }) => length));
    const sliced = Array.from({ length: slices }, (_, slice) => cells.map((cell) => cell[slice]));
    return frame(sliced, header);
  };
  const header = table.headed ? layoutRow(table.rows[0] ?? [], true) : [];
  const body = table.rows.slice(table.headed ? 1 : 0).flatMap((row) => layoutRow(row, false));
  const repeated = header.reduce((sum, { height }) => sum + height, 0) < 200 ? header : [];
  return [
    ...header.map((box): Box => ({ ...box, keep: true })),
    ...body.map((box): Box => ({ ...box, repeat: repeated })),
  ];
}

/** One box for each line of a row, with the borders around it. */
function rowBoxes(
  slices: readonly (readonly (Box | undefined)[])[],
  widths: readonly number[],
  shaded: boolean,
  canvas: PdfCanvas,
): Box[] {
  const total = widths.reduce((sum, width) => sum + width, 0);
  return slices.map((cells, index) => {
    const above = index === 0 ? PADDING : 0;
    const below = index === slices.length - 1 ? PADDING : 0;
    const content = cells.reduce((most, cell) => Math.max(most, cell?.height ?? 0), 0);
    const height = above + content + below;
    return {
      height,
      paint: (left, y) => {
        if (shaded) canvas.fill(left, y, total, height, COLORS.shade);
        let x = left;
        for (const [column, cell] of cells.entries()) {
          cell?.paint(x + PADDING, y + above);
          canvas.line(x, y, x, y + height, COLORS.line);
          x += widths[column] ?? 0;
        }
        canvas.line(x, y, x, y + height, COLORS.line);
        if (above > 0) canvas.line(left, y, left + total, y, COLORS.line);
        if (below > 0) canvas.line(left, y + height, left + total, y + height, COLORS.line);
      },
    };
  });
}

/** Columns get what they want where all fit; else narrow ones do, and the others share what is left. */
function columnWidths(
  { headed, rows, alignments }: Table,
  style: TextStyle,
  available: number,
  canvas: PdfCanvas,
): number[] {
  const wanted = alignments.map((_, column) => {
    const widths = rows.slice(0, SAMPLED_ROWS).map((row, index) => {
      const bold = style.bold || (headed && index === 0);
      return wantedBy(row[column]?.blocks ?? [], { ...style, bold }, canvas);
    });
    return Math.max(MIN_COLUMN, ...widths) + 2 * PADDING;
  });
  let left = available;
  let waiting = wanted.map((_, column) => column);
  const widths = [...wanted];
  for (;;) {
    const share = left / waiting.length;
    const modest = waiting.filter((column) => (wanted[column] ?? 0) <= share);
    if (modest.length === 0) {
      for (const column of waiting) widths[column] = share;
      return widths;
    }
    for (const column of modest) left -= wanted[column] ?? 0;
    waiting = waiting.filter((column) => !modest.includes(column));
    if (waiting.length === 0) return widths;
  }
}

function wantedBy(blocks: readonly Block[], style: TextStyle, canvas: PdfCanvas): number {
  return widthOf(beginning(inlinesOf(blocks)), style, canvas) + ROUNDING;
}

/** The first letters of a cell. */
function beginning(inlines: readonly Inline[]): Inline[] {
  let left = SAMPLED_LETTERS;
  const sampled: Inline[] = [];
  for (const inline of inlines) {
    if (left <= 0) break;
    const sample =
      inline.kind === 'text'
        ? { ...inline, text: inline.text.slice(0, left).toWellFormed() }
        : inline;
    left -= sample.kind === 'text' ? sample.text.length : 1;
    sampled.push(sample);
  }
  return sampled;
}
