import { readSections, wordsIn } from '../data-file.js';
import type { Paragraph } from '../text/prose.js';
import type { Reading } from '../text/reading.js';
import { isAbbreviation, sentencesOf } from '../text/sentences.js';
import type { Draft } from './draft.js';
import { withConfidence } from './rule-confidence.js';
import type { RuleDescription } from './rule-description.js';
import { likeCase } from './word-forms.js';

export const SENTENCE_START: RuleDescription = {
  ruleId: 'casing.sentence-start',
  category: 'casing',
  severity: 'warning',
  explanation: 'The first word of a sentence starts with a capital letter.',
  example: '{they=>They} arrived late because of the rain.',
};

export const CAPITAL_AFTER_COMMA: RuleDescription = {
  ruleId: 'casing.after-comma',
  category: 'casing',
  severity: 'warning',
  explanation: 'A sentence goes on after a comma, so the next word keeps its small letter.',
  example: 'When it rains, {We=>we} stay at home.',
};

const DATA = readSections(import.meta.url, 'sentence-case.txt');
const OPENERS = new Set(wordsIn(DATA, 'openers'));
const CONTINUING = new Set(wordsIn(DATA, 'continuing words'));
const SMALL = wordsIn(DATA, 'small words').map((word) => likeCase('A', word));

/** A word in small letters after the period of another word. */
const AFTER_SIGN = /(?<![\p{L}.])(\p{L}{3,})[.?]\s+([a-z]+)(?=\s)/gu;

/** Minimum number of words of a sentence, so that labels and commands are none. */
const FEWEST_WORDS = 4;

/** Returns where sentences start with a small letter: positions in the reading. */
export function smallStarts(reading: Reading, kind: Paragraph['kind']): ReadonlySet<number> {
  const starts = new Set<number>();
  // Items and cells may start with a small letter.
  if (kind !== 'paragraph') return starts;
  const { text } = reading;
  for (const { start, end } of sentencesOf(text))
    if (isSmallStart(reading, start, text.slice(start, end))) starts.add(start);
  for (const match of text.matchAll(AFTER_SIGN)) {
    const [whole, before = '', word = ''] = match;
    const start = match.index + whole.length - word.length;
    if (OPENERS.has(word) && !isAbbreviation(before.toLowerCase()) && !reading.isMasked(start))
      starts.add(start);
  }
  return starts;
}

function isSmallStart(reading: Reading, start: number, sentence: string): boolean {
  const word = /^[a-z]+(?:['’][a-z]+)?(?=,? \S)/.exec(sentence)?.[0];
  if (word === undefined) return false;
  if (reading.isMasked(start) || reading.isMasked(start + word.length + 1)) return false;
  const isOne =
    start === 0 ? !mayContinue(word, sentence) : OPENERS.has(word.replace(/['’].*/, ''));
  return (
    isOne &&
    /\p{L}\p{L}["'”’)]*\s?[.!?]["'”’)]*$/u.test(sentence) &&
    sentence.split(/\s+/).length >= FEWEST_WORDS
  );
}

/** Returns true for a word that may go on after code, a list or a formula: "where x is the size." */
function mayContinue(word: string, sentence: string): boolean {
  return CONTINUING.has(word) && !/^for (?:example|instance)\b/.test(sentence);
}

/** Yields the first words of sentences that start with a small letter, except commands and names: `npm` is not common. */
export function* smallSentenceStarts(
  text: string,
  starts: ReadonlySet<number>,
  isCommon: (word: string) => boolean,
): Generator<Draft> {
  for (const start of starts) {
    const word = /^[a-z]+(?:['’][a-z]+)?/.exec(text.slice(start, start + 60))?.[0] ?? '';
    if (!isCommon(word.replace(/['’].*/, ''))) continue;
    yield {
      ...draftOf(SENTENCE_START, start, word, likeCase('A', word)),
      message: 'A sentence starts with a capital letter.',
    };
  }
}

const AFTER_COMMA = new RegExp(
  `(?<=\\p{Ll}[\\p{Ll}'’]*, )(?:${SMALL.join('|')})(?= \\p{Ll}{2})`,
  'gu',
);
/** The start of a letter: "Dear Ms Smith, We are", "Thank you, The team". */
const GREETING =
  /^\s*(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|thanks?|sincerely|best|kind|yours)\b[^,]{0,60}, $/i;

/** Yields words with a capital in the middle of a sentence that are no names. */
export function* capitalsAfterCommas(text: string): Generator<Draft> {
  for (const { 0: word, index } of text.matchAll(AFTER_COMMA)) {
    if (GREETING.test(text.slice(0, index))) continue;
    yield {
      ...draftOf(CAPITAL_AFTER_COMMA, index, word, word.toLowerCase()),
      message: `"${word}" does not start a sentence here.`,
    };
  }
}

function draftOf(rule: RuleDescription, start: number, word: string, value: string) {
  const { ruleId, category, severity, explanation } = rule;
  return {
    start,
    end: start + word.length,
    ruleId,
    category,
    severity,
    explanation,
    replacements: withConfidence(ruleId, [value]),
  };
}
