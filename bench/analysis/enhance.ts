import { readFileSync } from 'node:fs';
import type { Issue } from '@document-service/text-analysis/analysis';
import { Engine } from '@document-service/text-analysis/engine';
import type { RuleGoal } from '@document-service/text-analysis/enhance/goals';
import {
  CORPUS,
  engineRequest,
  HALVES,
  list,
  parseLine,
  readmes,
  share,
  table,
  timed,
} from './corpus.js';

/** Measures how many suggestions are right, and how many are made in READMEs. */
export async function measureEnhance(): Promise<string> {
  const engine = new Engine(undefined);
  const scores = new Map<string, { right: number; wrong: string[]; missed: string[] }>();
  // Texts with the suggestions that an editor would make. The first lines of the file explain the format.
  const texts = readFileSync(new URL('enhance.txt', CORPUS), 'utf8').split(/^=== /m).slice(1);
  for (const [index, text] of texts.entries()) {
    const newline = text.indexOf('\n');
    const goal = text.slice(0, newline) as RuleGoal;
    const name = `${goal} | ${HALVES[index % 2] ?? ''}`;
    const score = scores.get(name) ?? { right: 0, wrong: [], missed: [] };
    scores.set(name, score);
    const { text: content, edits } = parseLine(text.slice(newline + 1));
    const open = new Set(edits);
    for (const one of await suggestions(engine, content, goal)) {
      const value = one.replacements[0]?.value ?? '';
      const edit = [...open].find(({ start, end }) => start === one.start && end === one.end);
      if (edit?.value === value) {
        open.delete(edit);
        score.right += 1;
      } else score.wrong.push(`${one.ruleId}: ${one.original} > ${value}`);
    }
    for (const { start, end, value } of open)
      score.missed.push(`${content.slice(start, end)} > ${value}`);
  }
  const rows = [...scores].map(([name, { right, wrong, missed }]) => {
    return [name, share(right, right + wrong.length), share(right, right + missed.length)];
  });
  return [
    table(
      'Goal | Half | Suggestions that are right | Wanted suggestions that are made',
      rows.sort(),
    ),
    list('Wrong', listed(scores, 'wrong')),
    list('Missed', listed(scores, 'missed')),
    await inReadmes(engine),
  ].join('\n');
}

function listed<Key extends string>(
  scores: ReadonlyMap<string, Record<Key, string[]>>,
  key: Key,
): string[] {
  return [...scores].flatMap(([name, score]) => score[key].map((one) => `${name} | ${one}`));
}

async function suggestions(engine: Engine, content: string, goal: RuleGoal): Promise<Issue[]> {
  const request = engineRequest({ content, format: 'markdown', language: 'en' });
  return (await engine.enhance(request, [goal])).suggestions;
}

/** READMEs contain few places that should change, and nobody has marked them: to be checked by hand. */
async function inReadmes(engine: Engine): Promise<string> {
  const found: string[] = [];
  const counts = new Map<string, number>();
  let words = 0;
  const { milliseconds } = await timed(async () => {
    for (const file of readmes().filter((_, index) => index % 16 === 8)) {
      const content = readFileSync(file, 'utf8');
      words += content.split(/\s+/).length;
      for (const goal of ['consistency', 'simplify'] as const) {
        for (const { ruleId, message, line } of await suggestions(engine, content, goal)) {
          counts.set(ruleId, (counts.get(ruleId) ?? 0) + 1);
          if (goal === 'consistency') found.push(`${ruleId}: ${message} (${String(line)})`);
        }
      }
    }
  });
  const cost = ((milliseconds / words) * 1_000).toFixed(1);
  const lines = [...counts].sort().map(([ruleId, count]) => `${ruleId}: ${String(count)}`);
  return [
    list(`READMEs with ${String(words)} words, ${cost} ms of CPU per 1,000 words`, lines),
    list('Consistency in READMEs', found),
  ].join('\n');
}
