import { readFileSync } from 'node:fs';
import type { Check, Severity } from './analysis.js';

/** A rule that the engine applies to texts. */
export interface AnalysisRule {
  /** The `ruleId` of its findings. */
  id: string;
  category: Check;
  severity: Severity;
  /** Codes of the languages it applies to; empty for all. Operators can add languages to `spelling.unknown-word`. */
  languages: string[];
  /** Why the rule exists, or what it corrects. */
  description: string;
  /** A text that the rule reports, and the corrected text. */
  example: { wrong: string; right: string } | null;
  source: 'built-in' | 'harper';
}

/** Every rule except style rules, ordered by id. `npm run rules` generates the file. */
export const ANALYSIS_RULES: readonly AnalysisRule[] = JSON.parse(
  readFileSync(new URL('analysis-rules.json', import.meta.url), 'utf8'),
) as AnalysisRule[];
