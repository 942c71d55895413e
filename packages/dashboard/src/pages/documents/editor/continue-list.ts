import type { EditorState, Line, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { indentItems } from './live/format.js';

/** The mark of a list item or a quote at the beginning of a line, and what follows it. */
const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})([.)])|(>))(\s+)(\[[ xX]\]\s+)?(.*)$/;

/** Enter within a list begins the next item. An empty item moves out one level, and ends an outermost list. */
export function continueList(view: EditorView): boolean {
  const change = nextItem(view.state);
  if (!change) return false;
  view.dispatch(view.state.update(change, { scrollIntoView: true, userEvent: 'input' }));
  return true;
}

/** What Enter does at the cursor; undefined where it does nothing special. */
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

/** Moves an empty item out one level. Removes its mark if it is in no other item. */
function endOf({ from, to }: Line, indent: string, state: EditorState): TransactionSpec {
  const change = indent === '' ? undefined : indentItems(state, 'out');
  const isMoved = change?.changes instanceof Array && change.changes.length > 0;
  return isMoved ? change : { changes: { from, to } };
}
