import { readFileSync } from 'node:fs';
import { CHECKS, type AnalysisResult } from '@document-service/text-analysis/analysis';
import { Engine } from '@document-service/text-analysis/engine';
import { Harper } from '@document-service/text-analysis/english/harper';

/** Correct Markdown texts of ten kinds, two of each. Constants were tuned on one half; the other half is held out. */
const ORIGINALS = new URL('corpus/originals.txt', import.meta.url);

const HALVES = ['tuned', 'held out'] as const;
type ScoreName = 'overall' | 'correctness' | 'clarity' | 'engagement';

interface Original {
  kind: string;
  half: string;
  text: string;
}

/** A way to spoil a text, and the score that must fall beside `overall`. */
interface Degradation {
  name: string;
  score: Exclude<ScoreName, 'overall'>;
  of: (text: string) => string;
}

/** Applies a function to each paragraph and list item. Headings, tables and code stay as they are. */
function inProse(text: string, change: (prose: string) => string): string {
  let isCode = false;
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) isCode = !isCode;
      if (isCode || /^(?:```|#|\||\s*$)/.test(line)) return line;
      const marker = /^(?:- |\d+\. )?/.exec(line)?.[0] ?? '';
      return marker + change(line.slice(marker.length));
    })
    .join('\n');
}

const sentencesIn = (prose: string) => prose.split(/(?<=[.!?]["*]?) (?=["*]?[A-Z])/);

/** Deletes every nth article. */
const withoutArticles = (nth: number) => (text: string) => {
  let count = 0;
  return inProse(text, (prose) =>
    prose.replace(/\b(?:the|an?) /gi, (article) => ((count += 1) % nth === 0 ? '' : article)),
  );
};

/** Returns a function that returns numbers from 0 to 1, always the same ones. */
function numbers(): () => number {
  let state = 7;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function shuffled(words: string[], next: () => number): string[] {
  const result = [...words];
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = Math.floor(next() * (index + 1));
    [result[index], result[other]] = [result[other] ?? '', result[index] ?? ''];
  }
  return result;
}

function scrambled(text: string): string {
  const next = numbers();
  return inProse(text, (prose) =>
    sentencesIn(prose)
      .map((sentence) => {
        const words = sentence.replace(/[.!?]$/, '').split(' ');
        return `${shuffled(words, next).join(' ')}.`;
      })
      .join(' '),
  );
}

/** Shuffles the words of a paragraph, together with their punctuation. */
function scrambledAcross(text: string): string {
  const next = numbers();
  return inProse(text, (prose) => shuffled(prose.split(' '), next).join(' '));
}

/** Replaces the ends of sentences within a paragraph. */
const runOn = (sign: string, isLower: boolean) => (text: string) =>
  inProse(text, (prose) =>
    sentencesIn(prose)
      .map((sentence, index, all) => {
        const start = isLower && index > 0 ? lowerFirst(sentence) : sentence;
        return index < all.length - 1 ? start.replace(/[.!?](["*]?)$/, '$1') : start;
      })
      .join(sign),
  );

const lowerFirst = (sentence: string) =>
  /^I\b/.test(sentence) ? sentence : sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** Repeats each sentence for which `isRepeated` returns true. */
const repeating = (isRepeated: (index: number) => boolean, times: number) => (text: string) => {
  let count = 0;
  return inProse(text, (prose) =>
    sentencesIn(prose)
      .flatMap((sentence) =>
        sentence.split(' ').length > 6 && isRepeated((count += 1))
          ? Array.from({ length: times + 1 }, () => sentence)
          : [sentence],
      )
      .join(' '),
  );
};

const DEGRADATIONS: readonly Degradation[] = [
  { name: 'all articles deleted', score: 'correctness', of: withoutArticles(1) },
  { name: 'half of the articles deleted', score: 'correctness', of: withoutArticles(2) },
  { name: 'words scrambled in each sentence', score: 'correctness', of: scrambled },
  { name: 'words scrambled in each paragraph', score: 'correctness', of: scrambledAcross },
  { name: 'sentences joined by commas', score: 'clarity', of: runOn(', ', true) },
  { name: 'sentences joined by `and`', score: 'clarity', of: runOn(' and ', true) },
  { name: 'sentence ends removed', score: 'clarity', of: runOn(' ', false) },
  { name: 'sentence ends removed, lower case', score: 'clarity', of: runOn(' ', true) },
  { name: 'each sentence twice', score: 'engagement', of: repeating(() => true, 1) },
  {
    name: 'every third sentence twice',
    score: 'engagement',
    of: repeating((count) => count % 3 === 1, 1),
  },
  {
    name: 'one sentence four times',
    score: 'engagement',
    of: repeating((count) => count === 2, 3),
  },
];

export function originals(): Original[] {
  return readFileSync(ORIGINALS, 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [, kind = '', half = ''] = /^(\S+) (.+)\n/.exec(part) ?? [];
      return { kind, half, text: part.slice(part.indexOf('\n') + 1).trim() };
    });
}

export type Analyze = (content: string) => Promise<AnalysisResult>;

async function analyzer(): Promise<Analyze> {
  const engine = new Engine(undefined);
  const harper = await Harper.load();
  return async (content) => {
    const text = {
      content,
      format: 'markdown' as const,
      settings: { checks: [...CHECKS], language: 'auto', suggestionLevel: 'medium' as const },
      rules: { words: [], styleRules: [] },
      dismissed: [],
      kept: null,
    };
    return JSON.parse((await engine.analyze(text, harper)).result) as AnalysisResult;
  };
}

const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;

/** Returns a table of how much each degradation lowers the scores. */
export async function measureScores(): Promise<string> {
  const analyze = await analyzer();
  const lines = [
    '| Text | Half | Lower in its score and overall | Score, median before → after | Overall, median before → after |',
    '|---|---|---|---|---|',
  ];
  for (const half of HALVES) {
    const texts = originals().filter((original) => original.half === half);
    const before: AnalysisResult['scores'][] = [];
    for (const { text } of texts) before.push((await analyze(text)).scores);
    for (const { name, score, of } of DEGRADATIONS) {
      const after: AnalysisResult['scores'][] = [];
      for (const { text } of texts) after.push((await analyze(of(text))).scores);
      const isLower = (index: number, key: ScoreName) =>
        (after[index]?.[key] ?? NaN) < (before[index]?.[key] ?? NaN);
      const lower = texts.filter(
        (_, index) => isLower(index, score) && isLower(index, 'overall'),
      ).length;
      const medians = (key: ScoreName) =>
        [before, after].map((all) => String(median(all.map((one) => one[key] ?? NaN)))).join(' → ');
      lines.push(
        `| ${name} | ${half} | ${String(lower)} of ${String(texts.length)} | ${score} ${medians(score)} | ${medians('overall')} |`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}
