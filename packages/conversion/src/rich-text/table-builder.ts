import type { Alignment, Block, Table, TableCell } from './rich-text.js';

/** Columns and rows that a cell spans. */
export interface CellSpan {
  columns: number;
  rows: number;
}

/** The old limit of spreadsheets. Text of further cells is added to the last one. */
const MAX_COLUMNS = 256;
/** Maximum number of empty cells that one cell can create. */
const MAX_SPANNED_COLUMNS = 64;
const MAX_SPANNED_ROWS = 200;

/** Builds a table. A spanning cell leaves the other fields empty, so columns stay aligned. */
export class TableBuilder {
  private readonly rows: TableCell[][] = [];
  private readonly alignments: Alignment[] = [];
  /** Number of rows still covered from above, by column. */
  private readonly covered: number[] = [];
  private headerCells = 0;
  private headRows = 0;

  openRow(inHead: boolean): void {
    this.fillCovered();
    this.rows.push([]);
    if (inHead && this.headRows === this.rows.length - 1) this.headRows += 1;
  }

  /** Opens a cell and returns the list for its blocks. */
  openCell(header: boolean, alignment: Alignment, span: CellSpan): Block[] {
    if (this.rows.length === 0) this.openRow(false);
    this.fillCovered();
    const row = this.rows.at(-1) ?? [];
    const column = row.length;
    if (this.rows.length === 1 && header) this.headerCells += 1;
    // Beyond the last column, text is added to the last cell.
    const last = row[MAX_COLUMNS - 1];
    if (last) return last.blocks;
    if (this.rows.length === 1 || this.alignments[column] === undefined) {
      this.alignments[column] = alignment;
    }
    const columns = clamp(span.columns, Math.min(MAX_SPANNED_COLUMNS, MAX_COLUMNS - column));
    for (let index = 0; index < columns; index += 1) {
      row.push({ blocks: [] });
      this.covered[column + index] = clamp(span.rows, MAX_SPANNED_ROWS) - 1;
    }
    return row[column]?.blocks ?? [];
  }

  /** Returns `undefined` for a table without cells. */
  build(): Table | undefined {
    const width = this.rows.reduce((most, row) => Math.max(most, row.length), 0);
    const rows = this.rows.filter((row) => row.length > 0);
    if (width === 0) return undefined;
    for (const row of rows) while (row.length < width) row.push({ blocks: [] });
    return {
      kind: 'table',
      headed: this.headRows > 0 || this.headerCells > 1,
      alignments: Array.from({ length: width }, (_, column) => this.alignments[column]),
      rows,
    };
  }

  private fillCovered(): void {
    const row = this.rows.at(-1);
    if (!row) return;
    for (let rest = this.covered[row.length]; rest; rest = this.covered[row.length]) {
      this.covered[row.length] = rest - 1;
      row.push({ blocks: [] });
    }
  }
}

function clamp(value: number, max: number): number {
  return Math.max(1, Math.min(max, Number.isInteger(value) ? value : 1));
}
