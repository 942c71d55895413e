import { confidenceOf } from '../english/rule-confidence.js';
import type { RuleDescription } from '../english/rule-description.js';
import { linesIn, pairsIn, readSections } from '../data-file.js';
import type { Reading } from '../text/reading.js';
import { readingOf } from '../text/reading.js';
import { sentencesOf, wordsOf } from '../text/sentences.js';
import { hasSentences } from '../text/text-parts.js';
import { inRanges, isCapitalized, quotations, withCapitalsOf, type Passage } from './passages.js';
import { RULES } from './enhancement-rules.js';
import type { Suggested } from './suggestions.js';

interface Plain {
  rule: RuleDescription;
  /** Best first. */
  values: readonly string[];
  /** If not empty, the wording is replaced only after one of these words. */
  after: readonly string[];
}

const OWN = readSections(import.meta.url, 'simplify.txt');
const WORDINGS = readSections(import.meta.url, '../english/wordings.txt');
const NOT_ONE_TO_ONE = new Set(linesIn(OWN, 'not one to one'));
const NOT_AFTER_ARTICLE = new Set(linesIn(OWN, 'not after an article'));
const VERBS = new Map(pairsIn(OWN, 'verbs'));

const PLAIN = new Map<string, Plain>();
for (const rule of [RULES.plainWord, RULES.plainPhrase]) {
  for (const [wording, value] of pairsIn(WORDINGS, rule.ruleId)) {
    if (value === '' || NOT_ONE_TO_ONE.has(wording)) continue;
    const values = value.split('|').map((one) => one.trim());
    const after = VERBS.get(wording)?.split(' ') ?? [];
    PLAIN.set(wording, { rule, values, after });
  }
}
for (const [wording, value] of pairsIn(OWN, 'more')) {
  const rule = wording.includes(' ') ? RULES.plainPhrase : RULES.plainWord;
  PLAIN.set(wording, { rule, values: [value], after: [] });
}

const LISTED = new RegExp(
  `(?<![\\p{L}\\p{N}_'’-])(?:${[...PLAIN.keys()].sort((a, b) => b.length - a.length).join('|')})(?![\\p{L}\\p{N}_'’-])`,
  'giu',
);

/** Sentences with more words get a hint where to end them. */
const LONG_SENTENCE = 35;
/** A sentence with more commas is a list. */
const MOST_COMMAS = 6;
/** Fewest words on each side of a break. */
const LEAST_WORDS = 6;

/** Suggests plain words, and where to break long sentences, in English passages. */
export function* simplifications(passages: readonly Passage[]): Generator<Suggested> {
  for (const passage of passages) {
    const reading = readingOf(passage.paragraph);
    const quoted = quotations(reading.text);
    yield* plainWords(passage, reading, inRanges(quoted));
    if (hasSentences(passage.paragraph)) yield* sentenceBreaks(passage, reading, inRanges(quoted));
  }
}

const ARTICLE = /(?:^|[^\p{L}])(an?) $/iu;
const DETERMINER =
  /(?:^|[^\p{L}])(?:the|this|that|these|those|my|your|his|her|its|our|their|any|no|some|every|each) $/iu;

function* plainWords(
  { paragraph }: Passage,
  reading: Reading,
  isQuoted: (at: number) => boolean,
): Generator<Suggested> {
  const { text } = reading;
  for (const match of text.matchAll(LISTED)) {
    const wording = match[0];
    const plain = PLAIN.get(wording.toLowerCase());
    const before = text.slice(Math.max(0, match.index - 40), match.index);
    const after = text.slice(match.index + wording.length).match(/^ (\p{L}+)/u)?.[1] ?? '';
    if (!plain || isQuoted(match.index) || mayBeName(wording, before, after)) continue;
    if (!fits(wording, plain, before)) continue;
    const article = ARTICLE.exec(before)?.[1] ?? '';
    const values = plain.values.map((value) => withCapitalsOf(wording, value));
    // The article changes with the word: `a methodology`, `an approach`.
    const isChanged = values.some((value) => articleFor(value, article) !== article);
    const start = match.index - (isChanged ? article.length + 1 : 0);
    const range = reading.sourceOf(start, match.index + wording.length);
    if (!range) continue;
    yield {
      paragraph,
      ...range,
      rule: plain.rule,
      message: `"${plain.values[0] ?? ''}" is plainer than "${wording.toLowerCase()}".`,
      values: values.map((value) => (isChanged ? `${articleFor(value, article)} ${value}` : value)),
      confidence: confidenceOf(plain.rule.ruleId),
    };
  }
}

