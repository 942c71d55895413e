import type { Node } from 'prosemirror-model';
import { TextSelection, type Command, type Selection, type Transaction } from 'prosemirror-state';
import { cellDepth } from './commands/places.js';
import { schema } from './schema.js';

const { nodes } = schema;

/** True for a selection of cells. The class is in prosemirror-tables, which is loaded with the tools. */
export const isCellSelection = (selection: Selection): boolean => '$anchorCell' in selection;

/** Returns a table with empty cells. `rows` counts the header row. */
export function newTable(rows: number, columns: number, header: readonly Node[] = []): Node {
  const rowOf = (row: number) =>
    nodes.table_row.create(
      null,
      Array.from({ length: Math.max(1, columns) }, (_, column) =>
        row === 0
          ? nodes.table_header.create(null, header[column] ?? nodes.paragraph.create())
          : nodes.table_cell.create(null, nodes.paragraph.create()),
      ),
    );
  return nodes.table.create(
    null,
    Array.from({ length: Math.max(1, rows) }, (_, row) => rowOf(row)),
  );
}

/** Where the selected cells are: their table, and the first and last row and column, from 0. */
function selectedCells({ ranges }: Selection) {
  const cells = ranges.map(({ $from }) => {
    const depth = cellDepth($from);
    return { $from, depth, row: $from.index(depth - 2), column: $from.index(depth - 1) };
  });
  const [first] = cells;
  if (!first || cells.some(({ depth }) => depth === 0)) return undefined;
  const rows = cells.map(({ row }) => row);
  const columns = cells.map(({ column }) => column);
  return {
    table: first.$from.node(first.depth - 2),
    tableStart: first.$from.start(first.depth - 2),
    top: Math.min(...rows),
    bottom: Math.max(...rows),
    left: Math.min(...columns),
    right: Math.max(...columns),
  };
}

/** Moves the caret by rows or cells. Below or after the last cell, adds a row. Stops before the first cell. */
export const moveToCell =
  (to: 'next' | 'previous' | 'below'): Command =>
  ({ selection, tr }, dispatch) => {
    const cells = selectedCells(selection);
    if (!cells) return false;
    const { table, tableStart, top, bottom, left, right } = cells;
    const width = table.firstChild?.childCount ?? 0;
    const [row, column] = {
      next: right + 1 < width ? [bottom, right + 1] : [bottom + 1, 0],
      previous: left > 0 ? [top, left - 1] : [top - 1, width - 1],
      below: [bottom + 1, left],
    }[to] as [number, number];
    if (row < 0 || !dispatch) return true;
    if (row >= table.childCount) {
      const fresh = Array.from({ length: width }, (_, index) => {
        const align: unknown = table.lastChild?.maybeChild(index)?.attrs['align'] ?? null;
        return nodes.table_cell.create({ align }, nodes.paragraph.create());
      });
      tr.insert(tableStart + table.content.size, nodes.table_row.create(null, fresh));
    }
    dispatch(caretInCell(tr, tableStart, row, column));
    return true;
  };

/** Puts the caret at the end of a cell. */
function caretInCell(
  transaction: Transaction,
  tableStart: number,
  row: number,
  column: number,
): Transaction {
  const table = transaction.doc.nodeAt(tableStart - 1);
  let position = tableStart;
  for (let index = 0; index < row; index += 1) position += table?.child(index).nodeSize ?? 0;
  const cells = table?.child(row);
  position += 1;
  for (let index = 0; index <= column; index += 1) position += cells?.child(index).nodeSize ?? 0;
  return transaction
    .setSelection(TextSelection.create(transaction.doc, position - 2))
    .scrollIntoView();
}
