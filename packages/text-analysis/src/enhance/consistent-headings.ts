import { readSections, wordsIn } from '../data-file.js';
import type { Paragraph } from '../text/prose.js';
import { isCapitalized, outweighs, type ReadPassage, type Word } from './passages.js';
import { RULES } from './enhancement-rules.js';
import { CONSISTENCY_CONFIDENCE, type Suggested } from './suggestions.js';

const DATA = readSections(import.meta.url, 'headings.txt');
const SMALL_WORDS = new Set(wordsIn(DATA, 'small words'));
const NAMES = new Set(wordsIn(DATA, 'names').map((name) => name.toLowerCase()));
const DOUBTFUL = new Set(wordsIn(DATA, 'doubtful'));

/** Fewest headings that can have a majority. */
const LEAST_HEADINGS = 4;
/** A level with this many headings, all of one style, follows a scheme of its own. */
const LEAST_OF_LEVEL = 3;

/** Longer headings are not headings, in UTF-16 units. */
const LONGEST_HEADING = 300;

type Style = 'title' | 'sentence';

const STYLE_NAMES: Readonly<Record<Style, string>> = {
  title: 'Title Case',
  sentence: 'sentence case',
};

interface Heading {
  paragraph: Paragraph;
  words: readonly Word[];
  /** Words whose capital letter depends on the style. */
  telling: readonly Word[];
  style: Style;
}

/** What the text says about its words. */
interface Lexicon {
  /** Words with a capital letter within sentences, in lower case. */
  names: ReadonlySet<string>;
  /** Words without one, in lower case. */
  lower: ReadonlySet<string>;
  isOrdinary: (word: string) => boolean;
}

/**
 * Suggests Title Case or sentence case for headings that differ from most others. The title of the document, which is the
 * only heading of its level at the start, may differ. `isOrdinary` returns true for words that dictionaries have in lower
 * case; all others are names.
 */
export function* consistentHeadings(
  passages: readonly ReadPassage[],
  isOrdinary: (word: string) => boolean,
): Generator<Suggested> {
  const all = passages.filter(({ paragraph }) => paragraph.kind === 'heading');
  if (all.length < LEAST_HEADINGS) return;
  const lexicon = lexiconOf(passages, isOrdinary);
  const top = titleOf(all);
  const headings = all.flatMap((passage) => {
    const heading = passage === top ? undefined : headingOf(passage, lexicon);
    return heading ? [heading] : [];
  });
  const topStyle = top && headingOf(top, lexicon)?.style;
  const majority = majorityOf(headings, topStyle);
  if (!majority) return;
  const minority = headings.filter(({ style }) => style !== majority);
  const message = messageFor(majority, headings.length - minority.length, minority.length);
  const smallWords = smallWordsOf(headings);
  const schemes = schemesOf(headings, majority === 'title' ? 'sentence' : 'title');
  for (const heading of minority) {
    if (schemes.has(heading.paragraph.depth)) continue;
    if (majority === 'sentence' && mayContainName(heading)) continue;
    const changed = heading.telling.flatMap((word, index) => {
      const isLast = index === heading.telling.length - 1 && word === heading.words.at(-1);
      const value = inStyle(word, majority, isLast, smallWords);
      return value === word.text ? [] : [{ word, value }];
    });
    for (const { start, end, value } of edits(heading.paragraph, changed)) {
      yield {
        paragraph: heading.paragraph,
        start,
        end,
        rule: RULES.headingCase,
        message,
        values: [value],
        confidence: CONSISTENCY_CONFIDENCE,
      };
    }
  }
}

/** Returns the style of most headings. The title of the document counts only if it agrees. */
function majorityOf(headings: readonly Heading[], topStyle: Style | undefined): Style | undefined {
  const titles = headings.filter(({ style }) => style === 'title').length;
  const sentences = headings.length - titles;
  const majority: Style = titles > sentences ? 'title' : 'sentence';
  const counted = headings.length + (topStyle === majority ? 1 : 0);
  const [most, rest] = [Math.max(titles, sentences), Math.min(titles, sentences)];
  return counted >= LEAST_HEADINGS && outweighs(most, rest) ? majority : undefined;
}

function messageFor(majority: Style, most: number, rest: number): string {
  const other = majority === 'title' ? 'sentence' : 'title';
  const verb = rest === 1 ? 'uses' : 'use';
  return `${String(most)} headings use ${STYLE_NAMES[majority]} and ${String(rest)} ${verb} ${STYLE_NAMES[other]}.`;
}

function titleOf(headings: readonly ReadPassage[]): ReadPassage | undefined {
  const [first, ...others] = headings;
  const depth = first?.paragraph.depth ?? 1;
  return others.some(({ paragraph }) => (paragraph.depth ?? 1) <= depth) ? undefined : first;
}

/** Returns the levels whose headings all have this style, so that the difference is intended. */
function schemesOf(headings: readonly Heading[], style: Style): ReadonlySet<number | undefined> {
  const levels = new Map<number | undefined, { count: number; isUniform: boolean }>();
  for (const { paragraph, style: one } of headings) {
    const known = levels.get(paragraph.depth) ?? { count: 0, isUniform: true };
    known.count += 1;
    known.isUniform &&= one === style;
    levels.set(paragraph.depth, known);
  }
  const schemes = [...levels].filter(
    ([, { count, isUniform }]) => isUniform && count >= LEAST_OF_LEVEL,
  );
  return new Set(schemes.map(([depth]) => depth));
}

