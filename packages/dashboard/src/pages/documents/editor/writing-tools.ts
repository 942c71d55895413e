import type { Plugin } from 'prosemirror-state';
import type { FileOptions } from './paste/files.js';
import { surfaceInputRules } from './surface/input-rules.js';
import type { Sources } from './surface/sources.js';
import { tablePlugins } from './surface/tables.js';

export interface ToolsContext {
  sources: Sources;
  options: FileOptions;
}

/** Tools that only writers need, and not for the first key. */
export function writingTools(context: ToolsContext): Plugin[] {
  void context;
  return [surfaceInputRules(), ...tablePlugins()];
}
