import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Finding } from '@document-service/text-analysis/analysis';
import { English } from '@document-service/text-analysis/english/english';
import { Harper } from '@document-service/text-analysis/english/harper';
import { paragraphsOf, type ProseFormat } from '@document-service/text-analysis/paragraphs';
import { codeWords } from '@document-service/text-analysis/text/code-words';
import { readingOf } from '@document-service/text-analysis/text/reading';
import { Dictionaries } from '@document-service/text-analysis/spelling/hunspell';
import { wordUse } from '@document-service/text-analysis/spelling/misspellings';
import { softwareTerms } from '@document-service/text-analysis/spelling/software-terms';

export const CORPUS = new URL('corpus/', import.meta.url);
const ROOT = new URL('../../', import.meta.url).pathname;

/** Rules were tuned on the even lines of the corpus. The odd ones are held out and only measured. */
export type Half = 'tuned' | 'held out';

/** A mistake in the corpus: a range of the text and its correction. */
interface Edit {
  start: number;
  end: number;
  value: string;
}

interface Score {
  right: number;
  false: number;
  missed: number;
  firstRight: number;
}

export const precision = (score: Score) => score.right / (score.right + score.false);
export const recall = (score: Score) => score.right / (score.right + score.missed);

/** F0.5 of corrections. A finding only counts if its first replacement corrects the text. */
export function correctionScore(score: Score): number {
  const p = score.firstRight / (score.right + score.false);
  const r = score.firstRight / (score.right + score.missed);
  return (1.25 * p * r) / (0.25 * p + r || 1);
}

export class Bench {
  private constructor(
    private readonly english: English,
    private readonly harper: Harper,
  ) {}

  static async open(): Promise<Bench> {
    const dictionaries = await Dictionaries.open();
    const [us, gb] = await Promise.all([
      dictionaries.forLanguage('en'),
      dictionaries.forLanguage('en-GB'),
    ]);
    if (!us || !gb) throw new Error('The English dictionaries are missing.');
    const english = await English.load({ us, gb, softwareTerms: await softwareTerms() });
    return new Bench(english, await Harper.load());
  }

  /** Returns what level medium reports, in units of the text. Throws if a range is wrong or is not in prose. */
  async findings(text: string, format: ProseFormat): Promise<Finding[]> {
    const paragraphs = paragraphsOf(text, format);
    const { frequentWords: usedOften } = wordUse(paragraphs);
    const lints = await this.harper.lintsOf(
      paragraphs.map((paragraph) => readingOf(paragraph).text),
    );
    const inCode = codeWords(text, paragraphs);
    const all: Finding[] = [];
    for (const [index, paragraph] of paragraphs.entries()) {
      const found = this.english.findingsOf(paragraph, lints[index] ?? [], {
        variant: 'en',
        terms: [],
        usedOften,
        inCode,
        level: 'medium',
      });
      for (const finding of found) {
        const start = finding.start + paragraph.start;
        const end = finding.end + paragraph.start;
        if (text.slice(start, end) !== finding.original)
          throw new Error(`${finding.ruleId} has a wrong range.`);
        if (finding.severity !== 'style') all.push({ ...finding, start, end });
      }
    }
    return all;
  }
}

/** `She {go=>goes} home.` */
export function parseLine(line: string): { text: string; edits: Edit[] } {
  let text = '';
  let last = 0;
  const edits: Edit[] = [];
  for (const match of line.matchAll(/\{([^{}]*?)=>([^{}]*?)\}/g)) {
    const [whole, wrong = '', value = ''] = match;
    text += line.slice(last, match.index);
    if (wrong !== value) edits.push({ start: text.length, end: text.length + wrong.length, value });
    text += wrong;
    last = match.index + whole.length;
  }
  return { text: text + line.slice(last), edits };
}

export const corrected = (text: string, edit: Edit) =>
  (text.slice(0, edit.start) + edit.value + text.slice(edit.end))
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

export async function measureSentences(bench: Bench, file: string, half: Half) {
  const score: Score = { right: 0, false: 0, missed: 0, firstRight: 0 };
  let cleanWords = 0;
  let cleanFlags = 0;
  const lines = readFileSync(new URL(file, CORPUS), 'utf8').split('\n').filter(Boolean);
  for (const [index, line] of lines.entries()) {
    if ((index % 2 === 0) !== (half === 'tuned')) continue;
    const { text, edits } = parseLine(line);
    const findings = await bench.findings(text, 'plain');
    if (edits.length === 0) {
      cleanWords += text.split(/\s+/).length;
      cleanFlags += findings.length;
    }
    const open = new Set(edits);
    for (const finding of findings) {
      const edit = [...open].find(
        (other) => finding.start <= other.end && finding.end >= other.start,
      );
      if (!edit) {
        score.false += 1;
        continue;
      }
      open.delete(edit);
      score.right += 1;
      const [first] = finding.replacements;
      if (first && corrected(text, { ...finding, value: first.value }) === corrected(text, edit))
        score.firstRight += 1;
    }
    score.missed += open.size;
  }
  return { score, cleanPer500: (cleanFlags / cleanWords) * 500 };
}

