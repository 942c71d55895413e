import type { Node } from 'prosemirror-model';
import { liftListItem, sinkListItem } from 'prosemirror-schema-list';
import {
  TextSelection,
  type Command,
  type EditorState,
  type Plugin,
  type Transaction,
} from 'prosemirror-state';
import { fixingPlugin } from '../fixes.js';
import { schema } from '../schema.js';
import {
  cellDepth,
  isList,
  itemDepth,
  mergeListsAt,
  mergingLists,
  runAfter,
  selectedBlocks,
} from './places.js';

const { nodes } = schema;

type ListKind = 'bullet_list' | 'ordered_list' | 'task_list';

/** An item and its list, with the positions before them. */
interface Item {
  node: Node;
  position: number;
  list: Node;
  listPosition: number;
}

/** Moves the selected items one level into the item above. */
export const sinkItems: Command = sinkListItem(nodes.list_item);

const liftOne: Command = mergingLists(liftListItem(nodes.list_item));

/** Moves the selected items one level out: to the outer list, or out of an outermost list. */
export const liftItems: Command = (state, dispatch) => {
  if (liftOne(state, dispatch)) return true;
  // The selection reaches over several lists.
  const { $from, $to, from, to } = state.selection;
  const transaction = state.tr;
  const range = $from.blockRange($to);
  if (!range) return false;
  const bookmark = transaction.selection.getBookmark();
  let position = range.end;
  for (let index = range.endIndex - 1; index >= range.startIndex; index -= 1) {
    const list = range.parent.child(index);
    position -= list.nodeSize;
    if (!isList(list)) continue;
    const start = transaction.doc.resolve(Math.max(from, position + 1));
    const end = transaction.doc.resolve(Math.min(to, position + list.nodeSize - 1));
    transaction.setSelection(TextSelection.between(start, end));
    runAfter(transaction, liftOne);
  }
  if (!transaction.docChanged) return false;
  transaction.setSelection(bookmark.map(transaction.mapping).resolve(transaction.doc));
  dispatch?.(transaction.scrollIntoView());
  return true;
};

export const toggleBulletList: Command = toggleList('bullet_list');
export const toggleOrderedList: Command = toggleList('ordered_list');
export const toggleTaskList: Command = toggleList('task_list');

/** Turns paragraphs and headings into items, changes the kind of items, or takes items of the kind out of the list. */
function toggleList(kind: ListKind): Command {
  return (state, dispatch) => {
    const blocks = selectedBlocks(state).filter(
      ({ position }) => cellDepth(state.doc.resolve(position)) === 0,
    );
    if (blocks.length === 0) return false;
    const items = blocks.map(({ position }) => itemAround(state.doc, position + 1));
    const found = items.filter((item) => item !== undefined);
    if (found.length < items.length) return wrapInList(kind, found, state, dispatch);
    if (found.every((item) => kindOf(item) === kind)) return liftItems(state, dispatch);
    if (dispatch) {
      const transaction = state.tr;
      setKind(transaction, kind, found);
      dispatch(transaction.scrollIntoView());
    }
    return true;
  };
}

function itemAround(doc: Node, position: number): Item | undefined {
  const $position = doc.resolve(position);
  const depth = itemDepth($position);
  if (depth === 0) return undefined;
  return {
    node: $position.node(depth),
    position: $position.before(depth),
    list: $position.node(depth - 1),
    listPosition: $position.before(depth - 1),
  };
}

function kindOf({ node, list }: Item): ListKind {
  if (node.attrs['checked'] !== null) return 'task_list';
  return list.type === nodes.ordered_list ? 'ordered_list' : 'bullet_list';
}