function lexiconOf(
  passages: readonly ReadPassage[],
  isOrdinary: (word: string) => boolean,
): Lexicon {
  const names = new Set<string>();
  const lower = new Set<string>();
  for (const { words } of passages) {
    for (const word of words) {
      if (word.isCapitalPlace) continue;
      (isCapitalized(word.text) ? names : lower).add(word.lower);
    }
  }
  return { names, lower, isOrdinary };
}

/** Returns undefined if the heading has no style: one word, only names, or a mixture. */
function headingOf({ paragraph, words }: ReadPassage, lexicon: Lexicon): Heading | undefined {
  const [first, ...others] = words;
  // Code without marks, and a name that is the same in every style.
  if (!first || paragraph.prose.length > LONGEST_HEADING) return undefined;
  if (/[[\]{}=<>]|\p{L}\(/u.test(paragraph.prose)) return undefined;
  if (/^table of contents$/i.test(paragraph.prose)) return undefined;
  // After a number, a colon or a mark, a word starts a part of its own.
  const telling = others.filter(
    (word) => !startsPart(paragraph, word) && !isSettled(word, lexicon),
  );
  const content = telling.filter(({ lower }) => !SMALL_WORDS.has(lower));
  const capitals = content.filter(({ text }) => isCapitalized(text)).length;
  if (content.length === 0) return undefined;
  if (capitals === content.length) return { paragraph, words, telling, style: 'title' };
  return capitals === 0 ? { paragraph, words, telling, style: 'sentence' } : undefined;
}

/** Longest number before a heading, such as `Chapter 12: `, in UTF-16 units. */
const LONGEST_NUMBER = 20;

function startsPart({ prose }: Paragraph, { start }: Word): boolean {
  const before = prose.slice(0, start).slice(-LONGEST_NUMBER);
  if (/[:.!?–—/|(]\s*$/u.test(before)) return true;
  return start < LONGEST_NUMBER && /^\s*(?:step |part |chapter )?\d+[.):]?\s*$/iu.test(before);
}

/** Returns true if the capitals of a word do not depend on the style: names, acronyms and words with digits. */
function isSettled({ text, lower }: Word, lexicon: Lexicon): boolean {
  if (!/^\p{Lu}?\p{Ll}+(?:['’-]\p{L}+)*$/u.test(text)) return true;
  if (text.length === 1 && lower !== 'a') return true;
  const base = lower.replace(/['’]s$/, '');
  if (NAMES.has(base)) return true;
  if (lexicon.names.has(lower) && !lexicon.lower.has(lower)) return true;
  return !base.split('-').every((part) => lexicon.isOrdinary(part));
}

/** Returns true if an ordinary word may be a name here, as in `Docker Compose` or `Using Go`. */
function mayContainName({ words, telling }: Heading): boolean {
  return words.some((word, index) => {
    if (!isCapitalized(word.text) || !telling.includes(word)) return DOUBTFUL.has(word.text);
    const before = words[index - 1];
    const isAfterName =
      before !== undefined &&
      index > 1 &&
      !telling.includes(before) &&
      !SMALL_WORDS.has(word.lower) &&
      before.text !== before.text.toUpperCase() &&
      isCapitalized(before.text);
    return DOUBTFUL.has(word.text) || isAfterName;
  });
}

/** Shorter small words are never capitalized within a heading. */
const LEAST_CAPITAL = 4;

/** Returns the small words that headings in Title Case write in lower case. */
function smallWordsOf(headings: readonly Heading[]): ReadonlySet<string> {
  const capital = new Set<string>();
  for (const { style, words } of headings) {
    if (style !== 'title') continue;
    for (const { text, lower } of words.slice(1, -1))
      if (isCapitalized(text) && lower.length >= LEAST_CAPITAL) capital.add(lower);
  }
  return new Set([...SMALL_WORDS].filter((word) => !capital.has(word)));
}

function inStyle(
  { text, lower }: Word,
  style: Style,
  isLast: boolean,
  smallWords: ReadonlySet<string>,
): string {
  if (style === 'sentence') return text.charAt(0).toLowerCase() + text.slice(1);
  return smallWords.has(lower) && !isLast ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

interface WordChange {
  word: Word;
  value: string;
}

/** Joins changes to one edit, or to several if something that is not prose is between them. */
function edits(
  { prose, masked }: Paragraph,
  changes: readonly WordChange[],
): { start: number; end: number; value: string }[] {
  const made: { start: number; end: number; value: string }[] = [];
  for (const { word, value } of changes) {
    const last = made.at(-1);
    const isJoined = last && !masked.some(({ start, end }) => start < word.start && end > last.end);
    if (isJoined) {
      last.value += prose.slice(last.end, word.start) + value;
      last.end = word.end;
    } else made.push({ start: word.start, end: word.end, value });
  }
  return made;
}
