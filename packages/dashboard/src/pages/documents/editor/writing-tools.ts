import type { Extension } from '@codemirror/state';
import { findAndReplace } from './live/find-panel.js';
import { addressTooltip } from './live/link-tools.js';
import { formatToolbar } from './live/toolbar.js';
import { toolsTheme } from './live/tools-theme.js';
import type { FileOptions } from './paste/files.js';
import { pasteAndDrop } from './paste/paste.js';

/** Tools that only writers need, and not for the first key: the toolbar, find and replace, and paste. */
export function writingTools(options: FileOptions): Extension {
  return [formatToolbar, findAndReplace, addressTooltip, pasteAndDrop(options), toolsTheme];
}
