import type { Node, ResolvedPos } from 'prosemirror-model';
import { EditorState, TextSelection, type Command, type Transaction } from 'prosemirror-state';
import { autoJoin } from 'prosemirror-commands';
import { schema } from '../schema.js';

const { nodes } = schema;

/** A block with text, and the position before it. */
export interface TextBlock {
  node: Node;
  position: number;
}

export const isList = ({ type }: Node): boolean =>
  type === nodes.bullet_list || type === nodes.ordered_list;
export const isCell = ({ type }: Node): boolean =>
  type === nodes.table_cell || type === nodes.table_header;

/** Returns the depth of the nearest node for which `test` is true, or 0. */
export function depthOf($position: ResolvedPos, test: (node: Node) => boolean): number {
  for (let depth = $position.depth; depth > 0; depth -= 1)
    if (test($position.node(depth))) return depth;
  return 0;
}

/** Returns the depth of the item that holds the block of the position, or 0. A quote or table in an item hides it. */
export function itemDepth($position: ResolvedPos): number {
  const depth = depthOf(
    $position,
    (node) => node.type === nodes.list_item || node.type === nodes.blockquote || isCell(node),
  );
  return depth > 0 && $position.node(depth).type === nodes.list_item ? depth : 0;
}

export const cellDepth = ($position: ResolvedPos): number => depthOf($position, isCell);

/** Returns the position of the caret, or null if something is selected. */
export const caretOf = ({ selection }: EditorState): ResolvedPos | null =>
  selection instanceof TextSelection ? selection.$cursor : null;

/** Returns the blocks with text that the selection touches, in document order. */
export function selectedBlocks({ doc, selection }: EditorState): TextBlock[] {
  const found: TextBlock[] = [];
  const { ranges } = selection;
  for (const { $from, $to } of ranges)
    doc.nodesBetween($from.pos, $to.pos, (node, position) => {
      if (node.isTextblock) found.push({ node, position });
      return !node.isTextblock;
    });
  return found.toSorted((a, b) => a.position - b.position);
}

/** Returns a command that also merges lists of the same type if its change makes them neighbors. */
export const mergingLists = (command: Command): Command =>
  autoJoin(command, (before, after) => before.type === after.type && isList(before));

/** Merges the lists around a position, if they are of the same type. Returns whether it did. */
export function mergeListsAt(transaction: Transaction, position: number): boolean {
  const { nodeBefore, nodeAfter } = transaction.doc.resolve(position);
  if (!nodeBefore || !nodeAfter || !isList(nodeBefore) || nodeBefore.type !== nodeAfter.type)
    return false;
  transaction.join(position);
  return true;
}

/** Adds the steps of a command, which starts with the document and selection of the transaction. */
export function runAfter(transaction: Transaction, command: Command): boolean {
  const { doc, selection } = transaction;
  return command(EditorState.create({ doc, selection }), (next) => {
    for (const step of next.steps) transaction.step(step);
    transaction.setSelection(next.selection.getBookmark().resolve(transaction.doc));
    if (next.storedMarks) transaction.setStoredMarks(next.storedMarks);
  });
}
