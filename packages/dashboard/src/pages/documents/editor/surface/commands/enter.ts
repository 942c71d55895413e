import { createParagraphNear, splitBlock, chainCommands } from 'prosemirror-commands';
import { AllSelection, TextSelection, type Command } from 'prosemirror-state';
import { canSplit } from 'prosemirror-transform';
import { isCellSelection, moveToCell } from '../cells.js';
import { convertLine } from '../input-rules.js';
import { schema } from '../schema.js';
import { leaveQuote } from './blocks.js';
import { deleteSelected } from './delete.js';
import { liftItems } from './lists.js';
import { caretOf, cellDepth, itemDepth, runAfter } from './places.js';

const { nodes } = schema;

/** Returns a command that deletes the selected text first, unless it is in one block of code. */
const replacing =
  (command: Command): Command =>
  (state, dispatch, view) => {
    const { selection } = state;
    const { $from, $to } = selection;
    const isText = selection instanceof TextSelection || selection instanceof AllSelection;
    if (selection.empty || !isText) return command(state, dispatch, view);
    if ($from.parent.type.spec.code && $from.sameParent($to)) return command(state, dispatch, view);
    const transaction = state.tr;
    runAfter(transaction, deleteSelected);
    runAfter(transaction, command);
    dispatch?.(transaction.scrollIntoView());
    return true;
  };

/** In a table, moves to the cell below. A selection of several cells ends. */
const enterCell: Command = (state, dispatch, view) => {
  const { selection } = state;
  const { $from, $to } = selection;
  const isInCell = isCellSelection(selection) || (cellDepth($from) > 0 && $from.sameParent($to));
  return isInCell && moveToCell('below')(state, dispatch, view);
};

/** Adds a newline to code. On an empty last line, removes that line and leaves the code. */
const enterCode: Command = (state, dispatch) => {
  const { $from, $to, empty } = state.selection;
  const { parent } = $from;
  if (!parent.type.spec.code || !$from.sameParent($to)) return false;
  const isLeaving =
    empty && $from.parentOffset === parent.content.size && parent.textContent.endsWith('\n');
  const transaction = state.tr;
  if (isLeaving) {
    const after = $from.after() - 1;
    transaction.delete($from.pos - 1, $from.pos).insert(after, nodes.paragraph.create());
    transaction.setSelection(TextSelection.create(transaction.doc, after + 1));
  } else transaction.insertText('\n');
  dispatch?.(transaction.scrollIntoView());
  return true;
};

/** Starts the next item. Takes an empty item one level out. */
const enterItem: Command = (state, dispatch, view) => {
  const $caret = caretOf(state);
  const depth = $caret ? itemDepth($caret) : 0;
  if (!$caret || depth === 0 || depth !== $caret.depth - 1) return false;
  const { parent, parentOffset } = $caret;
  const index = $caret.index(depth);
  if (parent.content.size === 0 && index === 0) return liftItems(state, dispatch, view);
  const checked = $caret.node(depth).attrs['checked'] === null ? null : false;
  const item = { type: nodes.list_item, attrs: { checked } };
  const transaction = state.tr;
  if (parent.content.size === 0) transaction.split($caret.before(), 1, [item]);
  else if (parentOffset === 0 && index === 0)
    transaction.insert(
      $caret.before(depth),
      nodes.list_item.create({ checked }, nodes.paragraph.create()),
    );
  else {
    const types = [item, { type: nodes.paragraph }];
    if (!canSplit(transaction.doc, $caret.pos, 2, types)) return false;
    transaction.split($caret.pos, 2, types);
  }
  dispatch?.(transaction.scrollIntoView());
  return true;
};

/** Takes an empty line out of a quote. */
const enterQuote: Command = (state, dispatch, view) => {
  const parent = caretOf(state)?.parent;
  const isEmpty = parent?.type === nodes.paragraph && parent.content.size === 0;
  return isEmpty && leaveQuote(state, dispatch, view);
};

const enterText = chainCommands(enterItem, enterQuote, createParagraphNear, splitBlock);

export const pressEnter: Command = chainCommands(
  convertLine,
  enterCell,
  replacing(chainCommands(enterCode, enterText)),
);

/** Inserts a line break, or a newline in code. Splits a heading, which cannot hold a break. */
export const breakLine: Command = replacing((state, dispatch, view) => {
  const { $from } = state.selection;
  const { parent } = $from;
  if (isCellSelection(state.selection)) return true;
  if (parent.type.spec.code) dispatch?.(state.tr.insertText('\n').scrollIntoView());
  else if (parent.type === nodes.heading) return splitBlock(state, dispatch, view);
  else if (!parent.inlineContent) return createParagraphNear(state, dispatch, view);
  else {
    // A mark that only starts with what is typed next does not hold the break.
    const node = nodes.hard_break.create(null, null, $from.marks());
    const transaction = state.tr.replaceSelectionWith(node, false);
    if (state.storedMarks) transaction.setStoredMarks(state.storedMarks);
    dispatch?.(transaction.scrollIntoView());
  }
  return true;
});
