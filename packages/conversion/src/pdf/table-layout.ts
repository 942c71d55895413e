import type { Block, Table, TableCell } from '../rich-text/rich-text.js';
import { layoutColumns, type SizedColumn } from './column-widths.js';
import { CELL_PADDING, ContentMeasure } from './content-width.js';
import { nothing, type Box } from './page-flow.js';
import type { Setting } from './paragraph-layout.js';
import type { PdfCanvas } from './pdf-canvas.js';
import { COLORS, scaled, type TextStyle } from './text-style.js';

/** Points. Smaller type is hard to read. */
const MIN_SIZE = 7;
/** Points. A higher header is not repeated on each page. */
const MAX_REPEATED_HEIGHT = 200;
/** Points between the tables that a wide table is split into. */
const GAP = 12;

/** Lays out the blocks of a cell. */
type LayoutBlocks = (blocks: readonly Block[], setting: Setting) => Box[];

/**
 * Yields a table as boxes. Rows can break between lines, and each page repeats the header. Before it breaks words, it
 * rotates the page, reduces the type and splits the table, in this order (docs/adr/0021-file-import-and-export.md).
 */
export function* layoutTable(
  table: Table,
  { style, width, landscapeGain }: Setting,
  canvas: PdfCanvas,
  layoutBlocks: LayoutBlocks,
): Generator<Box> {
  const room = {
    portrait: width,
    landscape: landscapeGain === undefined ? undefined : width + landscapeGain,
  };
  const minScale = Math.min(1, MIN_SIZE / style.size);
  const limit = (room.landscape ?? room.portrait) / minScale;
  const contents = new ContentMeasure(canvas).columns(table, style, limit);
  const { landscape, scale, parts } = layoutColumns(contents, room, minScale);
  const small = { ...style, size: style.size * scale };
  for (const [index, part] of parts.entries()) {
    if (index > 0) yield nothing(GAP);
    for (const box of layoutPart(table, part, small, canvas, layoutBlocks)) {
      yield { ...box, landscape };
    }
  }
}

/** Yields some columns of a table as a table. */
function* layoutPart(
  { headed, rows, alignments }: Table,
  columns: readonly SizedColumn[],
  style: TextStyle,
  canvas: PdfCanvas,
  layoutBlocks: LayoutBlocks,
): Generator<Box> {
  const padding = scaled(CELL_PADDING, style);
  const layoutRow = (row: readonly TableCell[], header: boolean): Box[] => {
    const cells = columns.map(({ column, width }) =>
      layoutBlocks(row[column]?.blocks ?? [], {
        style: { ...style, bold: style.bold || header },
        width: width - 2 * padding,
        alignment: alignments[column],
      }).filter((box, index) => !box.space || index > 0),
    );
    const slices = Math.max(1, ...cells.map(({ length }) => length));
    const sliced = Array.from({ length: slices }, (_, slice) => cells.map((cell) => cell[slice]));
    return rowBoxes(sliced, columns, padding, header, canvas);
  };
  const [first = [], ...others] = rows;
  const header = headed ? layoutRow(first, true) : [];
  const height = header.reduce((sum, box) => sum + box.height, 0);
  const repeat = height < MAX_REPEATED_HEIGHT ? header : [];
  const body = headed ? others : rows;
  for (const box of header) yield { ...box, keep: body.length > 0 };
  for (const [index, row] of body.entries()) {
    // The first line is below the header anyway.
    for (const [line, box] of layoutRow(row, false).entries())
      yield index + line === 0 ? box : { ...box, repeat };
  }
}

/** Returns one box for each line of a row, with borders. */
function rowBoxes(
  slices: readonly (readonly (Box | undefined)[])[],
  columns: readonly SizedColumn[],
  padding: number,
  shaded: boolean,
  canvas: PdfCanvas,
): Box[] {
  const total = columns.reduce((sum, { width }) => sum + width, 0);
  return slices.map((cells, index) => {
    const above = index === 0 ? padding : 0;
    const below = index === slices.length - 1 ? padding : 0;
    const content = cells.reduce((most, cell) => Math.max(most, cell?.height ?? 0), 0);
    const height = above + content + below;
    return {
      height,
      paint: (left, y) => {
        if (shaded) canvas.fill(left, y, total, height, COLORS.shade);
        let x = left;
        for (const [column, cell] of cells.entries()) {
          cell?.paint(x + padding, y + above);
          canvas.line(x, y, x, y + height, COLORS.line);
          x += columns[column]?.width ?? 0;
        }
        canvas.line(x, y, x, y + height, COLORS.line);
        if (above > 0) canvas.line(left, y, left + total, y, COLORS.line);
        if (below > 0) canvas.line(left, y + height, left + total, y + height, COLORS.line);
      },
    };
  });
}
