import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@document-service/text-analysis/analysis';
import { linesIn, readSections } from '@document-service/text-analysis/data-file';
import { Engine } from '@document-service/text-analysis/engine';
import { LanguageDetector } from '@document-service/text-analysis/language/language';
import { paragraphsOf } from '@document-service/text-analysis/paragraphs';
import type { Paragraph } from '@document-service/text-analysis/text/prose';
import { readingOf } from '@document-service/text-analysis/text/reading';
import type { Dictionary } from '@document-service/text-analysis/spelling/dictionary';
import { Dictionaries } from '@document-service/text-analysis/spelling/hunspell';
import {
  type CandidateCache,
  misspellings,
  type SpellingContext,
  wordUse,
} from '@document-service/text-analysis/spelling/misspellings';
import { softwareTerms } from '@document-service/text-analysis/spelling/software-terms';
import { type SpelledWord, spelledWords } from '@document-service/text-analysis/spelling/words';
import {
  corrects,
  engineRequest,
  pair,
  parseLine,
  resultOf,
  SAFE,
  share,
  table,
  timed,
} from './corpus.js';

/**
 * Our own corpora in languages/. `short.<code>.txt` has sentences, and `texts.<code>.md` has five everyday and five
 * technical paragraphs. Weights were fitted to the odd lines, but mistakes in the even lines were also seen during
 * development. To measure unseen texts, add new ones.
 */
const FOLDER = join(import.meta.dirname, 'languages');

const MAIN_LANGUAGES = 'en de fr es pt it nl pl da sv ru ja zh'.split(' ');
const SPELLED_LANGUAGES = 'de fr es pt nl pl da sv'.split(' ');

const WORDS_OF_A_SHORT_TEXT = 5;

interface Share {
  right: number;
  of: number;
}

/** Returns Markdown tables. */
export async function measureLanguages(): Promise<string> {
  const detector = await LanguageDetector.load();
  const detect = (text: string) => detector.detect(text).code;
  const rows = MAIN_LANGUAGES.map((language) => {
    const isRight = (text: string) => detect(text) === language;
    const lines = fileLines(`short.${language}.txt`).map((line) => firstWords(line, language));
    return {
      language,
      shares: [
        ...[0, 1].map((half) =>
          count(
            lines.filter((_, index) => index % 2 === half),
            isRight,
          ),
        ),
        count(paragraphTexts(language), isRight),
      ],
    };
  });
  const all = [0, 1, 2].map((column) => total(rows.map(({ shares }) => shares[column])));
  const labelled = (file: string, others: string[] = []): string => {
    return percent(
      count(fileLines(file), (line) => {
        const [expected = ''] = line.split(' ', 1);
        return [expected, ...others].includes(detect(line.slice(expected.length + 1)));
      }),
    );
  };
  return [
    table('language | five words, odd lines | five words, even lines | paragraphs', [
      ...rows.map(({ language, shares }) => [language, ...shares.map(percent)]),
      ['all', ...all.map(percent)],
    ]),
    `Languages without support are \`und\` or themselves: ${labelled('unsupported.txt', ['und'])}. ` +
      `Other supported languages: ${labelled('others.txt')}.\n`,
    table(
      'spelling | paragraphs | words | false findings per 500 words | seeded | precision | recall | first replacement right | among five | safe ones right | ms CPU per 1,000 seeded words',
      await measureSpelling(),
    ),
    table(
      'mistakes | sentences | found | first replacement right | other findings',
      await measureMistakes(),
    ),
  ].join('\n');
}

const percent = ({ right, of }: Share): string => `${((100 * right) / of).toFixed(1)} %`;

function total(shares: readonly (Share | undefined)[]): Share {
  const sum = { right: 0, of: 0 };
  for (const share of shares) {
    sum.right += share?.right ?? 0;
    sum.of += share?.of ?? 0;
  }
  return sum;
}

function count(texts: readonly string[], isRight: (text: string) => boolean): Share {
  return { right: texts.filter(isRight).length, of: texts.length };
}

function fileLines(file: string): string[] {
  return readFileSync(join(FOLDER, file), 'utf8').trim().split('\n');
}

function paragraphTexts(language: string): string[] {
  return readFileSync(join(FOLDER, `texts.${language}.md`), 'utf8')
    .trim()
    .split(/\n\n+/u);
}

