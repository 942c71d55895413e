import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Finding } from '@document-service/text-analysis/analysis';
import { English } from '@document-service/text-analysis/english/english';
import { Harper } from '@document-service/text-analysis/english/harper';
import { paragraphsOf, type ProseFormat } from '@document-service/text-analysis/paragraphs';
import { Dictionaries } from '@document-service/text-analysis/spelling/hunspell';
import { wordUse } from '@document-service/text-analysis/spelling/misspellings';
import { softwareTerms } from '@document-service/text-analysis/spelling/software-terms';
import { codeWords } from '@document-service/text-analysis/text/code-words';
import { readingOf } from '@document-service/text-analysis/text/reading';
import {
  confidenceOf,
  corrects,
  HALVES,
  linesOf,
  list,
  pair,
  parseLine,
  pseudoRandom,
  readmes,
  ROOT,
  SAFE,
  share,
  table,
  timed,
  type Edit,
  type Half,
} from './corpus.js';

/** Sentences with mistakes, and correct ones that look like them. */
const SENTENCES = ['learner.txt', 'grammar.txt', 'rules.txt'] as const;
const SPELLING_RULES = new Set(['spelling.unknown-word', 'casing.proper-name']);
/** Lower limits of the groups in which confidence is compared with the share of right replacements. */
const CONFIDENCE_GROUPS = [0.9, 0.8, 0.6, 0];

class Score {
  right = 0;
  wrong = 0;
  missed = 0;
  firstRight = 0;

  get precision(): number {
    return this.right / (this.right + this.wrong);
  }

  get recall(): number {
    return this.right / (this.right + this.missed);
  }

  /** F0.5 of corrections. A finding only counts if its first replacement corrects the text. */
  get correction(): number {
    const precision = this.firstRight / (this.right + this.wrong);
    const recall = this.firstRight / (this.right + this.missed);
    return (1.25 * precision * recall) / (0.25 * precision + recall || 1);
  }
}

class Bench {
  private constructor(
    private readonly english: English,
    private readonly harper: Harper,
  ) {}

  static async open(): Promise<Bench> {
    const dictionaries = await Dictionaries.open();
    const us = await dictionaries.forLanguage('en');
    const gb = await dictionaries.forLanguage('en-GB');
    if (!us || !gb) throw new Error('The English dictionaries are missing.');
    const english = await English.load({ us, gb, softwareTerms: await softwareTerms() });
    return new Bench(english, await Harper.load());
  }

  /** Returns what level medium reports, in units of the text. Throws if a range is wrong or is not in prose. */
  async findings(text: string, format: ProseFormat): Promise<Finding[]> {
    const paragraphs = paragraphsOf(text, format);
    const { frequentWords: usedOften } = wordUse(paragraphs);
    const readings = paragraphs.map((paragraph) => readingOf(paragraph).text);
    const lints = await this.harper.lintsOf(readings);
    const inCode = codeWords(text, paragraphs);
    const options = { variant: 'en', terms: [], usedOften, inCode, level: 'medium' } as const;
    return paragraphs.flatMap((paragraph, index) => {
      const found = this.english.findingsOf(paragraph, lints[index] ?? [], options);
      return found
        .map((finding) => {
          const [start, end] = [finding.start + paragraph.start, finding.end + paragraph.start];
          if (text.slice(start, end) === finding.original) return { ...finding, start, end };
          throw new Error(`${finding.ruleId} has a wrong range.`);
        })
        .filter(({ severity }) => severity !== 'style');
    });
  }
}

async function measureSentences(bench: Bench, file: string, half: Half) {
  const score = new Score();
  let [cleanWords, cleanFlags] = [0, 0];
  /** Safe changes that do not concern spelling, and the right ones. */
  const safe = { right: 0, all: 0 };
  for (const line of linesOf(file, half)) {
    const { text, edits } = parseLine(line);
    const findings = await bench.findings(text, 'plain');
    if (edits.length === 0) {
      cleanWords += text.split(/\s+/).length;
      cleanFlags += findings.length;
    }
    const { pairs, missed } = pair(findings, edits);
    score.missed += missed.length;
    for (const { report, edit } of pairs) {
      if (!edit) score.wrong += 1;
      else score.right += 1;
      if (edit && corrects(text, report, edit)) score.firstRight += 1;
      if (confidenceOf(report) < SAFE || report.category === 'spelling') continue;
      safe.all += 1;
      if (edits.some((one) => corrects(text, report, one))) safe.right += 1;
    }
  }
  return { score, safe, per500: (cleanFlags / cleanWords) * 500 };
}

