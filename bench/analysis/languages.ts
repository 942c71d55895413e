import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@document-service/text-analysis/analysis';
import { CHECKS, type AnalysisResult } from '@document-service/text-analysis/analysis';
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

/**
 * Our own corpora in languages/. `short.<code>.txt` has sentences, and `texts.<code>.md` has five everyday and five
 * technical paragraphs. Weights were fitted to the odd lines, but mistakes in the even lines were also seen during
 * development. To measure unseen texts, add new ones.
 */
const FOLDER = join(import.meta.dirname, 'languages');

const MAIN_LANGUAGES = 'en de fr es pt it nl pl da sv ru ja zh'.split(' ');
const SPELLED_LANGUAGES = 'de fr es pt nl pl da sv'.split(' ');

const WORDS_OF_A_SHORT_TEXT = 5;

export interface Share {
  name: string;
  right: number;
  of: number;
}

interface SpellingQuality {
  language: string;
  half: string;
  words: number;
  falseFindingsPer500Words: number;
  seeded: number;
  precision: number;
  recall: number;
  firstReplacementRight: number;
  amongFiveRight: number;
  /** Findings whose first replacement has a confidence of 0.9 or more, and the right ones. */
  safe: Share;
  /** CPU time, in ms. Seeded text has more mistakes than usual. */
  msPer1000Words: number;
}

/** Results for the sentences of a language in mistakes.txt. */
interface MistakeQuality {
  language: string;
  half: string;
  found: Share;
  corrected: Share;
  /** Findings besides the mistakes. */
  wrong: number;
}

interface LanguageQuality {
  shortFitted: Share[];
  shortHeldOut: Share[];
  paragraphs: Share[];
  /** Correct: the language itself or `und`. */
  unsupported: Share;
  others: Share;
  spelling: SpellingQuality[];
  mistakes: MistakeQuality[];
}

export async function measureLanguages(): Promise<LanguageQuality> {
  const detector = await LanguageDetector.load();
  const detect = (text: string) => detector.detect(text).code;
  const short = (language: string, half: 0 | 1): Share => {
    const lines = linesOf(`short.${language}.txt`).filter((_, index) => index % 2 === half);
    return count(language, lines, (line) => detect(firstWords(line, language)) === language);
  };
  const labelled = (file: string, isRight: (code: string, expected: string) => boolean): Share =>
    count(file, linesOf(file), (line) => {
      const [expected = ''] = line.split(' ', 1);
      return isRight(detect(line.slice(expected.length + 1)), expected);
    });
  return {
    shortFitted: MAIN_LANGUAGES.map((language) => short(language, 0)),
    shortHeldOut: MAIN_LANGUAGES.map((language) => short(language, 1)),
    paragraphs: MAIN_LANGUAGES.map((language) =>
      count(language, paragraphTexts(language), (text) => detect(text) === language),
    ),
    unsupported: labelled(
      'unsupported.txt',
      (code, expected) => code === expected || code === 'und',
    ),
    others: labelled('others.txt', (code, expected) => code === expected),
    spelling: await measureSpelling(),
    mistakes: await measureMistakes(),
  };
}

function count(name: string, texts: readonly string[], isRight: (text: string) => boolean): Share {
  return { name, right: texts.filter(isRight).length, of: texts.length };
}

function linesOf(file: string): string[] {
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

async function measureSpelling(): Promise<SpellingQuality[]> {
  const dictionaries = await Dictionaries.open();
  const terms = await softwareTerms();
  const english = await dictionaries.forLanguage('en');
  const measured: SpellingQuality[] = [];
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
      measured.push({ ...measureText(own, dictionary, context), half });
    }
  }
  return measured;
}

function measureText(
  paragraphs: readonly Paragraph[],
  dictionary: Dictionary,
  context: SpellingContext,
): Omit<SpellingQuality, 'half'> {
  const random = new Random(11);
  const cache: CandidateCache = new Map();
  const find = (paragraph: Paragraph) => misspellings(paragraph, dictionary, context, cache);
  const words = paragraphs.reduce(
    (sum, { prose }) => sum + spelledWords(prose, dictionary.language).length,
    0,
  );
  const clean = paragraphs.flatMap(find).length;
  const sums = { found: 0, missed: 0, wrong: 0, corrected: 0, amongFive: 0, safe: 0, safeRight: 0 };
  const started = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const paragraph of paragraphs) {
      const seeded = seed(paragraph, dictionary, random);
      judge(seeded, find(seeded.paragraph), sums);
    }
  }
  const { user, system } = process.cpuUsage(started);
  const seeds = sums.found + sums.missed;
  return {
    language: dictionary.language,
    words,
    falseFindingsPer500Words: (clean / words) * 500,
    seeded: seeds,
    precision: sums.found / (sums.found + sums.wrong),
    recall: sums.found / seeds,
    firstReplacementRight: sums.corrected / sums.found,
    amongFiveRight: sums.amongFive / sums.found,
    safe: { name: 'safe', right: sums.safeRight, of: sums.safe },
    msPer1000Words: (user + system) / (words * ROUNDS),
  };
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

