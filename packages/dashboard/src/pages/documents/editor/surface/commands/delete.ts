import type { Node, ResolvedPos } from 'prosemirror-model';
import { Selection, TextSelection, type Command, type Transaction } from 'prosemirror-state';
import { isCellSelection } from '../cells.js';
import { schema } from '../schema.js';
import { contentFor, leaveQuote, retype } from './blocks.js';
import { liftItems } from './lists.js';
import { caretOf, cellDepth, isCell, mergeListsAt, mergingLists } from './places.js';

const { nodes } = schema;

/** A node and the position before it. */
interface Found {
  node: Node;
  position: number;
}

/** Deletes the selection. Joins the blocks at its ends, if one can hold the text of both. */
export const deleteSelected: Command = mergingLists((state, dispatch) => {
  const { selection } = state;
  if (selection.empty) return false;
  if (isCellSelection(selection)) {
    const transaction = state.tr;
    for (const { $from, $to } of selection.ranges.toReversed()) {
      const isEmpty = $to.pos - $from.pos === 2;
      if (!isEmpty) transaction.replaceWith($from.pos, $to.pos, nodes.paragraph.create());
    }
    if (transaction.docChanged) dispatch?.(transaction);
    return true;
  }
  if (dispatch) {
    const transaction = state.tr;
    if (selection instanceof TextSelection && !selection.$from.sameParent(selection.$to))
      deleteAcross(transaction, selection.$from, selection.$to);
    else transaction.deleteSelection();
    dispatch(transaction.scrollIntoView());
  }
  return true;
});

function deleteAcross(transaction: Transaction, $from: ResolvedPos, $to: ResolvedPos): void {
  const first = $from.parent;
  const last = $to.parent;
  const rest = last.content.cut($to.parentOffset);
  const content = contentFor(rest, first.type);
  const hasRaw = first.type === nodes.raw_block || last.type === nodes.raw_block;
  if (!content || hasRaw || cellDepth($from) > 0 || cellDepth($to) > 0)
    deleteApart(transaction, $from.pos, $to.pos);
  else if (content.eq(rest)) transaction.deleteSelection();
  else {
    transaction.delete($to.pos, $to.end()).delete($from.pos, $to.pos).insert($from.pos, content);
    transaction.setSelection(TextSelection.create(transaction.doc, $from.pos));
  }
}

/** Deletes text and whole blocks between two positions. Keeps the blocks of both positions apart, and all table cells. */
function deleteApart(transaction: Transaction, from: number, to: number): void {
  const ranges: { from: number; to: number }[] = [];
  transaction.doc.nodesBetween(from, to, (node, position) => {
    const end = position + node.nodeSize;
    const isPart = node.type === nodes.table_row || isCell(node);
    const $position = transaction.doc.resolve(position);
    if (!isPart && cellDepth($position) === 0 && position >= from && end <= to) {
      ranges.push({ from: position, to: end });
      return false;
    }
    if (!node.isTextblock) return true;
    ranges.push({ from: Math.max(from, position + 1), to: Math.min(to, end - 1) });
    return false;
  });
  for (const range of ranges.toReversed()) transaction.delete(range.from, range.to);
  transaction.setSelection(TextSelection.create(transaction.doc, from));
}

/** At the start of a block: heading to paragraph, task to item, item and quote one level out, else joins upward. */
export const deleteAtStart: Command = (state, dispatch, view) => {
  const $caret = caretOf(state);
  if (!$caret || $caret.parentOffset > 0) return false;
  const block = { node: $caret.parent, position: $caret.before() };
  if (isCleared($caret)) {
    const transaction = state.tr;
    retype(transaction, [block], nodes.paragraph);
    dispatch?.(transaction.scrollIntoView());
    return true;
  }
  if ($caret.index(-1) > 0) return joinUp($caret, state.tr, dispatch);
  const container = $caret.node(-1);
  if (container.type === nodes.blockquote) return leaveQuote(state, dispatch, view);
  // Nothing is above the start of the document or of a table cell.
  if (container.type !== nodes.list_item) return true;
  if (container.attrs['checked'] === null) return liftItems(state, dispatch, view);
  dispatch?.(state.tr.setNodeMarkup($caret.before(-1), null, { checked: null }).scrollIntoView());
  return true;
};

/** Returns whether Backspace turns the block into a paragraph: a heading, empty code, or code that starts the document. */
function isCleared({ pos, parent: { type, content } }: ResolvedPos): boolean {
  if (type === nodes.heading) return true;
  return (
    type.spec.code === true && (content.size === 0 || (pos === 1 && type === nodes.code_block))
  );
}

type Dispatch = (transaction: Transaction) => void;