/** Correct prose of many kinds. */
async function measureProse(bench: Bench, half: Half) {
  const flags: string[] = [];
  let words = 0;
  for (const line of linesOf('prose.txt', half)) {
    words += line.split(/\s+/).length;
    for (const { ruleId, original, replacements } of await bench.findings(line, 'plain'))
      flags.push(`${ruleId}: ${original} → ${replacements[0]?.value ?? ''} (${line})`);
  }
  return { words, flags, per500: (flags.length / words) * 500 };
}

async function measureReadmes(bench: Bench, half: Half) {
  let [words, milliseconds] = [0, 0];
  const flags: string[] = [];
  for (const file of readmes().filter((_, index) => index % 16 === (half === 'tuned' ? 0 : 8))) {
    const text = readFileSync(file, 'utf8');
    const { result: findings, ...spent } = await timed(() => bench.findings(text, 'markdown'));
    milliseconds += spent.milliseconds;
    for (const paragraph of paragraphsOf(text, 'markdown'))
      words += readingOf(paragraph).text.split(/\s+/).length;
    for (const { ruleId, original, start, end, replacements } of findings) {
      const context = `${text.slice(Math.max(0, start - 40), start)}⟦${original}→${replacements[0]?.value ?? ''}⟧${text.slice(end, end + 30)}`;
      flags.push(`${ruleId}: ${context.replace(/\s+/g, ' ')} (${relative(ROOT, file)})`);
    }
  }
  const [per500, perThousand] = [(flags.length / words) * 500, (milliseconds / words) * 1_000];
  return { words, flags, per500, perThousand };
}

/** Puts known misspellings into READMEs. */
async function measureMisspellings(bench: Bench, half: Half) {
  const byWord = new Map<string, string[]>();
  for (const line of linesOf('misspellings.txt', half)) {
    const [wrong = '', ...right] = line.split(' ');
    const word = right.join(' ');
    byWord.set(word, [...(byWord.get(word) ?? []), wrong]);
  }
  const random = pseudoRandom(7);
  const score = new Score();
  const safe = { right: 0, all: 0 };
  for (const file of readmes().filter((_, index) => index % 8 === 3)) {
    const text = readFileSync(file, 'utf8');
    if (text.length > 20_000) continue;
    const { seeded, edits } = seed(text, byWord, random);
    if (edits.length === 0) continue;
    // Existing mistakes of the text are not false findings.
    const found = await bench.findings(text, 'markdown');
    const before = new Set(found.map(({ original }) => original));
    const { pairs, missed } = pair(await bench.findings(seeded, 'markdown'), edits);
    score.missed += missed.length;
    for (const { report, edit } of pairs) {
      if (!edit) {
        if (report.category === 'spelling' && !before.has(report.original)) score.wrong += 1;
        continue;
      }
      const isRight = report.replacements[0]?.value === edit.value;
      score.right += 1;
      if (isRight) score.firstRight += 1;
      if (confidenceOf(report) < SAFE) continue;
      safe.all += 1;
      if (isRight) safe.right += 1;
    }
  }
  return { score, safe };
}

function seed(text: string, byWord: ReadonlyMap<string, string[]>, random: () => number) {
  let seeded = '';
  let last = 0;
  const edits: Edit[] = [];
  for (const paragraph of paragraphsOf(text, 'markdown')) {
    for (const match of paragraph.prose.matchAll(/(?<![\w\ufffc'-])[a-z]+(?![\w\ufffc'-])/g)) {
      const wrongs = byWord.get(match[0]);
      const at = paragraph.start + match.index;
      if (!wrongs || edits.length >= 6 || random() < 0.4) continue;
      if (edits.some(({ value }) => value === match[0])) continue;
      const wrong = wrongs[Math.floor(random() * wrongs.length)] ?? '';
      seeded += text.slice(last, at);
      edits.push({ start: seeded.length, end: seeded.length + wrong.length, value: match[0] });
      seeded += wrong;
      last = at + match[0].length;
    }
  }
  return { seeded: seeded + text.slice(last), edits };
}