/** Markdown of our dependencies: written by people in many projects. */
export function readmes(): string[] {
  const files: string[] = [];
  const walk = (folder: string, depth: number) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        if (depth < 2 && !/^(?:\.bin|docs?|test|dist|lib|src)$/.test(entry.name))
          walk(join(folder, entry.name), depth + 1);
      } else if (/^readme\.(?:md|markdown)$/i.test(entry.name))
        files.push(join(folder, entry.name));
    }
  };
  walk(join(ROOT, 'node_modules'), 0);
  const seen = new Set<string>();
  return files.sort().filter((file) => {
    const head = readFileSync(file, 'utf8').slice(0, 500);
    // Packages of one family share a text, and mostly Chinese text is not measured here.
    return !/\p{Script=Han}{12}/u.test(head) && !seen.has(head) && seen.add(head);
  });
}

async function measureReadmes(bench: Bench, half: Half) {
  let words = 0;
  let milliseconds = 0;
  const flags: string[] = [];
  for (const [index, file] of readmes().entries()) {
    if (index % 16 !== (half === 'tuned' ? 0 : 8)) continue;
    const text = readFileSync(file, 'utf8');
    const before = process.cpuUsage();
    const findings = await bench.findings(text, 'markdown');
    const { user, system } = process.cpuUsage(before);
    milliseconds += (user + system) / 1000;
    for (const paragraph of paragraphsOf(text, 'markdown'))
      words += readingOf(paragraph).text.split(/\s+/).length;
    for (const { ruleId, original, start, end, replacements } of findings) {
      const context = `${text.slice(Math.max(0, start - 40), start)}⟦${original}→${replacements[0]?.value ?? ''}⟧${text.slice(end, end + 30)}`;
      flags.push(`${ruleId}: ${context.replace(/\s+/g, ' ')} (${relative(ROOT, file)})`);
    }
  }
  return {
    words,
    flags,
    per500: (flags.length / words) * 500,
    perThousand: (milliseconds / words) * 1000,
  };
}

/** Deterministic: the same mistakes in the same places in every run. */
export function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

async function measureMisspellings(bench: Bench, half: Half) {
  const byWord = new Map<string, string[]>();
  const lines = readFileSync(new URL('misspellings.txt', CORPUS), 'utf8').trim().split('\n');
  for (const [index, line] of lines.entries()) {
    if ((index % 2 === 0) !== (half === 'tuned')) continue;
    const blank = line.indexOf(' ');
    const right = line.slice(blank + 1);
    byWord.set(right, [...(byWord.get(right) ?? []), line.slice(0, blank)]);
  }
  const random = pseudoRandom(7);
  const score: Score = { right: 0, false: 0, missed: 0, firstRight: 0 };
  const sure = { all: 0, right: 0 };
  for (const [index, file] of readmes().entries()) {
    const text = readFileSync(file, 'utf8');
    if (index % 8 !== 3 || text.length > 20_000) continue;
    const { seeded, edits } = seed(text, byWord, random);
    if (edits.length === 0) continue;
    // Existing mistakes of the text are not false findings.
    const before = new Set(
      (await bench.findings(text, 'markdown')).map((finding) => finding.original),
    );
    const open = new Set(edits);
    for (const finding of await bench.findings(seeded, 'markdown')) {
      const edit = [...open].find(
        (other) => finding.start < other.end && finding.end > other.start,
      );
      if (edit) {
        open.delete(edit);
        countCorrection(finding, edit, score, sure);
      } else if (finding.category === 'spelling' && !before.has(finding.original)) score.false += 1;
    }
    score.missed += open.size;
  }
  return { score, sure };
}

function countCorrection(
  finding: Finding,
  edit: Edit,
  score: Score,
  sure: { all: number; right: number },
): void {
  const [first] = finding.replacements;
  const isRight = first?.value === edit.value;
  score.right += 1;
  if (isRight) score.firstRight += 1;
  if (!first || first.confidence < 0.9) return;
  sure.all += 1;
  if (isRight) sure.right += 1;
}

