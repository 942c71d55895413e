import type { Finding } from '../analysis.js';
import type { RuleDescription } from '../english/rule-description.js';
import type { Paragraph } from '../text/prose.js';

/** Estimated chance that a suggestion for consistency is right. Below 0.9, so it is never applied without a review. */
export const CONSISTENCY_CONFIDENCE = 0.85;

/** A suggestion about a paragraph. The range is relative to it. Without replacements, it is a hint. */
export interface Suggested {
  paragraph: Paragraph;
  start: number;
  end: number;
  rule: RuleDescription;
  message: string;
  /** Best first. */
  values: readonly string[];
  confidence: number;
}

/** Converts a suggestion to a finding in the whole text, or null if it would change something that is not prose. */
export function findingOf(text: string, made: Suggested): Finding | null {
  const { paragraph, start, end, rule, message, values, confidence } = made;
  const isMasked = paragraph.masked.some(
    (mask) => mask.start < end && start < mask.end && mask.term === undefined,
  );
  if (isMasked) return null;
  const range = { start: paragraph.start + start, end: paragraph.start + end };
  return {
    ruleId: rule.ruleId,
    category: rule.category,
    severity: rule.severity,
    message,
    explanation: rule.explanation,
    ...range,
    original: text.slice(range.start, range.end),
    replacements: values.map((value) => ({ value, confidence })),
  };
}
