import { readFileSync } from 'node:fs';
import {
  Bench,
  CORPUS,
  correctionScore,
  corrected,
  type Half,
  measureSentences,
  parseLine,
  percent,
  precision,
  recall,
} from './english.js';

/** Files of sentences, each with its mistakes marked. */
const SENTENCES = ['learner.txt', 'grammar.txt', 'rules.txt'];

/**
 * Measures the rules of English that are not about spelling: mistakes beside correct sentences that look like them, correct
 * prose of many kinds, and changes that are safe to apply without review.
 */
export async function measureRules(): Promise<string> {
  const bench = await Bench.open();
  const rows = [
    '| class | half | precision | recall | correction F0.5 | first right | flags per 500 clean words | safe changes right |',
    '|---|---|---|---|---|---|---|---|',
  ];
  const flags: string[] = [];
  for (const half of ['tuned', 'held out'] as const) {
    const { score, cleanPer500 } = await measureSentences(bench, 'rules.txt', half);
    const safe = await measureSafe(bench, half);
    rows.push(
      `| rules | ${half} | ${percent(precision(score))} | ${percent(recall(score))} | ${(100 * correctionScore(score)).toFixed(1)} | ${percent(score.firstRight / score.right)} | ${cleanPer500.toFixed(2)} | ${safe} |`,
    );
    const prose = await measureProse(bench, half);
    rows.push(
      `| prose (${String(prose.words)} words) | ${half} | | | | | ${((500 * prose.flags.length) / prose.words).toFixed(2)} | |`,
    );
    if (half === 'tuned') flags.push(...prose.flags);
  }
  return [
    ...rows,
    '',
    'Findings in the tuned half of the prose:',
    '',
    ...flags.map((flag) => `- ${flag}`),
    '',
  ].join('\n');
}

/** Lines of a file of the corpus in one half. */
function linesOf(file: string, half: Half): string[] {
  const lines = readFileSync(new URL(file, CORPUS), 'utf8').split('\n').filter(Boolean);
  return lines.filter((_, index) => (index % 2 === 0) === (half === 'tuned'));
}

async function measureProse(bench: Bench, half: Half) {
  const flags: string[] = [];
  let words = 0;
  for (const line of linesOf('prose.txt', half)) {
    words += line.split(/\s+/).length;
    for (const { ruleId, original, replacements } of await bench.findings(line, 'plain'))
      flags.push(`${ruleId}: ${original} → ${replacements[0]?.value ?? ''} (${line})`);
  }
  return { words, flags };
}

/** Returns how many first replacements with a confidence of at least 0.9 are a marked correction. Without spelling. */
async function measureSafe(bench: Bench, half: Half): Promise<string> {
  let right = 0;
  let all = 0;
  for (const line of SENTENCES.flatMap((file) => linesOf(file, half))) {
    const { text, edits } = parseLine(line);
    for (const finding of await bench.findings(text, 'plain')) {
      const [first] = finding.replacements;
      if (!first || first.confidence < 0.9 || finding.category === 'spelling') continue;
      all += 1;
      const result = corrected(text, { ...finding, value: first.value });
      if (edits.some((edit) => corrected(text, edit) === result)) right += 1;
    }
  }
  return `${String(right)} of ${String(all)}`;
}
