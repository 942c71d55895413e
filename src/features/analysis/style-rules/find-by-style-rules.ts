import type { Finding, StyleRule } from '@document-service/text-analysis/analysis';
import { CompiledStyleRules } from '@document-service/text-analysis/style-rules';
import { paragraphsOf } from '@document-service/text-analysis/paragraphs';
import { checkPatterns } from './check-patterns.js';

/** Maximum number of findings in a result. */
export const MAX_TEST_FINDINGS = 500;

/** Findings of rules in a text, in text order. */
export interface StyleRuleFindings {
  findings: Pick<
    Finding,
    'ruleId' | 'severity' | 'message' | 'start' | 'end' | 'original' | 'replacements'
  >[];
  /** Number of findings beyond {@link MAX_TEST_FINDINGS}. */
  findingsOmitted: number;
}

/** Finds what rules report in a Markdown text. Throws the errors of {@link checkPatterns}. */
export function findByStyleRules(content: string, rules: readonly StyleRule[]): StyleRuleFindings {
  checkPatterns(rules);
  const compiledRules = new CompiledStyleRules(rules);
  const all = paragraphsOf(content, 'markdown').flatMap((paragraph) =>
    compiledRules.findingsOf(paragraph).map((finding) => ({
      ruleId: finding.ruleId,
      severity: finding.severity,
      message: finding.message,
      start: paragraph.start + finding.start,
      end: paragraph.start + finding.end,
      original: finding.original,
      replacements: finding.replacements,
    })),
  );
  all.sort((a, b) => a.start - b.start || a.end - b.end);
  const findings = all.slice(0, MAX_TEST_FINDINGS);
  return { findings, findingsOmitted: all.length - findings.length };
}
