import { readFileSync } from 'node:fs';
import { Bench, parseLine, type Half } from './english.js';

/**
 * English spelling: letters, learners' essays and Markdown with marked mistakes, and correct lines with names, dialect,
 * foreign words and jargon. The limits in `english-judgement.ts` were chosen with the even lines. A line is Markdown.
 */
const CORPUS = new URL('corpus/spelling.txt', import.meta.url);

/** From this confidence, a change is applied without a review. */
const SAFE = 0.9;
/** Lower limits of the groups in which confidence is compared with the share of right replacements. */
const GROUPS = [0.9, 0.8, 0.6, 0];

const SPELLING_RULES = new Set(['spelling.unknown-word', 'casing.proper-name']);

interface Told {
  confidence: number;
  isRight: boolean;
}

async function measureHalf(bench: Bench, half: Half) {
  const lines = readFileSync(CORPUS, 'utf8').split('\n').filter(Boolean);
  const told: Told[] = [];
  const falseFlags: string[] = [];
  const missed: string[] = [];
  let cleanWords = 0;
  for (const [index, line] of lines.entries()) {
    if ((index % 2 === 0) !== (half === 'tuned')) continue;
    const { text, edits } = parseLine(line);
    const open = new Set(edits);
    if (edits.length === 0) cleanWords += text.split(/\s+/).length;
    for (const { ruleId, original, start, replacements } of await bench.findings(
      text,
      'markdown',
    )) {
      const edit = [...open].find((one) => one.start < start + original.length && start < one.end);
      const [first] = replacements;
      const confidence = first?.confidence ?? 0;
      // A rule of grammar may correct the word, but other findings of such rules are not measured here.
      if (!edit && !SPELLING_RULES.has(ruleId)) continue;
      if (!edit) {
        falseFlags.push(`${original} → ${first?.value ?? ''} (${String(confidence)})`);
        told.push({ confidence, isRight: false });
        continue;
      }
      open.delete(edit);
      const isRight =
        text.slice(0, start) + (first?.value ?? '') + text.slice(start + original.length) ===
        text.slice(0, edit.start) + edit.value + text.slice(edit.end);
      told.push({ confidence, isRight });
    }
    for (const { start, end, value } of open) missed.push(`${text.slice(start, end)} → ${value}`);
  }
  return { told, falseFlags, missed, cleanWords };
}

const share = (some: number, all: number) =>
  all === 0 ? '–' : `${String(some)} of ${String(all)} (${(some / all).toFixed(2)})`;

export async function measureSpelling(): Promise<string> {
  const bench = await Bench.open();
  const rows = [
    `| half | found | precision | first right | right from confidence ${String(SAFE)} | flags in correct lines |`,
    '|---|---|---|---|---|---|',
  ];
  const calibration = ['| half | confidence | right |', '|---|---|---|'];
  const notes: string[] = [];
  for (const half of ['tuned', 'held out'] as const) {
    const { told, falseFlags, missed, cleanWords } = await measureHalf(bench, half);
    const found = told.length - falseFlags.length;
    const isRight = ({ isRight }: Told) => isRight;
    const safe = told.filter(({ confidence }) => confidence >= SAFE);
    rows.push(
      `| ${half} | ${share(found, found + missed.length)} | ${share(found, told.length)} | ${share(told.filter(isRight).length, found)} | ${share(safe.filter(isRight).length, safe.length)} | ${String(falseFlags.length)} in ${String(cleanWords)} words |`,
    );
    for (const [index, from] of GROUPS.entries()) {
      const to = GROUPS[index - 1] ?? 1.01;
      const group = told.filter(({ confidence }) => confidence >= from && confidence < to);
      calibration.push(
        `| ${half} | ${String(from)} to ${String(Math.min(1, to))} | ${share(group.filter(isRight).length, group.length)} |`,
      );
    }
    notes.push(...falseFlags.map((flag) => `- ${half}, false: ${flag}`));
    notes.push(...missed.map((one) => `- ${half}, missed: ${one}`));
  }
  return [...rows, '', ...calibration, '', ...notes, ''].join('\n');
}
