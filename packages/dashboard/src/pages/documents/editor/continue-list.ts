import type { EditorState, Line, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { indentItems } from './live/format.js';

/** Marks of list items and quotes at the start of a line, and the text after them. */
const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})([.)])|(>))(\s+)(\[[ xX]\]\s+)?(.*)$/;

/** Enter in a list starts the next item. Enter in an empty item moves it out one level, and ends an outermost list. */
export function continueList(view: EditorView): boolean {
  const change = nextItem(view.state);
  if (!change) return false;
  view.dispatch(view.state.update(change, { scrollIntoView: true, userEvent: 'input' }));
  return true;
}

/** Returns what Enter does at the cursor; undefined for a normal line break. */
export function nextItem(state: EditorState): TransactionSpec | undefined {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const [, indent = '', bullet, number, dot = '', quote, space = '', task, rest = ''] =
    ITEM.exec(line.text) ?? [];
  const mark = bullet ?? quote ?? (number === undefined ? undefined : `${number}${dot}`);
  const start = line.to - rest.length;
  if (mark === undefined || !main.empty || main.head < start) return undefined;
  if (rest.trim() === '') return endOf(line, indent, state);
  const next = number === undefined ? mark : `${String(Number(number) + 1)}${dot}`;
  const insert = `\n${indent}${next}${space}${task === undefined ? '' : '[ ] '}`;
  return {
    changes: { from: main.head, insert },
    selection: { anchor: main.head + insert.length },
  };
}

/** Moves an empty item out one level, or removes its mark at the outermost level. */
function endOf({ from, to }: Line, indent: string, state: EditorState): TransactionSpec {
  const change = indent === '' ? undefined : indentItems(state, 'out');
  const isMoved = change?.changes instanceof Array && change.changes.length > 0;
  return isMoved ? change : { changes: { from, to } };
}