/** Changes the type of whole lists, but adds or removes checkboxes only at these items. No position changes. */
function setKind(transaction: Transaction, kind: ListKind, items: readonly Item[]): void {
  const type = kind === 'ordered_list' ? nodes.ordered_list : nodes.bullet_list;
  for (const { list, listPosition } of items) {
    if (transaction.doc.nodeAt(listPosition)?.type === type) continue;
    transaction.setNodeMarkup(listPosition, type, { tight: list.attrs['tight'] as boolean });
    if (kind === 'ordered_list')
      list.forEach((_, offset) => {
        setChecked(transaction, listPosition + 1 + offset, null);
      });
  }
  for (const { node, position } of items) {
    const checked = node.attrs['checked'] as boolean | null;
    setChecked(transaction, position, kind === 'task_list' ? (checked ?? false) : null);
  }
}

/** Adds, changes or removes the checkbox of an item. An item that starts with something else than text gets none. */
function setChecked(transaction: Transaction, position: number, checked: boolean | null): void {
  const item = transaction.doc.nodeAt(position);
  if (!item || item.attrs['checked'] === checked) return;
  if (checked !== null && item.firstChild?.type !== nodes.paragraph) return;
  transaction.setNodeMarkup(position, null, { checked });
}

/** Turns the selected paragraphs and headings into items, and merges them with the lists between and around them. */
function wrapInList(
  kind: ListKind,
  items: readonly Item[],
  state: EditorState,
  dispatch?: (transaction: Transaction) => void,
): boolean {
  const { $from, $to } = state.selection;
  const range = $from.blockRange(
    $to,
    ({ type }) => type === nodes.doc || type === nodes.blockquote || type === nodes.list_item,
  );
  if (!range) return false;
  const transaction = state.tr;
  const type = kind === 'ordered_list' ? nodes.ordered_list : nodes.bullet_list;
  const checked = kind === 'task_list' ? false : null;
  setKind(transaction, kind, items);
  let position = range.end;
  for (let index = range.endIndex - 1; index >= range.startIndex; index -= 1) {
    const block = range.parent.child(index);
    position -= block.nodeSize;
    if (block.type !== nodes.paragraph && block.type !== nodes.heading) continue;
    if (block.type === nodes.heading) transaction.setNodeMarkup(position, nodes.paragraph);
    const inside = transaction.doc.resolve(position + 1).blockRange();
    if (inside) transaction.wrap(inside, [{ type }, { type: nodes.list_item, attrs: { checked } }]);
  }
  if (!transaction.docChanged) return false;
  mergeChildren(transaction, range.start, range.startIndex, range.endIndex);
  dispatch?.(transaction.scrollIntoView());
  return true;
}

/** Merges neighboring lists from child `first`, which starts at `start`, up to and with the child `last`. */
function mergeChildren(transaction: Transaction, start: number, first: number, last: number): void {
  const { parent } = transaction.doc.resolve(start);
  const ends = [start];
  let end = start;
  for (let index = first; index < last; index += 1) {
    end += parent.child(index).nodeSize;
    ends.push(end);
  }
  for (const position of ends.toReversed()) mergeListsAt(transaction, position);
}

/** Checks or unchecks the task that has the position, or that starts there. */
export const toggleTaskAt =
  (position: number): Command =>
  (state, dispatch) => {
    if (position < 0 || position > state.doc.content.size) return false;
    const isTask = state.doc.nodeAt(position)?.type === nodes.list_item;
    const item = itemAround(state.doc, isTask ? position + 1 : position);
    const checked = item?.node.attrs['checked'] as boolean | null | undefined;
    if (!item || checked === null) return false;
    dispatch?.(state.tr.setNodeMarkup(item.position, null, { checked: !checked }));
    return true;
  };

/** An item that starts with something else than a paragraph loses its checkbox, because Markdown has no such tasks. */
export const taskPlugin = (): Plugin =>
  fixingPlugin(nodes.list_item, (transaction, { attrs, firstChild }, position) => {
    if (attrs['checked'] !== null && firstChild?.type !== nodes.paragraph)
      transaction.setNodeMarkup(position, null, { checked: null });
  });
