import type { EditorView } from 'prosemirror-view';

/**
 * Reads where a key has just moved the caret. The browser reports that some ms later, and ProseMirror moves the caret back if
 * it changes the page before.
 */
export function readCaret({ composing }: EditorView): void {
  if (!composing) document.dispatchEvent(new Event('selectionchange'));
}
