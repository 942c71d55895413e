import { threadTask } from '../../../platform/threads/thread-task.js';
import type { StyleRule } from '@document-service/text-analysis/analysis';
import { checkPatterns } from './check-patterns.js';
import { rulesOfVale, type ValeFile } from './vale-import.js';

/** A task of the thread. Rules are JSON text, which is cheaper to copy between threads than many objects. */
export type StyleRulesTask =
  { kind: 'check'; rules: string } | { kind: 'import'; files: readonly ValeFile[] };

/** Returns nothing for a check, and the JSON text of a `ValeImport` for an import. */
export default threadTask((task: StyleRulesTask) => {
  if (task.kind === 'import') return JSON.stringify(rulesOfVale(task.files));
  checkPatterns(JSON.parse(task.rules) as StyleRule[]);
  return undefined;
});