/** A capital letter within a sentence belongs to a name or a heading in Title Case. */
function mayBeName(wording: string, before: string, after: string): boolean {
  if (!isCapitalized(wording)) return false;
  return isCapitalized(after) || !/(?:^|[.!?:]["'”’)]*\s+)$/u.test(before);
}

/** Returns true if the words before allow the plain wording. */
function fits(wording: string, plain: Plain, before: string): boolean {
  const last = /(\p{L}+) $/u.exec(before)?.[1]?.toLowerCase() ?? '';
  if (plain.after.length > 0 && !plain.after.includes(last)) return false;
  const hasArticle = ARTICLE.test(before) || DETERMINER.test(before);
  return !hasArticle || !NOT_AFTER_ARTICLE.has(wording.toLowerCase());
}

function articleFor(word: string, article: string): string {
  if (article === '') return '';
  const isVowel = /^[aeio]|^u(?!se|ni)/i.test(word);
  const fitting = isVowel ? 'an' : 'a';
  return isCapitalized(article) ? `A${fitting.slice(1)}` : fitting;
}

const COORDINATING = ['and', 'but', 'so'];
const BREAK = new RegExp(
  `(;) +|, (${[...COORDINATING, 'because', 'although', 'though', 'while', 'whereas', 'which', 'since', 'unless'].join('|')}) `,
  'g',
);
/** Words that start a clause with its own subject. */
const SUBJECT =
  /^(?:i|you|he|she|it|we|they|this|that|these|those|there|the|a|an|my|your|his|her|its|our|their|however|therefore|otherwise|instead|in|for|if|when|as|most|some|many|each|every|all|no|both)$/i;
const SURE_SUBJECT = /^(?:i|you|he|she|it|we|they|this|these|there|however|therefore|otherwise)$/i;
const FINITE =
  /(?<![\p{L}'’])(?:am|is|are|was|were|has|have|had|do|does|did|can|could|will|would|shall|should|may|might|must|cannot|\p{L}+n['’]t|(?:it|that|there|he|she|they|we|you|i)['’](?:s|re|ll|ve|d|m))(?![\p{L}])/iu;

function* sentenceBreaks(
  { paragraph }: Passage,
  reading: Reading,
  isQuoted: (at: number) => boolean,
): Generator<Suggested> {
  for (const { start, end } of sentencesOf(reading.text)) {
    const sentence = reading.text.slice(start, end);
    const words = wordsOf(sentence).filter((word) => !reading.isMasked(start + word.start)).length;
    if (words <= LONG_SENTENCE) continue;
    const place = breakOf(sentence, (at) => isQuoted(start + at));
    if (!place && isEnumeration(sentence)) continue;
    const range = place && reading.sourceOf(start + place.start, start + place.end);
    const shown = range ?? reading.sourceOf(start, end) ?? firstWordOf(reading, start, sentence);
    if (!shown) continue;
    const { advice, values } = range ? place : { advice: 'Consider splitting it.', values: [] };
    yield {
      paragraph,
      ...shown,
      rule: RULES.sentenceBreak,
      message: `This sentence has ${String(words)} words. ${advice}`,
      values,
      confidence: confidenceOf(RULES.sentenceBreak.ruleId),
    };
  }
}

/** Returns true for a list in a sentence, which is long but easy to follow. */
function isEnumeration(sentence: string): boolean {
  return sentence.split(';').length > 2 || sentence.split(',').length > MOST_COMMAS;
}

/** Returns the first word that is not masked, where a hint can stand. */
function firstWordOf(reading: Reading, start: number, sentence: string) {
  for (const word of wordsOf(sentence)) {
    const range = reading.sourceOf(start + word.start, start + word.end);
    if (range) return range;
  }
  return null;
}

interface SentenceBreak {
  start: number;
  end: number;
  advice: string;
  /** Set if the break needs no other change. */
  values: string[];
}

/** A semicolon or conjunction in a sentence. */
interface Joint {
  at: number;
  /** With the spaces after it. */
  signs: string;
  /** Empty for a semicolon. */
  conjunction: string;
  before: string;
  after: string;
  /** The first word after it. */
  next: string;
}

/** Returns the best place to end a sentence early, near its middle. */
function breakOf(sentence: string, isQuoted: (at: number) => boolean): SentenceBreak | undefined {
  let best: { joint: Joint; rank: number } | undefined;
  for (const match of sentence.matchAll(BREAK)) {
    const { index: at, 0: signs, 2: conjunction = '' } = match;
    const before = sentence.slice(0, at);
    const after = sentence.slice(at + signs.length);
    const next = /^[\p{L}'’]+/u.exec(after)?.[0] ?? '';
    const joint = { at, signs, conjunction, before, after, next };
    const weight = weightOf(joint);
    if (weight === undefined || isQuoted(at) || isInBrackets(before)) continue;
    const rank = Math.abs(at / sentence.length - 0.5) + weight;
    if (!best || rank < best.rank) best = { joint, rank };
  }
  if (!best) return undefined;
  const { joint } = best;
  return joint.conjunction === '' ? semicolonBreak(joint) : conjunctionBreak(joint);
}

/** Returns how doubtful it is that a new sentence can start here, from 0, or undefined if it cannot. */
function weightOf({ conjunction, before, after, next }: Joint): number | undefined {
  if (wordsOf(before).length < LEAST_WORDS || wordsOf(after).length < LEAST_WORDS) return undefined;
  // Semicolons after a colon, or several, separate the items of a list.
  if (conjunction === '') return /[;:]/.test(before) || after.includes(';') ? undefined : 0;
  const isSubject = SURE_SUBJECT.test(next) || (SUBJECT.test(next) && FINITE.test(after));
  // Without a subject, `and` may join words.
  if (COORDINATING.includes(conjunction)) return isSubject ? 0.1 : undefined;
  return isSubject ? 0.3 : 0.5;
}

function semicolonBreak({ at, signs, before, after, next }: Joint): SentenceBreak {
  const advice = 'You can end it at the semicolon.';
  const areClauses = FINITE.test(before) && FINITE.test(after) && SURE_SUBJECT.test(next);
  if (!areClauses || /[([]/.test(before)) return { start: at, end: at + 1, advice, values: [] };
  const capital = next.charAt(0).toUpperCase() + next.slice(1);
  return { start: at, end: at + signs.length + next.length, advice, values: [`. ${capital}`] };
}

function conjunctionBreak({ at, conjunction }: Joint): SentenceBreak {
  const start = at + 2;
  const advice = `Consider starting a new sentence at "${conjunction}".`;
  return { start, end: start + conjunction.length, advice, values: [] };
}

function isInBrackets(before: string): boolean {
  return before.split(/[([]/).length > before.split(/[)\]]/).length;
}
