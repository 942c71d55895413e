import { createHash } from 'node:crypto';
import type { Finding, TextRange } from '../../analysis.js';

/**
 * Ids of findings: the same for the same finding in the same sentence, wherever the sentence moves, so that what was
 * dismissed once stays dismissed. `sentences` are in order and cover the findings; ranges in the same units.
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
    // The same passage twice in one sentence: the first and the second.
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    const hash = createHash('sha256')
      .update(`${key}${String(occurrence)}`)
      .digest('base64url');
    return `iss_${hash.slice(0, 22)}`;
  });
}