function firstWords(text: string, language: string): string {
  if (language !== 'ja' && language !== 'zh')
    return text.split(/\s+/u).slice(0, WORDS_OF_A_SHORT_TEXT).join(' ');
  const words = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(text)].filter(
    ({ isWordLike }) => isWordLike,
  );
  const last = words[WORDS_OF_A_SHORT_TEXT - 1] ?? words.at(-1);
  return last ? text.slice(0, last.index + last.segment.length) : text;
}

// --------------------------------------------------------------------------------------------------------------- Spelling

/** The constants of the candidates were fitted to other texts, in which mistakes were seeded in the same way. */
const HALVES = ['odd', 'even'] as const;

/** Number of times that each text is seeded, each time with different mistakes. */
const ROUNDS = 5;
const MISTAKES_OF_A_PARAGRAPH = 4;

async function measureSpelling(): Promise<(string | number)[][]> {
  const dictionaries = await Dictionaries.open();
  const terms = await softwareTerms();
  const english = await dictionaries.forLanguage('en');
  const rows: (string | number)[][] = [];
  for (const language of SPELLED_LANGUAGES) {
    const dictionary = await dictionaries.forLanguage(language);
    if (!dictionary) throw new Error(`There is no dictionary for ${language}.`);
    const text = readFileSync(join(FOLDER, `texts.${language}.md`), 'utf8');
    const paragraphs = paragraphsOf(text, 'markdown');
    const context: SpellingContext = {
      ...wordUse(paragraphs),
      accountWords: new Set(),
      terms,
      otherLanguages: english ? [english] : [],
    };
    for (const [index, half] of HALVES.entries()) {
      const own = paragraphs.filter((_, at) => at % 2 === index);
      rows.push([language, half, ...(await measureText(own, dictionary, context))]);
    }
  }
  return rows;
}

async function measureText(
  paragraphs: readonly Paragraph[],
  dictionary: Dictionary,
  context: SpellingContext,
): Promise<(string | number)[]> {
  const random = new Random(11);
  const cache: CandidateCache = new Map();
  const find = (paragraph: Paragraph) => misspellings(paragraph, dictionary, context, cache);
  const words = paragraphs.reduce(
    (sum, { prose }) => sum + spelledWords(prose, dictionary.language).length,
    0,
  );
  const clean = paragraphs.flatMap(find).length;
  const sums = { found: 0, missed: 0, wrong: 0, corrected: 0, amongFive: 0, safe: 0, safeRight: 0 };
  const { milliseconds } = await timed(() => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const paragraph of paragraphs) {
        const seeded = seed(paragraph, dictionary, random);
        judge(seeded, find(seeded.paragraph), sums);
      }
    }
  });
  const seeds = sums.found + sums.missed;
  return [
    words,
    ((clean / words) * 500).toFixed(2),
    seeds,
    (sums.found / (sums.found + sums.wrong)).toFixed(3),
    (sums.found / seeds).toFixed(3),
    (sums.corrected / sums.found).toFixed(3),
    (sums.amongFive / sums.found).toFixed(3),
    share(sums.safeRight, sums.safe),
    ((milliseconds * 1_000) / (words * ROUNDS)).toFixed(0),
  ];
}

interface Seeded {
  paragraph: Paragraph;
  mistakes: { start: number; end: number; right: string }[];
}

/**
 * Puts mistakes into a paragraph of prose without masks. A dictionary cannot detect a mistake that makes another word, so
 * there are none of these.
 */
function seed(paragraph: Paragraph, dictionary: Dictionary, random: Random): Seeded {
  const prose = readingOf(paragraph).text;
  const words = spelledWords(prose, dictionary.language).filter((word) =>
    canBeMisspelled(word, dictionary),
  );
  const step = Math.max(1, Math.floor(words.length / MISTAKES_OF_A_PARAGRAPH));
  const mistakes: Seeded['mistakes'] = [];
  let text = '';
  let end = 0;
  for (let index = random.below(step); index < words.length; index += step) {
    const word = words[index];
    if (!word || prose.slice(word.start, word.end) !== word.word) continue;
    const wrong = misspelled(word.word, random);
    if (wrong === word.word || dictionary.knows(wrong)) continue;
    text += prose.slice(end, word.start);
    mistakes.push({ start: text.length, end: text.length + wrong.length, right: word.word });
    text += wrong;
    ({ end } = word);
  }
  text += prose.slice(end);
  return {
    paragraph: { kind: paragraph.kind, start: 0, end: text.length, prose: text, masked: [] },
    mistakes,
  };
}