interface Judged {
  confidence: number;
  isRight: boolean;
}

/**
 * English spelling: letters, learners' essays and Markdown with marked mistakes, and correct lines with names, dialect,
 * foreign words and jargon. The limits in `english-judgement.ts` were chosen with the tuned half. A line is Markdown.
 */
async function measureSpelling(bench: Bench, half: Half) {
  const judged: Judged[] = [];
  const notes: string[] = [];
  let [found, wanted, wrong, cleanWords] = [0, 0, 0, 0];
  for (const line of linesOf('spelling.txt', half)) {
    const { text, edits } = parseLine(line);
    wanted += edits.length;
    if (edits.length === 0) cleanWords += text.split(/\s+/).length;
    const { pairs, missed } = pair(await bench.findings(text, 'markdown'), edits);
    for (const { report, edit } of pairs) {
      // A rule of grammar may correct the word, but other findings of such rules are not measured here.
      if (!edit && !SPELLING_RULES.has(report.ruleId)) continue;
      if (edit) found += 1;
      else {
        wrong += 1;
        notes.push(`${half}, false: ${report.original} → ${report.replacements[0]?.value ?? ''}`);
      }
      const isRight = edit !== undefined && corrects(text, report, edit);
      judged.push({ confidence: confidenceOf(report), isRight });
    }
    for (const { start, end, value } of missed)
      notes.push(`${half}, missed: ${text.slice(start, end)} → ${value}`);
  }
  const right = (some: Judged[]): string =>
    share(some.filter(({ isRight }) => isRight).length, some.length);
  const groups = CONFIDENCE_GROUPS.map((from, index) => {
    const to = CONFIDENCE_GROUPS[index - 1] ?? Infinity;
    return right(judged.filter(({ confidence }) => confidence >= from && confidence < to));
  });
  const row = [share(found, wanted), share(found, found + wrong), ...groups];
  return { row: [half, ...row, `${String(wrong)} in ${String(cleanWords)} words`], notes };
}

/** Returns tables of precision and recall of English, and findings that somebody must check. */
export async function measureEnglish(): Promise<string> {
  const bench = await Bench.open();
  // The first text loads Harper.
  await bench.findings('This is the first text, and it takes seconds.', 'plain');
  const rows: (string | number)[][] = [];
  const spelling: (string | number)[][] = [];
  const [toCheck, notes]: [string[], string[]] = [[], []];
  const cells = ({ precision, recall, correction, firstRight, right }: Score): string[] => [
    ...[precision, recall].map((value) => value.toFixed(3)),
    (100 * correction).toFixed(1),
    (firstRight / right).toFixed(3),
  ];
  const clean = (name: string, half: Half, words: number, per500: number, cost = ''): void => {
    rows.push([`${name} (${String(words)} words)`, half, '', '', '', '', per500.toFixed(2), cost]);
  };
  for (const half of HALVES) {
    for (const file of SENTENCES) {
      const { score, safe, per500 } = await measureSentences(bench, file, half);
      rows.push([file, half, ...cells(score), per500.toFixed(2), share(safe.right, safe.all)]);
    }
    const { score, safe } = await measureMisspellings(bench, half);
    rows.push(['misspellings.txt', half, ...cells(score), '', share(safe.right, safe.all)]);
    const prose = await measureProse(bench, half);
    clean('prose.txt', half, prose.words, prose.per500);
    // The other half stays unseen.
    if (half === 'tuned') toCheck.push(...prose.flags);
    const texts = await measureReadmes(bench, half);
    const cost = `${texts.perThousand.toFixed(0)} ms of CPU per 1,000 words`;
    clean('READMEs', half, texts.words, texts.per500, cost);
    toCheck.push(...texts.flags);
    const measured = await measureSpelling(bench, half);
    spelling.push(measured.row);
    notes.push(...measured.notes);
  }
  const groups = CONFIDENCE_GROUPS.map((from) => `right from ${String(from)}`).join(' | ');
  return [
    table(
      'class | half | precision | recall | correction F0.5 | first right | flags per 500 clean words | safe changes right',
      rows,
    ),
    table(
      `spelling.txt | found | precision | ${groups} of confidence | flags in correct lines`,
      spelling,
    ),
    list('Findings in prose and READMEs, to be checked by hand', toCheck),
    list('Spelling', notes),
  ].join('\n');
}
