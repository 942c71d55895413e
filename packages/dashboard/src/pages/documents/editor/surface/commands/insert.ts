import type { Node, ResolvedPos } from 'prosemirror-model';
import { Selection, TextSelection, type Command, type Transaction } from 'prosemirror-state';
import { schema } from '../schema.js';
import { newTable } from '../cells.js';
import { caretAt } from './blocks.js';
import { cellDepth, depthOf } from './places.js';

const { nodes } = schema;

/** Inserts a table with a header row and the caret in its first cell. `rows` counts the header. */
export const insertTable = (rows: number, columns: number): Command =>
  insertBlock(() => newTable(rows, columns), 'in');

export const insertCodeBlock: Command = insertBlock(() => nodes.code_block.create(), 'in');

/** Inserts a divider and a new paragraph with the caret. In an item, it goes below the whole list. */
export const insertRule: Command = insertBlock(() => nodes.horizontal_rule.create(), 'below');

/** Inserts a block in place of an empty paragraph, or else below the selected block. */
function insertBlock(create: () => Node, caret: 'in' | 'below'): Command {
  return (state, dispatch) => {
    const { $to } = state.selection;
    if (cellDepth($to) > 0 || depthOf($to, ({ type }) => type === nodes.table_row) > 0)
      return false;
    if (dispatch) {
      const transaction = state.tr;
      const { from, to } = placeOf($to, caret === 'below');
      transaction.replaceWith(
        from,
        to,
        caret === 'below' ? [create(), nodes.paragraph.create()] : create(),
      );
      const selection =
        caret === 'below'
          ? TextSelection.create(transaction.doc, from + 2)
          : Selection.near(transaction.doc.resolve(from + 1));
      dispatch(transaction.setSelection(selection).scrollIntoView());
    }
    return true;
  };
}

/** Returns the empty paragraph to replace, or the place below the block. */
function placeOf($to: ResolvedPos, isOutsideLists: boolean): { from: number; to: number } {
  const { parent, depth } = $to;
  if (!parent.isTextblock) {
    const position = $to.pos;
    return { from: position, to: position };
  }
  const container = $to.node(depth - 1);
  const isInItem = container.type === nodes.list_item;
  const isReplaced = parent.type === nodes.paragraph && parent.content.size === 0 && !isInItem;
  if (isReplaced) return { from: $to.before(), to: $to.after() };
  const outside = isOutsideLists ? outermost($to) : depth;
  return { from: $to.after(outside), to: $to.after(outside) };
}

/** Returns the depth of the outermost list that no quote separates from the position, or of the block itself. */
function outermost($position: ResolvedPos): number {
  let found = $position.depth;
  for (let depth = found - 1; depth > 0; depth -= 1) {
    const { type } = $position.node(depth);
    if (type === nodes.blockquote) break;
    if (type !== nodes.list_item) found = depth;
  }
  return found;
}

/** Inserts an image after the selection. */
export const insertImage =
  ({ src, alt }: { src: string; alt: string }): Command =>
  (state, dispatch) => {
    const { $to, to } = state.selection;
    const image = nodes.image.create({ src, alt });
    if ($to.parent.inlineContent) {
      const index = $to.index();
      if (!$to.parent.canReplaceWith(index, index, nodes.image)) return false;
      dispatch?.(afterImage(state.tr.insert(to, image), to));
      return true;
    }
    if (depthOf($to, ({ type }) => type === nodes.table) > 0) return false;
    dispatch?.(afterImage(state.tr.insert(to, nodes.paragraph.create(null, image)), to + 1));
    return true;
  };

const afterImage = (transaction: Transaction, position: number): Transaction =>
  caretAt(transaction, position + 1);
