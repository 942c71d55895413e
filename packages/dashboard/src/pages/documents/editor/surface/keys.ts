import {
  baseKeymap,
  chainCommands,
  selectNodeBackward,
  selectNodeForward,
} from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import { undoInputRule } from 'prosemirror-inputrules';
import { keydownHandler } from 'prosemirror-keymap';
import {
  Plugin,
  TextSelection,
  type Command,
  type EditorState,
  type Transaction,
} from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { setHeading, setParagraph } from './commands/blocks.js';
import { toggleCode, toggleEmphasis, toggleStrike, toggleStrong } from './commands/marks.js';
import { deleteAtEnd, deleteAtStart, deleteSelected } from './commands/delete.js';
import { breakLine, pressEnter } from './commands/enter.js';
import {
  liftItems,
  sinkItems,
  taskPlugin,
  toggleBulletList,
  toggleOrderedList,
  toggleTaskList,
} from './commands/lists.js';
import { copyBlocks, leaveBelow, moveBlocks } from './commands/move.js';
import { depthOf, runAfter } from './commands/places.js';
import { enterConversions, undoConversion } from './input-rules.js';
import { schema } from './schema.js';
import { moveToCell } from './cells.js';

/** Keys that the browser must not handle, even if the command does not apply. */
const own =
  (command: Command): Command =>
  (state, dispatch, view) => {
    command(state, dispatch, view);
    return true;
  };

/** Moves items in a list. Elsewhere, the browser moves the focus. */
const inItem =
  (command: Command): Command =>
  (state, dispatch, view) => {
    const { list_item: item } = schema.nodes;
    if (depthOf(state.selection.$from, ({ type }) => type === item) === 0) return false;
    command(state, dispatch, view);
    return true;
  };

const backspace = chainCommands(
  undoConversion,
  undoInputRule,
  deleteSelected,
  deleteAtStart,
  selectNodeBackward,
);
const forwardDelete = chainCommands(deleteSelected, deleteAtEnd, selectNodeForward);

const bindings: Readonly<Record<string, Command>> = {
  ...baseKeymap,
  Enter: pressEnter,
  'Shift-Enter': breakLine,
  Backspace: backspace,
  'Shift-Backspace': backspace,
  'Mod-Backspace': backspace,
  Delete: forwardDelete,
  'Mod-Delete': forwardDelete,
  Tab: chainCommands(moveToCell('next'), inItem(sinkItems)),
  'Shift-Tab': chainCommands(moveToCell('previous'), inItem(liftItems)),
  ArrowDown: leaveBelow('ArrowDown'),
  ArrowRight: leaveBelow('ArrowRight'),
  'Mod-b': own(toggleStrong),
  'Mod-i': own(toggleEmphasis),
  'Mod-e': own(toggleCode),
  'Mod-Shift-x': own(toggleStrike),
  // Markdown has no underline.
  'Mod-u': () => true,
  'Mod-Alt-0': own(setParagraph),
  'Mod-Alt-1': own(setHeading(1)),
  'Mod-Alt-2': own(setHeading(2)),
  'Mod-Alt-3': own(setHeading(3)),
  'Mod-Shift-7': own(toggleOrderedList),
  'Mod-Shift-8': own(toggleBulletList),
  'Mod-Shift-9': own(toggleTaskList),
  'Alt-ArrowUp': moveBlocks('up'),
  'Alt-ArrowDown': moveBlocks('down'),
  'Shift-Alt-ArrowUp': copyBlocks('up'),
  'Shift-Alt-ArrowDown': copyBlocks('down'),
  'Mod-z': own(undo),
  'Mod-Shift-z': own(redo),
  'Mod-y': own(redo),
};

/** Undo, and the keys of the writing surface. */
export function surfaceKeys(): Plugin[] {
  return [history(), enterConversions(), taskPlugin(), keys()];
}

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/** Tab right after Escape moves the focus, also in lists and tables. */
function keys(): Plugin {
  const handle = keydownHandler(bindings);
  let isLeaving = false;
  return new Plugin({
    props: {
      handleKeyDown(view, event) {
        if (isComposing(view, event)) return false;
        if (isLeaving && event.key === 'Tab') return false;
        if (!MODIFIERS.has(event.key)) isLeaving = event.key === 'Escape';
        return handle(view, event);
      },
      handleTextInput(view, _from, _to, text) {
        const transaction = isComposing(view) ? undefined : typeOver(view.state, text);
        if (transaction) view.dispatch(transaction);
        return transaction !== undefined;
      },
      handleDOMEvents: {
        blur: () => {
          isLeaving = false;
        },
      },
    },
  });
}

/** Returns whether an input method uses the key. */
const isComposing = (view: EditorView, event?: KeyboardEvent) =>
  view.composing || event?.isComposing === true;

/** Returns the replacement of a selection in several blocks by typed text, or undefined for others. */
function typeOver(state: EditorState, text: string): Transaction | undefined {
  const { $from, $to } = state.selection;
  if (!(state.selection instanceof TextSelection) || $from.sameParent($to)) return undefined;
  const transaction = state.tr;
  runAfter(transaction, deleteSelected);
  return transaction.insertText(text).scrollIntoView();
}
