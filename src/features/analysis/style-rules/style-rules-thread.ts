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

/** The result of an import. `rules` and `skipped` are JSON texts of the members of a `ValeImport`. */
export interface ImportedRules {
  rules: string;
  skipped: string;
  /** Number of rules. */
  count: number;
  /** Why the first skipped rule was skipped. */
  firstReason: string | undefined;
}

/** Returns nothing for a check, `ImportedRules` for an import, and the JSON text of `StyleRuleFindings` for a test. */
export default threadTask((task: StyleRulesTask) => {
  if (task.kind === 'import') return imported(task.files);
  const rules = JSON.parse(task.rules) as StyleRule[];
  if (task.kind === 'test') return JSON.stringify(findByStyleRules(task.content, rules));
  checkPatterns(rules);
  return undefined;
});

function imported(files: readonly ValeFile[]): ImportedRules {
  const { rules, skipped } = rulesOfVale(files);
  return {
    rules: JSON.stringify(rules),
    skipped: JSON.stringify(skipped),
    count: rules.length,
    firstReason: skipped[0]?.reason,
  };
}
