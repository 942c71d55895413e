import type { Extension } from '@codemirror/state';
import { keymap, type Command } from '@codemirror/view';
import { commandOf, indentItems, makeLink, toggleInline, toggleLines } from './format.js';
import { openLink } from './open-link.js';
import { togglePlainMarkdown } from './mode.js';

/** Without a selection or link, the key opens the command palette of the page. */
export const insertLink: Command = commandOf(makeLink);

const heading = (level: 1 | 2 | 3) => ({
  key: `Mod-Alt-${String(level)}`,
  run: commandOf((state) => toggleLines(state, level)),
});

export const formatKeys: Extension = keymap.of([
  { key: 'Mod-b', run: commandOf((state) => toggleInline(state, 'StrongEmphasis')) },
  { key: 'Mod-i', run: commandOf((state) => toggleInline(state, 'Emphasis')) },
  { key: 'Mod-e', run: commandOf((state) => toggleInline(state, 'InlineCode')) },
  { key: 'Mod-Shift-x', run: commandOf((state) => toggleInline(state, 'Strikethrough')) },
  { key: 'Mod-k', run: insertLink, stopPropagation: true },
  heading(1),
  heading(2),
  heading(3),
  { key: 'Mod-Alt-0', run: commandOf((state) => toggleLines(state, 'paragraph')) },
  { key: 'Mod-Shift-7', run: commandOf((state) => toggleLines(state, 'number')) },
  { key: 'Mod-Shift-8', run: commandOf((state) => toggleLines(state, 'bullet')) },
  { key: 'Mod-Shift-9', run: commandOf((state) => toggleLines(state, 'task')) },
  { key: 'Tab', run: commandOf((state) => indentItems(state, 'in')) },
  { key: 'Shift-Tab', run: commandOf((state) => indentItems(state, 'out')) },
  { key: 'Alt-Enter', run: openLink },
  {
    key: 'Mod-Shift-m',
    run: () => {
      togglePlainMarkdown();
      return true;
    },
  },
]);
