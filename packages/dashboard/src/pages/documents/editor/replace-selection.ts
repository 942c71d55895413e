import type { EditorView } from '@codemirror/view';

/**
 * Replaces the selection with typed text. The browser itself would join lines and add style attributes, which violate the
 * content policy.
 */
export function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event;
  if (inputType !== 'insertText' || isComposing || data === null || view.state.readOnly)
    return false;
  const { from, to } = selectedRange(view);
  if (from === to && !data.includes('\n')) return false;
  event.preventDefault();
  const insert = view.state.toText(data);
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: 'input.type',
  });
  return true;
}

/** Returns the browser's selection, which the editor reads later. */
export function selectedRange(view: EditorView): { from: number; to: number } {
  // Chromium reports a selection in a shadow root with this method of the root.
  const root = view.root as { getSelection?: () => Selection | null };
  const { anchorNode, focusNode, anchorOffset, focusOffset } = root.getSelection?.() ?? {};
  if (!anchorNode || !focusNode || !view.contentDOM.contains(anchorNode)) {
    return view.state.selection.main;
  }
  const anchor = view.posAtDOM(anchorNode, anchorOffset);
  const head = view.posAtDOM(focusNode, focusOffset);
  return { from: Math.min(anchor, head), to: Math.max(anchor, head) };
}
