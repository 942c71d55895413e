import { readFileSync } from 'node:fs';
import type { Issue } from '@document-service/text-analysis/analysis';
import { Engine } from '@document-service/text-analysis/engine';
import type { RuleGoal } from '@document-service/text-analysis/enhance/goals';
import { parseLine, readmes } from './english.js';

/** Texts with the suggestions that an editor would make. Its first lines explain the format. */
const CORPUS = new URL('corpus/enhance.txt', import.meta.url);

interface Score {
  right: number;
  wrong: string[];
  missed: string[];
}

/** Measures how many suggestions are right, and how many are made in READMEs. */
export async function measureEnhance(): Promise<string> {
  const engine = new Engine(undefined);
  const scores = new Map<string, Score>();
  const texts = readFileSync(CORPUS, 'utf8').split(/^=== /m).slice(1);
  for (const [index, text] of texts.entries()) {
    const newline = text.indexOf('\n');
    const goal = text.slice(0, newline) as RuleGoal;
    const name = `${goal} | ${index % 2 === 0 ? 'tuned' : 'held out'}`;
    const score = scores.get(name) ?? { right: 0, wrong: [], missed: [] };
    scores.set(name, score);
    await compare(engine, goal, text.slice(newline + 1), score);
  }
  const rows = [...scores].map(([name, { right, wrong, missed }]) => {
    const [made, wanted] = [right + wrong.length, right + missed.length];
    return `| ${name} | ${String(right)} of ${String(made)} | ${String(right)} of ${String(wanted)} |`;
  });
  return [
    '| Goal | Half | Suggestions that are right | Wanted suggestions that are made |',
    '| --- | --- | --- | --- |',
    ...rows.sort(),
    '',
    ...[...scores].flatMap(([name, { wrong, missed }]) => [
      ...wrong.map((one) => `- ${name} | wrong: ${one}`),
      ...missed.map((one) => `- ${name} | missed: ${one}`),
    ]),
    '',
    ...(await inReadmes(engine)),
  ].join('\n');
}

async function compare(engine: Engine, goal: RuleGoal, marked: string, score: Score) {
  const { text, edits } = parseLine(marked);
  const open = new Set(edits);
  for (const { ruleId, original, replacements, start, end } of await suggestions(
    engine,
    text,
    goal,
  )) {
    const value = replacements[0]?.value ?? '';
    const edit = [...open].find((one) => one.start === start && one.end === end);
    if (edit?.value === value) {
      open.delete(edit);
      score.right += 1;
    } else score.wrong.push(`${ruleId}: ${original} > ${value}`);
  }
  for (const { start, end, value } of open) {
    score.missed.push(`${text.slice(start, end)} > ${value}`);
  }
}

async function suggestions(engine: Engine, content: string, goal: RuleGoal): Promise<Issue[]> {
  const text = {
    content,
    format: 'markdown' as const,
    settings: { checks: [], language: 'en', suggestionLevel: 'medium' as const },
    rules: { words: [], styleRules: [] },
    dismissed: [],
    kept: null,
  };
  return (await engine.enhance(text, [goal])).suggestions;
}

/** READMEs contain few places that should change, and nobody has marked them: to be checked by hand. */
async function inReadmes(engine: Engine): Promise<string[]> {
  const found: string[] = [];
  const counts = new Map<string, number>();
  let [words, milliseconds] = [0, 0];
  for (const [index, file] of readmes().entries()) {
    if (index % 16 !== 8) continue;
    const content = readFileSync(file, 'utf8');
    words += content.split(/\s+/).length;
    const before = process.cpuUsage();
    for (const goal of ['consistency', 'simplify'] as const) {
      for (const { ruleId, message, line } of await suggestions(engine, content, goal)) {
        counts.set(ruleId, (counts.get(ruleId) ?? 0) + 1);
        if (goal === 'consistency') found.push(`- ${ruleId}: ${message} (${String(line)})`);
      }
    }
    const { user, system } = process.cpuUsage(before);
    milliseconds += (user + system) / 1000;
  }
  const perThousand = (milliseconds / words) * 1000;
  return [
    `READMEs with ${String(words)} words, ${perThousand.toFixed(1)} ms of processor per 1,000 words:`,
    '',
    ...[...counts].sort().map(([ruleId, count]) => `- ${ruleId}: ${String(count)}`),
    '',
    ...found,
  ];
}
