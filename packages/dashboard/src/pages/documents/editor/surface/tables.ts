import { keymap } from 'prosemirror-keymap';
import type { Node } from 'prosemirror-model';
import { Plugin, type Command, type Transaction } from 'prosemirror-state';
import {
  addColumnAfter,
  addColumnBefore,
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
