import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import type { Plugin } from 'prosemirror-state';
import type { PasteContext } from './paste/files.js';
import { pasteAndDrop } from './paste/paste.js';
import { surfaceInputRules } from './surface/input-rules.js';
import { tablePlugins } from './surface/tables.js';
import { surfaceTools } from './surface/tools/tools.js';

/** Tools that are not needed for the first key. They come before the keys of the surface. */
export function writingTools(context: PasteContext): Plugin[] {
  return [
    ...surfaceTools(),
    ...pasteAndDrop(context),
    surfaceInputRules(),
    ...tablePlugins(),
    gapCursor(),
    dropCursor({ color: false, class: 'drop-cursor' }),
  ];
}
