import { closeHistory } from 'prosemirror-history';
import { EditorState, Selection, type Command, type Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';

interface Range {
  from: number;
  to: number;
}

/** Returns a state without plugins in which a range is deleted. */
export function stateWithout(state: EditorState, { from, to }: Range): EditorState {
  const { doc, selection } = state.tr.delete(from, to);
  return EditorState.create({ doc, selection });
}

/**
 * Returns a transaction that deletes a range and runs a command there, as one undo step. Returns undefined if the
 * command does not apply.
 */
export function deleteAndRun(
  state: EditorState,
  range: Range,
  command: Command,
): Transaction | undefined {
  const transaction = closeHistory(state.tr.delete(range.from, range.to));
  const applies = command(stateWithout(state, range), (after) => {
    for (const step of after.steps) transaction.step(step);
    transaction.setSelection(Selection.fromJSON(transaction.doc, after.selection.toJSON()));
    if (after.storedMarksSet) transaction.setStoredMarks(after.storedMarks);
  });
  return applies ? transaction.scrollIntoView() : undefined;
}

/** Runs a command as its own undo step, and returns to the text. */
export function run(view: EditorView, command: Command): void {
  command(
    view.state,
    (transaction) => {
      view.dispatch(closeHistory(transaction));
    },
    view,
  );
  view.focus();
}
