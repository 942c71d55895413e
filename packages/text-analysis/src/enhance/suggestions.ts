import type { Finding } from '../analysis.js';
import type { RuleDescription } from '../english/rule-description.js';
import type { MaskedRange, Paragraph } from '../text/prose.js';

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

/** Returns true if a mask overlaps the range. Identifiers may change. Uses binary search: masks are in order. */
function touches(masked: readonly MaskedRange[], start: number, end: number): boolean {
  let low = 0;
  let high = masked.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((masked[middle]?.end ?? 0) > start) high = middle;
    else low = middle + 1;
  }
  for (let at = low; (masked[at]?.start ?? Infinity) < end; at += 1)
    if (masked[at]?.term === undefined) return true;
  return false;
}

/** Converts a suggestion to a finding in the whole text, or null if it would change something that is not prose. */
export function findingOf(text: string, made: Suggested): Finding | null {
  const { paragraph, start, end, rule, message, values, confidence } = made;
  if (touches(paragraph.masked, start, end)) return null;
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
