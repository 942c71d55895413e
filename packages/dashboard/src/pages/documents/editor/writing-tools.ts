import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { continueList } from './continue-list.js';
import { findAndReplace } from './live/find-panel.js';
import { formatKeys } from './live/keys.js';
import { addressTooltip } from './live/link-tools.js';
import { formatToolbar } from './live/toolbar.js';
import { toolsTheme } from './live/tools-theme.js';
import type { FileOptions } from './paste/files.js';
import { pasteAndDrop } from './paste/paste.js';

/** What only writers need: formatting, find and replace, and paste. */
export function writingTools(options: FileOptions): Extension {
  return [
    formatToolbar,
    findAndReplace,
    addressTooltip,
    pasteAndDrop(options),
    // Outside lists and tables, Tab moves the focus as usual.
    formatKeys,
    keymap.of([{ key: 'Enter', run: continueList }]),
    toolsTheme,
  ];
}
