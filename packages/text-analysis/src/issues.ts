import { createHash } from 'node:crypto';
import type { AnalysisResult, Finding, Issue, TextRange } from './analysis.js';

/** Limits of the issues that an analysis lists: their number, and their length as JSON in UTF-16 units. */
const MAX_ISSUES = 2_000;
const MAX_ISSUES_LENGTH = 1_500_000;

/** Returns the issues that an analysis lists, and the number of the others. */
export function listedIssues(
  issues: readonly Issue[],
): Pick<AnalysisResult, 'issues' | 'issuesOmitted'> {
  const listed = fitting(issues, { count: MAX_ISSUES, length: MAX_ISSUES_LENGTH });
  return { issues: listed, issuesOmitted: issues.length - listed.length };
}

/** Returns the first items that fit into a number of items and a length of JSON. Skips items that are too long. */
export function fitting<Item>(
  items: readonly Item[],
  limit: { count: number; length: number },
): Item[] {
  const taken: Item[] = [];
  let length = 0;
  for (const item of items) {
    if (taken.length === limit.count) break;
    const more = JSON.stringify(item).length + 1;
    if (length + more > limit.length) continue;
    taken.push(item);
    length += more;
  }
  return taken;
}

/** Minimum confidence of a replacement that can be applied without a review. */
const SAFE_CONFIDENCE = 0.9;

/** Returns true if the first replacement of a finding can be applied without a review. */
export function isSafe({ replacements }: Pick<Finding, 'replacements'>): boolean {
  const [first] = replacements;
  return first !== undefined && first.confidence >= SAFE_CONFIDENCE;
}

/** Returns findings as issues with positions, in text order. */
export function issuesOf(
  content: string,
  findings: readonly Finding[],
  sentences: readonly TextRange[],
  dismissed: ReadonlySet<string>,
): Issue[] {
  const ids = issueIds(content, findings, sentences);
  let line = 1;
  let lineStart = 0;
  let at = 0;
  return findings.map((finding, index) => {
    for (; at < finding.start; at += 1) {
      const unit = content.charCodeAt(at);
      // CRLF, LF, or a lone CR.
      if (unit === 10 || (unit === 13 && content.charCodeAt(at + 1) !== 10)) {
        line += 1;
        lineStart = at + 1;
      }
    }
    const id = ids[index] ?? '';
    return {
      id,
      ruleId: finding.ruleId,
      category: finding.category,
      severity: finding.severity,
      message: finding.message,
      explanation: finding.explanation,
      start: finding.start,
      end: finding.end,
      unit: 'utf16',
      line,
      column: finding.start - lineStart + 1,
      original: finding.original,
      replacements: finding.replacements,
      source: 'rule',
      safe: isSafe(finding),
      status: dismissed.has(id) ? 'rejected' : 'open',
    };
  });
}

/**
 * Returns ids of findings. They stay the same when the sentence moves, so dismissed issues stay dismissed. `sentences`
 * are in order and cover the findings, in the same units.
 */
export function issueIds(
  text: string,
  findings: readonly Finding[],
  sentences: readonly TextRange[],
): string[] {
  const seen = new Map<string, number>();
  let next = 0;
  return findings.map((finding) => {
    while (next + 1 < sentences.length && (sentences[next]?.end ?? 0) <= finding.start) next += 1;
    const sentence = sentences[next] ?? { start: 0, end: text.length };
    const words = text.slice(sentence.start, sentence.end).trim().replace(/\s+/gu, ' ');
    const key = JSON.stringify([finding.ruleId, finding.original, words]);
    // Distinguishes repeated passages in a sentence by their order.
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    const hash = createHash('sha256')
      .update(`${key}${String(occurrence)}`)
      .digest('base64url');
    return `iss_${hash.slice(0, 22)}`;
  });
}
