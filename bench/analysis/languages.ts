import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@document-service/text-analysis/analysis';
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

export interface SpellingQuality {
  language: string;
  words: number;
  falseFindingsPer500Words: number;
  seeded: number;
  precision: number;
  recall: number;
  firstReplacementRight: number;
}

export interface LanguageQuality {
  shortFitted: Share[];
  shortHeldOut: Share[];
  paragraphs: Share[];
  /** Correct: the language itself or `und`. */
  unsupported: Share;
  others: Share;
  spelling: SpellingQuality[];
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
    measured.push(measureText(paragraphs, dictionary, context));
  }
  return measured;
}

function measureText(
  paragraphs: readonly Paragraph[],
  dictionary: Dictionary,
  context: SpellingContext,
): SpellingQuality {
  const random = new Random(11);
  const cache: CandidateCache = new Map();
  const find = (paragraph: Paragraph) => misspellings(paragraph, dictionary, context, cache);
  const words = paragraphs.reduce(
    (sum, { prose }) => sum + spelledWords(prose, dictionary.language).length,
    0,
  );
  const clean = paragraphs.flatMap(find).length;
  const sums = { found: 0, missed: 0, wrong: 0, corrected: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const paragraph of paragraphs) {
      const seeded = seed(paragraph, dictionary, random);
      judge(seeded, find(seeded.paragraph), sums);
    }
  }
  const seeds = sums.found + sums.missed;
  return {
    language: dictionary.language,
    words,
    falseFindingsPer500Words: (clean / words) * 500,
    seeded: seeds,
    precision: sums.found / (sums.found + sums.wrong),
    recall: sums.found / seeds,
    firstReplacementRight: sums.corrected / sums.found,
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

function judge(
  { paragraph, mistakes }: Seeded,
  findings: readonly Finding[],
  sums: { found: number; missed: number; wrong: number; corrected: number },
): void {
  const touches = (finding: Finding, mistake: { start: number; end: number }) =>
    finding.start < mistake.end && finding.end > mistake.start;
  for (const mistake of mistakes) {
    const finding = findings.find((one) => touches(one, mistake));
    if (!finding) {
      sums.missed += 1;
      continue;
    }
    sums.found += 1;
    const corrected =
      paragraph.prose.slice(mistake.start, finding.start) +
      (finding.replacements[0]?.value ?? finding.original) +
      paragraph.prose.slice(finding.end, mistake.end);
    if (corrected === mistake.right) sums.corrected += 1;
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
  const rows = [...MAIN_LANGUAGES, 'all'].map((language) => {
    const cells = [quality.shortFitted, quality.shortHeldOut, quality.paragraphs].map((shares) =>
      percent(language === 'all' ? total(shares) : shares.find(({ name }) => name === language)),
    );
    return `| ${language} | ${cells.join(' | ')} |`;
  });
  const spelling = quality.spelling.map(
    (row) =>
      `| ${row.language} | ${String(row.words)} | ${row.falseFindingsPer500Words.toFixed(2)} | ${String(row.seeded)} | ${row.precision.toFixed(3)} | ${row.recall.toFixed(3)} | ${row.firstReplacementRight.toFixed(3)} |`,
  );
  return [
    '| language | five words, odd lines | five words, even lines | paragraphs |',
    '|---|---|---|---|',
    ...rows,
    '',
    `Languages without support are \`und\` or themselves: ${percent(quality.unsupported)}. Other supported languages: ${percent(quality.others)}.`,
    '',
    '| spelling | words | false findings per 500 words | seeded | precision | recall | first replacement right |',
    '|---|---|---|---|---|---|---|',
    ...spelling,
    '',
  ].join('\n');
}