/** Confidence from which a replacement is applied without review. */
const SAFE = 0.9;

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

async function measureMistakes(): Promise<MistakeQuality[]> {
  const engine = new Engine(undefined);
  const sections = readSections(import.meta.url, 'languages/mistakes.txt');
  const measured: MistakeQuality[] = [];
  for (const language of sections.keys()) {
    for (const [index, half] of HALVES.entries()) {
      const lines = linesIn(sections, language).filter((_, at) => at % 2 === index);
      const sums = { mistakes: 0, found: 0, corrected: 0, wrong: 0 };
      for (const line of lines) await judgeLine(engine, language, line, sums);
      measured.push({
        language,
        half,
        found: { name: 'found', right: sums.found, of: sums.mistakes },
        corrected: { name: 'corrected', right: sums.corrected, of: sums.found },
        wrong: sums.wrong,
      });
    }
  }
  return measured;
}

const MARKED = /\{([^}]*?)=>([^}]*)\}/u;

async function judgeLine(
  engine: Engine,
  language: string,
  line: string,
  sums: { mistakes: number; found: number; corrected: number; wrong: number },
): Promise<void> {
  const mistakes: { start: number; end: number; right: string }[] = [];
  let text = line;
  for (let match = MARKED.exec(text); match; match = MARKED.exec(text)) {
    const [marked, wrong = '', right = ''] = match;
    mistakes.push({ start: match.index, end: match.index + wrong.length, right });
    text = text.slice(0, match.index) + wrong + text.slice(match.index + marked.length);
  }
  const issues = await issuesIn(engine, language, text);
  for (const { start, end, right } of mistakes) {
    sums.mistakes += 1;
    const issue = issues.find((one) => one.start < end && one.end > start);
    if (!issue) continue;
    sums.found += 1;
    const value = issue.replacements[0]?.value ?? issue.original;
    const corrected = text.slice(start, issue.start) + value + text.slice(issue.end, end);
    if (corrected === right) sums.corrected += 1;
  }
  sums.wrong += issues.filter(
    (issue) => !mistakes.some(({ start, end }) => issue.start < end && issue.end > start),
  ).length;
}

async function issuesIn(
  engine: Engine,
  language: string,
  content: string,
): Promise<AnalysisResult['issues']> {
  const request = {
    content,
    format: 'plain' as const,
    settings: { checks: [...CHECKS], language, suggestionLevel: 'high' as const },
    rules: { words: [], styleRules: [] },
    dismissed: [],
    kept: null,
  };
  const { result } = await engine.analyze(request);
  return (JSON.parse(result) as AnalysisResult).issues;
}

// --------------------------------------------------------------------------------------------------------------- Report

/** Returns Markdown tables. */
export function renderLanguages(quality: LanguageQuality): string {
  const total = (shares: readonly Share[]): Share => ({
    name: 'all',
    right: shares.reduce((sum, share) => sum + share.right, 0),
    of: shares.reduce((sum, share) => sum + share.of, 0),
  });
  const percent = (share: Share | undefined) =>
    share ? `${((100 * share.right) / share.of).toFixed(1)} %` : '';
  const fraction = ({ right, of }: Share) => `${String(right)} of ${String(of)}`;
  const rows = [...MAIN_LANGUAGES, 'all'].map((language) => {
    const cells = [quality.shortFitted, quality.shortHeldOut, quality.paragraphs].map((shares) =>
      percent(language === 'all' ? total(shares) : shares.find(({ name }) => name === language)),
    );
    return `| ${language} | ${cells.join(' | ')} |`;
  });
  const spelling = quality.spelling.map(
    (row) =>
      `| ${row.language} | ${row.half} | ${String(row.words)} | ${row.falseFindingsPer500Words.toFixed(2)} | ${String(row.seeded)} | ${row.precision.toFixed(3)} | ${row.recall.toFixed(3)} | ${row.firstReplacementRight.toFixed(3)} | ${row.amongFiveRight.toFixed(3)} | ${fraction(row.safe)} | ${row.msPer1000Words.toFixed(0)} |`,
  );
  const mistakes = quality.mistakes.map(
    ({ language, half, found, corrected, wrong }) =>
      `| ${language} | ${half} | ${fraction(found)} | ${fraction(corrected)} | ${String(wrong)} |`,
  );
  return [
    '| language | five words, odd lines | five words, even lines | paragraphs |',
    '|---|---|---|---|',
    ...rows,
    '',
    `Languages without support are \`und\` or themselves: ${percent(quality.unsupported)}. Other supported languages: ${percent(quality.others)}.`,
    '',
    '| spelling | paragraphs | words | false findings per 500 words | seeded | precision | recall | first replacement right | among five | safe ones right | ms CPU per 1,000 seeded words |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...spelling,
    '',
    '| mistakes | sentences | found | first replacement right | other findings |',
    '|---|---|---|---|---|',
    ...mistakes,
    '',
  ].join('\n');
}
