import { keymap } from 'prosemirror-keymap';
import type { Node } from 'prosemirror-model';
import { Plugin, TextSelection, type Command, type Transaction } from 'prosemirror-state';
import {
  addColumnAfter,
  addColumnBefore,
  addRow,
  addRowAfter,
  addRowBefore,
  deleteColumn as deleteColumns,
  deleteRow as deleteRows,
  deleteTable,
  isInTable,
  selectedRect,
  tableEditing,
} from 'prosemirror-tables';
import { leaveBelow } from './commands/move.js';
import { fixingPlugin } from './fixes.js';
import { schema, type Alignment } from './schema.js';

const { nodes } = schema;

export { addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, deleteTable };

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

/** Removes the selected rows, or the table if all its rows are selected. */
export const deleteRow: Command = (state, dispatch) => {
  if (!isInTable(state)) return false;
  const { top, bottom, map } = selectedRect(state);
  return top === 0 && bottom === map.height
    ? deleteTable(state, dispatch)
    : deleteRows(state, dispatch);
};

/** Removes the selected columns, or the table if all its columns are selected. */
export const deleteColumn: Command = (state, dispatch) => {
  if (!isInTable(state)) return false;
  const { left, right, map } = selectedRect(state);
  return left === 0 && right === map.width
    ? deleteTable(state, dispatch)
    : deleteColumns(state, dispatch);
};

/** Aligns the selected columns. */
export const setAlignment =
  (align: Alignment): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false;
    if (dispatch) {
      const { left, right, map, table, tableStart } = selectedRect(state);
      const transaction = state.tr;
      for (const offset of map.cellsInRect({ left, right, top: 0, bottom: map.height }))
        transaction.setNodeMarkup(tableStart + offset, null, {
          ...table.nodeAt(offset)?.attrs,
          align,
        });
      dispatch(transaction);
    }
    return true;
  };

/** Moves the caret by rows or cells. Below or after the last cell, adds a row. Stops before the first cell. */
export const moveToCell =
  (to: 'next' | 'previous' | 'below'): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false;
    const { map, tableStart, top, left, bottom, right } = selectedRect(state);
    const [row, column] = { next: nextOf, previous: previousOf, below: belowOf }[to]();
    if (row < 0) return true;
    if (dispatch) {
      const transaction = state.tr;
      if (row >= map.height) addRow(transaction, selectedRect(state), map.height);
      dispatch(caretInCell(transaction, tableStart, row, column));
    }
    return true;

    function nextOf(): [number, number] {
      return right < map.width ? [bottom - 1, right] : [bottom, 0];
    }
    function previousOf(): [number, number] {
      return left > 0 ? [top, left - 1] : [top - 1, map.width - 1];
    }
    function belowOf(): [number, number] {
      return [bottom, left];
    }
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

/**
 * Selection of cells, and tables as Markdown can write them: the first row has header cells, and a column has one
 * alignment. The arrows that leave a table come before those that move in it.
 */
export function tablePlugins(): Plugin[] {
  const arrows = keymap({
    ArrowDown: leaveBelow('ArrowDown'),
    ArrowRight: leaveBelow('ArrowRight'),
  });
  return [arrows, tableEditing(), fixingPlugin(nodes.table, makePlain)];
}

function makePlain(transaction: Transaction, table: Node, position: number): void {
  const alignments: Alignment[] = [];
  table.forEach((row) => {
    row.forEach((cell, _, column) => {
      alignments[column] ??= cell.attrs['align'] as Alignment;
    });
  });
  table.forEach((row, rowOffset, rowIndex) => {
    const type = rowIndex === 0 ? nodes.table_header : nodes.table_cell;
    row.forEach((cell, offset, column) => {
      const align = alignments[column] ?? null;
      if (cell.type !== type || cell.attrs['align'] !== align)
        transaction.setNodeMarkup(position + 2 + rowOffset + offset, type, { align });
    });
  });
}
