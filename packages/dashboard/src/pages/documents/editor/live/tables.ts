import { EditorSelection, EditorState, Prec, type Extension } from '@codemirror/state';
import { EditorView, keymap, type Command } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { selectedRange } from '../replace-selection.js';
import type { Construct, LivePage } from './page.js';
import { cellAt, tableOf, type Cell, type Place, type TableRow } from './table-model.js';

/** Shows the text between pipes as cells. The rest is hidden, and the caret skips it. */
function table(node: SyntaxNode, page: LivePage): void {
  const found = tableOf(page.state, node);
  if (!found) {
    for (const line of page.lines(node)) page.line(line, 'cm-code-line');
    return;
  }
  const { rows, delimiter, alignments } = found;
  // Shows the line of dashes while it is edited.
  if (page.isTouched(delimiter)) page.line(delimiter, 'cm-fence');
  else {
    page.line(delimiter, 'cm-delimiter');
    page.hide(delimiter);
  }
  let last: number | undefined = found.from === 0 ? undefined : found.from - 1;
  rows.forEach((row, index) => {
    page.line(row, index === 0 ? 'cm-row cm-row-head' : 'cm-row');
    row.cells.forEach((cell, column) => {
      const alignment = alignments[column] ?? 'left';
      // Inclusive, so that hidden text is inside the cell. Outside, it would be a separate column.
      page.wrap(cell, { class: `cm-cell cm-cell-${alignment}`, inclusive: true });
      const shown = hideAround(cell, page);
      if (last !== undefined) page.skip({ from: last, to: shown.from });
      last = shown.to;
    });
  });
  page.skip({ from: last ?? found.to, to: Math.min(found.to + 1, page.state.doc.length) });
}

/** Hides the pipe and spaces of a cell, except spaces before the caret, which were just typed. */
function hideAround(cell: Cell, page: LivePage): { from: number; to: number } {
  const caret = page.caretIn({ from: cell.inside, to: cell.end });
  const from = Math.min(cell.text.from, caret ?? cell.text.from);
  const to = Math.max(cell.text.to, caret ?? cell.text.to);
  page.hide({ from: cell.from, to: from });
  page.hide({ from: to, to: cell.to });
  return { from, to };
}

export const tables: Construct = { Table: table };

function goTo(view: EditorView, { text }: Cell): true {
  view.dispatch({
    selection: { anchor: text.to },
    scrollIntoView: true,
    userEvent: 'select',
  });
  return true;
}

/** Makes a command for the caret in a cell. */
function inCell(run: (view: EditorView, place: Place, head: number) => boolean): Command {
  return (view) => {
    const { main, ranges } = view.state.selection;
    const place = ranges.length === 1 ? cellAt(view.state, main.head) : undefined;
    return place ? run(view, place, main.head) : false;
  };
}

/** Adds a row below the last one, and goes to its first cell. */
function addRow(view: EditorView, { table: { to, rows } }: Place, column = 0): boolean {
  if (view.state.readOnly) return false;
  const count = rows[0]?.cells.length ?? 1;
  view.dispatch({
    changes: { from: to, insert: `\n|${'  |'.repeat(count)}` },
    selection: { anchor: to + 3 + 3 * Math.min(column, count - 1) },
    scrollIntoView: true,
    userEvent: 'input',
  });
  return true;
}

const nextCell = inCell((view, place) => {
  const cells = place.table.rows.flatMap((row) => row.cells);
  const next = cells[cells.indexOf(place.cell) + 1];
  return next ? goTo(view, next) : addRow(view, place);
});

const previousCell = inCell((view, { table: { rows }, cell }) => {
  const cells = rows.flatMap((row) => row.cells);
  const previous = cells[cells.indexOf(cell) - 1];
  return previous ? goTo(view, previous) : true;
});

/** Moves down the column. In the last row, adds a row, or removes the row and leaves the table if it is empty. */
const downOrNewRow = inCell((view, place) => {
  const { table: found, row, column } = place;
  const below = found.rows[row + 1]?.cells;
  if (below) return goTo(view, below[Math.min(column, below.length - 1)] ?? place.cell);
  const current = found.rows[row];
  if (row === 0 || !current || !isEmpty(view.state, current)) return addRow(view, place, column);
  // A table ends at a blank line.
  const insert = current.to < view.state.doc.length ? '' : '\n';
  view.dispatch({
    changes: { from: current.from, to: current.to, insert },
    selection: { anchor: current.from + insert.length },
    scrollIntoView: true,
    userEvent: 'delete',
  });
  return true;
});

function isEmpty(state: EditorState, { cells }: TableRow): boolean {
  return cells.every(({ inside, end }) => state.sliceDoc(inside, end).trim() === '');
}

