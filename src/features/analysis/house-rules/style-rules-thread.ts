import { threadTask } from '../../../platform/threads/thread-task.js';
import type { StyleRule } from '@document-service/text-analysis/analysis';
import { checkPatterns } from './check-patterns.js';
import { findByStyleRules } from './find-by-style-rules.js';
import { rulesOfVale, type ValeFile } from './vale-import.js';

/** A task of the thread. Rules are JSON text, which is cheaper to copy between threads than many objects. */
export type StyleRulesTask =
  | { kind: 'check'; rules: string }
  | { kind: 'test'; rules: string; content: string }
  | { kind: 'import'; files: readonly ValeFile[] };

/** Returns nothing for a check, and the JSON text of a `ValeImport` for an import or of `StyleRuleFindings` for a test. */
export default threadTask((task: StyleRulesTask) => {
  if (task.kind === 'import') return JSON.stringify(rulesOfVale(task.files));
  const rules = JSON.parse(task.rules) as StyleRule[];
  if (task.kind === 'test') return JSON.stringify(findByStyleRules(task.content, rules));
  checkPatterns(rules);
  return undefined;
});