function seed(text: string, byWord: ReadonlyMap<string, string[]>, random: () => number) {
  let seeded = '';
  let last = 0;
  const edits: Edit[] = [];
  for (const paragraph of paragraphsOf(text, 'markdown')) {
    for (const match of paragraph.prose.matchAll(/(?<![\w\ufffc'-])[a-z]+(?![\w\ufffc'-])/g)) {
      const wrongs = byWord.get(match[0]);
      if (
        !wrongs ||
        edits.length >= 6 ||
        random() < 0.4 ||
        edits.some((edit) => edit.value === match[0])
      )
        continue;
      const wrong = wrongs[Math.floor(random() * wrongs.length)] ?? '';
      const at = paragraph.start + match.index;
      seeded += text.slice(last, at);
      edits.push({ start: seeded.length, end: seeded.length + wrong.length, value: match[0] });
      seeded += wrong;
      last = at + match[0].length;
    }
  }
  return { seeded: seeded + text.slice(last), edits };
}

/** The text around a mistake must not hide it. */
const SURROUNDINGS: readonly [string, string, string][] = [
  ['emoji', '😀👨‍👩‍👧 ', ' 🎉🇩🇪'],
  ['combining marks', 'Cafe\u0301 re\u0301sume\u0301: ', ' nai\u0308ve'],
  ['right to left', 'שלום עולם. ', ' مرحبا'],
  ['CJK', '日本語です。', '（中文）'],
  ['CRLF', 'First line.\r\n\r\n', '\r\nLast line.'],
  ['invisible', '\u200b\u2060', '\u00ad'],
];

async function measureSurroundings(bench: Bench) {
  const rows: string[] = [];
  const lines = readFileSync(new URL('grammar.txt', CORPUS), 'utf8')
    .split('\n')
    .filter((line) => line.includes('=>'))
    .slice(0, 60);
  const count = async (before: string, after: string) => {
    let found = 0;
    for (const line of lines) {
      const { text, edits } = parseLine(line);
      const findings = await bench.findings(before + text + after, 'plain');
      const shift = before.length;
      found += edits.filter((edit) =>
        findings.some(
          (finding) => finding.start <= edit.end + shift && finding.end >= edit.start + shift,
        ),
      ).length;
    }
    return found;
  };
  const plain = await count('', '');
  for (const [name, before, after] of SURROUNDINGS) {
    rows.push(`| ${name} | ${String(await count(before, after))} of ${String(plain)} |`);
  }
  return rows;
}

export const percent = (value: number) => value.toFixed(3);

export async function measureEnglish(): Promise<string> {
  const bench = await Bench.open();
  // The first text loads Harper.
  await bench.findings('This is the first text, and it takes seconds.', 'plain');
  const rows = [
    '| class | half | precision | recall | correction F0.5 | first right | flags per 500 clean words |',
    '|---|---|---|---|---|---|---|',
  ];
  const checks: string[] = [];
  for (const half of ['tuned', 'held out'] as const) {
    for (const [name, file] of [
      ['learner', 'learner.txt'],
      ['grammar', 'grammar.txt'],
    ] as const) {
      const { score, cleanPer500 } = await measureSentences(bench, file, half);
      rows.push(
        `| ${name} | ${half} | ${percent(precision(score))} | ${percent(recall(score))} | ${(100 * correctionScore(score)).toFixed(1)} | ${percent(score.firstRight / score.right)} | ${cleanPer500.toFixed(2)} |`,
      );
    }
    const { score, sure } = await measureMisspellings(bench, half);
    rows.push(
      `| misspellings in Markdown (${String(score.right + score.missed)}) | ${half} | ${percent(precision(score))} | ${percent(recall(score))} | | ${percent(score.firstRight / score.right)} | confidence ≥ 0.9 right: ${String(sure.right)} of ${String(sure.all)} |`,
    );
    const clean = await measureReadmes(bench, half);
    rows.push(
      `| READMEs (${String(clean.words)} words) | ${half} | | | | | ${clean.per500.toFixed(2)}; ${clean.perThousand.toFixed(0)} ms of processor per 1,000 words |`,
    );
    checks.push(...clean.flags);
  }
  const surroundings = await measureSurroundings(bench);
  return [
    ...rows,
    '',
    '| around the mistake | found |',
    '|---|---|',
    ...surroundings,
    '',
    'Findings in READMEs, to be checked by hand:',
    '',
    ...checks.map((check) => `- ${check}`),
    '',
  ].join('\n');
}
