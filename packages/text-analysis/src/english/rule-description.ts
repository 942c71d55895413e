import type { Check, Severity } from '../analysis.js';

/** A rule as readers see it. */
export interface RuleDescription {
  ruleId: string;
  category: Check;
  severity: Severity;
  explanation: string;
  /** A sentence with a mistake and its first replacement: `She {go=>goes} home.` */
  example: string;
}