/** Moves up or down in a cell, and from its first or last line to the next cell of the column. */
function vertically(forward: boolean): Command {
  return inCell((view, { table: found, row, column, cell }) => {
    const { main } = view.state.selection;
    const moved = view.moveVertically(EditorSelection.cursor(main.head), forward).head;
    if (moved !== main.head && cell.inside <= moved && moved <= cell.end) return false;
    const cells = found.rows[row + (forward ? 1 : -1)]?.cells;
    if (cells) return goTo(view, cells[Math.min(column, cells.length - 1)] ?? cell);
    const outside = forward ? found.to + 1 : found.from - 1;
    if (outside < 0 || outside > view.state.doc.length) return true;
    view.dispatch({ selection: { anchor: outside }, scrollIntoView: true, userEvent: 'select' });
    return true;
  });
}

function toEdge(edge: 'from' | 'to'): Command {
  return inCell((view, { cell }) => {
    view.dispatch({ selection: { anchor: cell.text[edge] }, userEvent: 'select' });
    return true;
  });
}

/** Deletes text in the selected cells. Pipes stay, because the table needs them. */
function deleteInCells(forward: boolean): Command {
  return inCell((view, place, head) => {
    const { main } = view.state.selection;
    if (view.state.readOnly) return false;
    if (main.empty) {
      const { text } = place.cell;
      return forward ? head >= text.to && head <= place.cell.end : head <= text.from;
    }
    const parts = partsOf(place, main);
    if (!parts) return false;
    view.dispatch({
      changes: parts,
      selection: { anchor: parts[0]?.from ?? main.from },
      userEvent: 'delete.selection',
    });
    return true;
  });
}

/** Returns the selected text of each cell, or undefined if the selection is in one cell or leaves the table. */
function partsOf({ table: { rows, from, to } }: Place, range: { from: number; to: number }) {
  if (range.from < from || range.to > to) return undefined;
  const cells = rows.flatMap((row) => row.cells);
  const parts = cells
    .filter((cell) => cell.inside <= range.to && cell.end >= range.from)
    .map(({ text }) => ({
      from: Math.max(text.from, Math.min(range.from, text.to)),
      to: Math.min(text.to, Math.max(range.to, text.from)),
    }));
  return parts.length > 1 ? parts : undefined;
}

const keys = [
  { key: 'Tab', run: nextCell, shift: previousCell },
  { key: 'Enter', run: downOrNewRow },
  { key: 'ArrowDown', run: vertically(true) },
  { key: 'ArrowUp', run: vertically(false) },
  { key: 'Home', run: toEdge('from') },
  { key: 'End', run: toEdge('to') },
  { key: 'Backspace', run: deleteInCells(false), shift: deleteInCells(false) },
  { key: 'Delete', run: deleteInCells(true) },
  { key: 'Mod-Backspace', mac: 'Alt-Backspace', run: deleteInCells(false) },
  { key: 'Mod-Delete', mac: 'Alt-Delete', run: deleteInCells(true) },
];

/** Returns text for a cell, without the line breaks and pipes that would end it. */
export function cellText(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, ' ').replaceAll(/(?<!\\)\|/g, String.raw`\|`);
}

/** Types into the selected cells: replaces the text in the first one and empties the others. */
function typeInCells(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event;
  if (inputType !== 'insertText' || isComposing || data === null || view.state.readOnly)
    return false;
  const range = selectedRange(view);
  const place = cellAt(view.state, range.from);
  const parts = place && partsOf(place, range);
  const text = cellText(data);
  if (!place || (!parts && (text === data || range.to > place.cell.end))) return false;
  event.preventDefault();
  const [first = range, ...others] = parts ?? [];
  view.dispatch({
    changes: [{ from: first.from, to: first.to, insert: text }, ...others],
    selection: { anchor: first.from + text.length },
    userEvent: 'input.type',
  });
  return true;
}

const pasteInCell = EditorView.clipboardInputFilter.of((text, state) =>
  cellAt(state, state.selection.main.head) ? cellText(text) : text,
);

/** Moves the caret into the text of a cell when a click or key puts it next to the text. */
const selectInCell = EditorState.transactionFilter.of((transaction) => {
  const { selection, docChanged, startState } = transaction;
  if (!selection?.main.empty || docChanged || !transaction.isUserEvent('select')) {
    return transaction;
  }
  const { head } = selection.main;
  const text = cellAt(startState, head)?.cell.text;
  if (!text || (text.from <= head && head <= text.to)) return transaction;
  return [transaction, { selection: { anchor: head < text.from ? text.from : text.to } }];
});

export const tableBehavior: Extension = [
  Prec.high(keymap.of(keys)),
  Prec.high(EditorView.domEventHandlers({ beforeinput: typeInCells })),
  pasteInCell,
  selectInCell,
];
