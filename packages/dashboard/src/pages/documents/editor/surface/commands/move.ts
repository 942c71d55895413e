import { Fragment, type NodeRange } from 'prosemirror-model';
import { TextSelection, type Command, type EditorState } from 'prosemirror-state';
import { schema } from '../schema.js';
import { isList } from './places.js';

/** Returns the selected items, or blocks of the document or a quote. */
function selectedRange({ selection }: EditorState): NodeRange | null {
  const { $from, $to } = selection;
  return $from.blockRange(
    $to,
    (node) =>
      isList(node) || node.type === schema.nodes.doc || node.type === schema.nodes.blockquote,
  );
}

/** Moves the selected blocks or items over the one above or below. Stays in its list or quote. */
export const moveBlocks =
  (to: 'up' | 'down'): Command =>
  (state, dispatch) => {
    const range = selectedRange(state);
    if (!range) return false;
    const { parent, start, end, startIndex, endIndex } = range;
    const neighbor = parent.maybeChild(to === 'up' ? startIndex - 1 : endIndex);
    if (!neighbor) return true;
    const from = to === 'up' ? start - neighbor.nodeSize : end;
    const target = to === 'up' ? end : start;
    const transaction = state.tr;
    const size = neighbor.nodeSize;
    // Moving the neighbor keeps the selection in place.
    if (to === 'up') transaction.insert(target, neighbor).delete(from, from + size);
    else transaction.delete(from, from + size).insert(target, neighbor);
    dispatch?.(transaction.scrollIntoView());
    return true;
  };

/** Copies the selected blocks or items. The selection stays in the upper or lower copy. */
export const copyBlocks =
  (to: 'up' | 'down'): Command =>
  (state, dispatch) => {
    const range = selectedRange(state);
    if (!range) return false;
    const { parent, start, end, startIndex, endIndex } = range;
    const copies = parent.children
      .slice(startIndex, endIndex)
      .map((node) => node.copy(node.content));
    const transaction = state.tr.insert(to === 'up' ? end : start, Fragment.fromArray(copies));
    dispatch?.(transaction.scrollIntoView());
    return true;
  };

/** Adds a paragraph below a table or code that ends the document, if the caret is at its end. */
export const leaveBelow =
  (key: 'ArrowDown' | 'ArrowRight'): Command =>
  (state, dispatch, view) => {
    const { nodes } = schema;
    const { $head, empty } = state.selection;
    if (!empty || !$head.parent.isTextblock) return false;
    let isInside = $head.parent.type.spec.code === true;
    for (let depth = 0; depth < $head.depth; depth += 1) {
      const isInRow = $head.node(depth).type === nodes.table_row;
      if (isInRow) isInside = true;
      // On ArrowDown, all cells of the last row count.
      const isLast = $head.index(depth) === $head.node(depth).childCount - 1;
      if (!isLast && !(isInRow && key === 'ArrowDown')) return false;
    }
    if (!isInside) return false;
    const isAtEnd = $head.parentOffset === $head.parent.content.size;
    if (key === 'ArrowRight' && !isAtEnd) return false;
    if (view && !view.endOfTextblock(key === 'ArrowRight' ? 'right' : 'down', state)) return false;
    const end = state.doc.content.size;
    const transaction = state.tr.insert(end, nodes.paragraph.create());
    const $end = transaction.doc.resolve(end + 1);
    dispatch?.(transaction.setSelection(new TextSelection($end)).scrollIntoView());
    return true;
  };
