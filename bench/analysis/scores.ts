import { readFileSync } from 'node:fs';
import type { AnalysisResult } from '@document-service/text-analysis/analysis';
import { Engine } from '@document-service/text-analysis/engine';
import { Harper } from '@document-service/text-analysis/english/harper';
import { CORPUS, engineRequest, HALVES, pseudoRandom, resultOf, table } from './corpus.js';

/** Correct Markdown texts of ten kinds, two of each. Constants were tuned on one half; the other half is held out. */
const ORIGINALS = new URL('originals.txt', CORPUS);

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

function shuffled(words: string[], next: () => number): string[] {
  const result = [...words];
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = Math.floor(next() * (index + 1));
    [result[index], result[other]] = [result[other] ?? '', result[index] ?? ''];
  }
  return result;
}

function scrambled(text: string): string {
  const next = pseudoRandom(7);
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
  const next = pseudoRandom(7);
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

function originals(): Original[] {
  return readFileSync(ORIGINALS, 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [, kind = '', half = ''] = /^(\S+) (.+)\n/.exec(part) ?? [];
      return { kind, half, text: part.slice(part.indexOf('\n') + 1).trim() };
    });
}

const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;

/** Returns a table of how much each degradation lowers the scores. */
export async function measureScores(): Promise<string> {
  const engine = new Engine(undefined);
  const harper = await Harper.load();
  const scoresOf = async (texts: string[]): Promise<AnalysisResult['scores'][]> => {
    const scores: AnalysisResult['scores'][] = [];
    for (const content of texts) {
      const request = engineRequest({ content, format: 'markdown', language: 'auto' });
      scores.push(resultOf(await engine.analyze(request, harper)).scores);
    }
    return scores;
  };
  const rows: string[][] = [];
  for (const half of HALVES) {
    const texts = originals().filter((original) => original.half === half);
    const before = await scoresOf(texts.map(({ text }) => text));
    for (const { name, score, of } of DEGRADATIONS) {
      const after = await scoresOf(texts.map(({ text }) => of(text)));
      const isLower = (index: number, key: ScoreName) =>
        (after[index]?.[key] ?? NaN) < (before[index]?.[key] ?? NaN);
      const lower = texts.filter(
        (_, index) => isLower(index, score) && isLower(index, 'overall'),
      ).length;
      const medians = (key: ScoreName) =>
        [before, after].map((all) => String(median(all.map((one) => one[key] ?? NaN)))).join(' → ');
      const fall = `${String(lower)} of ${String(texts.length)}`;
      rows.push([name, half, fall, `${score} ${medians(score)}`, medians('overall')]);
    }
  }
  return table(
    'Text | Half | Lower in its score and overall | Score, median before → after | Overall, median before → after',
    rows,
  );
}
