import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import type { Plugin } from 'prosemirror-state';
import type { FileOptions } from './paste/files.js';
import { pasteAndDrop } from './paste/paste.js';
import { surfaceInputRules } from './surface/input-rules.js';
import type { Sources } from './surface/sources.js';
import { surfaceTools } from './surface/tools/tools.js';
import { tablePlugins } from './surface/tables.js';

export interface ToolsContext {
  sources: Sources;
  options: FileOptions;
}

/** Tools that only writers need, and not for the first key. */
export function writingTools(context: ToolsContext): Plugin[] {
  return [
    ...pasteAndDrop(context),
    ...surfaceTools(),
    surfaceInputRules(),
    ...tablePlugins(),
    gapCursor(),
    dropCursor({ color: false, class: 'drop-cursor' }),
  ];
}