/** Joins the block of the caret with the text above it, or deletes a divider or an empty block there. */
function joinUp($caret: ResolvedPos, transaction: Transaction, dispatch?: Dispatch): boolean {
  const { parent } = $caret;
  const container = $caret.node(-1);
  const above = container.child($caret.index(-1) - 1);
  const start = $caret.before();
  const end = $caret.after();
  const isRemovable =
    above.type === nodes.horizontal_rule || (above.isTextblock && above.content.size === 0);
  if (isRemovable && (parent.type === nodes.paragraph || container.type !== nodes.list_item)) {
    dispatch?.(transaction.delete(start - above.nodeSize, start).scrollIntoView());
    return true;
  }
  const target = lastBlock(above, start - above.nodeSize);
  const content = target && joinable(target.node, parent);
  if (target && content) {
    const caret = target.position + target.node.nodeSize - 1;
    transaction.delete(start, end);
    mergeListsAt(transaction, start);
    transaction.insert(caret, content);
    transaction.setSelection(TextSelection.create(transaction.doc, caret));
  } else {
    if (parent.content.size === 0) transaction.delete(start, end);
    transaction.setSelection(Selection.near(transaction.doc.resolve(start), -1));
  }
  dispatch?.(transaction.scrollIntoView());
  return true;
}

/** Returns the content of `source` for the end of `target`, or undefined if they cannot be joined. */
function joinable(target: Node, source: Node) {
  if (target.type === nodes.raw_block || source.type === nodes.raw_block) return undefined;
  return contentFor(source.content, target.type);
}

/** Returns the last block with text in a node, or undefined if the node ends with a table or divider. */
function lastBlock(node: Node, position: number): Found | undefined {
  if (node.isTextblock) return { node, position };
  const { lastChild } = node;
  if (!lastChild || node.type === nodes.table) return undefined;
  return lastBlock(lastChild, position + node.nodeSize - 1 - lastChild.nodeSize);
}

/** Returns the node and the first nodes in it, down to a block with text, a table or a divider. */
function firstBlocks(node: Node, position: number): Found[] {
  const { firstChild } = node;
  const isEnd = node.isTextblock || !firstChild || node.type === nodes.table;
  return [{ node, position }, ...(isEnd ? [] : firstBlocks(firstChild, position + 1))];
}

/** At the end of a block: joins it with the text below, or deletes a divider or the block itself if it is empty. */
export const deleteAtEnd: Command = (state, dispatch) => {
  const $caret = caretOf(state);
  if (!$caret || $caret.parentOffset < $caret.parent.content.size) return false;
  let depth = $caret.depth - 1;
  while (depth >= 0 && $caret.indexAfter(depth) >= $caret.node(depth).childCount) {
    if (isCell($caret.node(depth))) return true;
    depth -= 1;
  }
  if (depth < 0) return true;
  joinDown($caret, depth, state.tr, dispatch);
  return true;
};

/** `depth` is that of the node that holds the block of the caret and the one below it. */
function joinDown(
  $caret: ResolvedPos,
  depth: number,
  transaction: Transaction,
  dispatch?: Dispatch,
): void {
  const cut = $caret.after(depth + 1);
  const below = $caret.node(depth).child($caret.index(depth) + 1);
  const path = firstBlocks(below, cut);
  const source = path.pop();
  const content =
    source?.node.isTextblock === true ? joinable($caret.parent, source.node) : undefined;
  if (below.type === nodes.horizontal_rule) transaction.delete(cut, cut + 1);
  else if (isEmptyBefore($caret, depth, below)) {
    transaction.delete($caret.before(), cut);
    transaction.setSelection(Selection.near(transaction.doc.resolve($caret.before()), 1));
  } else if (source && content) takeUp(transaction, $caret, path, source, content);
  else transaction.setSelection(Selection.near(transaction.doc.resolve(cut), 1));
  dispatch?.(transaction.scrollIntoView());
}

/** Returns whether the block of the caret is empty and can be deleted, so that the block below moves up. */
function isEmptyBefore($caret: ResolvedPos, depth: number, below: Node): boolean {
  if ($caret.parent.content.size > 0 || depth !== $caret.depth - 1) return false;
  const isFirstInItem = $caret.node(depth).type === nodes.list_item && $caret.index(depth) === 0;
  return !isFirstInItem || below.type === nodes.paragraph;
}

/** Moves text to the caret, and what else its item had below the caret's block. Removes emptied nodes of `path`. */
function takeUp(
  transaction: Transaction,
  $caret: ResolvedPos,
  path: readonly Found[],
  source: Found,
  content: NonNullable<ReturnType<typeof contentFor>>,
): void {
  const rest: Node[] = [];
  let removed = source;
  for (const outer of path.toReversed()) {
    if (outer.node.type === nodes.list_item) rest.push(...outer.node.children.slice(1));
    else if (outer.node.childCount > 1) break;
    removed = outer;
  }
  const { node, position } = removed;
  transaction.delete(position, position + node.nodeSize);
  mergeListsAt(transaction, position);
  const start = $caret.after();
  transaction.insert(start, rest);
  mergeListsAt(transaction, start + rest.reduce((size, { nodeSize }) => size + nodeSize, 0));
  mergeListsAt(transaction, start);
  transaction.insert($caret.pos, content);
  transaction.setSelection(TextSelection.create(transaction.doc, $caret.pos));
}