/** Words of four letters or more that are not names. */
function canBeMisspelled({ word }: SpelledWord, dictionary: Dictionary): boolean {
  const isCapitalised = word.charAt(0) !== word.charAt(0).toLowerCase();
  return (
    word.length >= 4 && (!isCapitalised || dictionary.language === 'de') && dictionary.knows(word)
  );
}

const KEYS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Makes one slip: swaps, omits or doubles a letter, hits an adjacent key, or omits an accent. */
function misspelled(word: string, random: Random): string {
  const at = 1 + random.below(word.length - 2);
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  switch (random.below(6)) {
    case 0:
      return before + after.charAt(0) + letter + after.slice(1);
    case 1:
      return before + after;
    case 2:
      return before + letter + letter + after;
    case 3:
      return before + neighbour(letter) + after;
    case 4:
      return before + neighbour(letter) + letter + after;
    default: {
      const plain = word.normalize('NFD').replace(/\p{M}/gu, '');
      return plain === word ? before + after.charAt(0) + letter + after.slice(1) : plain;
    }
  }
}

function neighbour(letter: string): string {
  for (const row of KEYS) {
    const at = row.indexOf(letter);
    if (at >= 0) return row.charAt(at + 1) || row.charAt(at - 1);
  }
  return 'e';
}

interface Sums {
  found: number;
  missed: number;
  wrong: number;
  corrected: number;
  amongFive: number;
  safe: number;
  safeRight: number;
}

function judge({ paragraph, mistakes }: Seeded, findings: readonly Finding[], sums: Sums): void {
  const touches = (finding: Finding, mistake: { start: number; end: number }) =>
    finding.start < mistake.end && finding.end > mistake.start;
  for (const mistake of mistakes) {
    const finding = findings.find((one) => touches(one, mistake));
    if (!finding) {
      sums.missed += 1;
      continue;
    }
    sums.found += 1;
    const isRight = finding.replacements.map(
      ({ value }) =>
        paragraph.prose.slice(mistake.start, finding.start) +
          value +
          paragraph.prose.slice(finding.end, mistake.end) ===
        mistake.right,
    );
    if (isRight[0]) sums.corrected += 1;
    if (isRight.includes(true)) sums.amongFive += 1;
    if ((finding.replacements[0]?.confidence ?? 0) < SAFE) continue;
    sums.safe += 1;
    if (isRight[0]) sums.safeRight += 1;
  }
  sums.wrong += findings.filter(
    (finding) => !mistakes.some((mistake) => touches(finding, mistake)),
  ).length;
}

/** A linear congruential generator: the same mistakes in every run. */
class Random {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (this.state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((this.state / 2 ** 31) * limit);
  }
}

// --------------------------------------------------------------------------------------------------------------- Mistakes

async function measureMistakes(): Promise<string[][]> {
  const engine = new Engine(undefined);
  const sections = readSections(import.meta.url, 'languages/mistakes.txt');
  const rows: string[][] = [];
  for (const language of sections.keys()) {
    for (const [index, half] of HALVES.entries()) {
      const sums = { mistakes: 0, found: 0, corrected: 0, wrong: 0 };
      for (const line of linesIn(sections, language).filter((_, at) => at % 2 === index)) {
        const { text, edits } = parseLine(line);
        const request = { content: text, format: 'plain', language, level: 'high' } as const;
        const { issues } = resultOf(await engine.analyze(engineRequest(request)));
        const { pairs } = pair(issues, edits);
        sums.mistakes += edits.length;
        for (const { report, edit } of pairs) {
          if (edit) sums.found += 1;
          else sums.wrong += 1;
          if (edit && corrects(text, report, edit)) sums.corrected += 1;
        }
      }
      const { mistakes, found, corrected, wrong } = sums;
      rows.push([language, half, share(found, mistakes), share(corrected, found), String(wrong)]);
    }
  }
  return rows;
}
