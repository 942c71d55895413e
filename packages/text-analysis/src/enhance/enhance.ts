import type { Finding, Issue } from '../analysis.js';
import { issuesOf } from '../issues.js';
import type { Paragraph } from '../text/prose.js';
import { sentencesOf } from '../text/sentences.js';
import { ambiguousDates } from './ambiguous-dates.js';
import { consistentCapitals } from './consistent-capitals.js';
import { consistentCompounds } from './consistent-compounds.js';
import { consistentHeadings } from './consistent-headings.js';
import { consistentLists } from './consistent-lists.js';
import { consistentSpelling } from './consistent-spelling.js';
import type { RuleGoal } from './goals.js';
import { isEnglish, wordsOfPassage, type Passage } from './passages.js';
import { simplifications } from './simplify.js';
import { findingOf, type Suggested } from './suggestions.js';
import { titleOf } from './title.js';

export interface TextToEnhance {
  content: string;
  paragraphs: readonly Paragraph[];
  /** The language of each paragraph. */
  languages: readonly string[];
  /** The main language. */
  language: string;
  /** `en-US` or `en-GB` if the client requested it. */
  requestedVariant: string | null;
  /** Words that never change, in lower case. */
  acceptedWords: ReadonlySet<string>;
  /** Returns true for words that dictionaries have in lower case. */
  isOrdinary: (word: string) => boolean;
  dismissed: ReadonlySet<string>;
}

export interface Enhanced {
  /** In text order. They do not overlap, except for hints. */
  suggestions: Issue[];
  /** Null if it was not requested, or if the text has no prose. */
  title: string | null;
}

/** Returns what the rules suggest for the goals. Deterministic. Takes linear time. */
export function enhance(text: TextToEnhance, goals: readonly RuleGoal[]): Enhanced {
  const { content, paragraphs, languages, language } = text;
  const passages = paragraphs
    .map((paragraph, index): Passage => ({ paragraph, language: languages[index] ?? language }))
    // Quotations are not the author's words.
    .filter(({ paragraph }) => paragraph.kind !== 'quote');
  const english = passages.filter((passage) => isEnglish(passage.language));
  const made: Suggested[] = [];
  // Of suggestions for the same passage, the earlier goal wins.
  if (goals.includes('simplify')) made.push(...simplifications(english));
  if (goals.includes('consistency')) made.push(...consistency(text, passages, english));
  const findings = withoutOverlaps(
    made.flatMap((one) => findingOf(content, one) ?? []),
    text.acceptedWords,
  );
  const sentences = paragraphs.flatMap(({ prose, start }, index) =>
    sentencesOf(prose, languages[index]).map((one) => ({
      start: start + one.start,
      end: start + one.end,
    })),
  );
  return {
    suggestions: issuesOf(content, findings, sentences, text.dismissed),
    title: goals.includes('title') ? titleOf(content, paragraphs, language) : null,
  };
}

function* consistency(
  text: TextToEnhance,
  passages: readonly Passage[],
  english: readonly Passage[],
): Generator<Suggested> {
  const read = english.map((passage) => ({ ...passage, words: wordsOfPassage(passage) }));
  yield* consistentSpelling(read, text.requestedVariant);
  yield* consistentCompounds(read);
  yield* consistentCapitals(read, text.isOrdinary);
  yield* consistentHeadings(read, text.isOrdinary);
  yield* consistentLists(text.content, passages);
  yield* ambiguousDates(english);
}

/** More suggestions than an enhancement shows. */
const MOST_SUGGESTIONS = 5_000;

/** Returns the findings in text order, without later ones that overlap, and without changes of accepted words. */
function withoutOverlaps(
  findings: readonly Finding[],
  acceptedWords: ReadonlySet<string>,
): Finding[] {
  const hints = findings.filter(({ replacements }) => replacements.length === 0);
  const ranked = findings
    .map((finding, rank) => ({ finding, rank }))
    .filter(({ finding }) => finding.replacements.length > 0)
    .filter(({ finding }) => !changesWord(finding, acceptedWords))
    .sort((one, other) => one.finding.start - other.finding.start || one.rank - other.rank);
  const kept: { finding: Finding; rank: number }[] = [];
  for (const one of ranked) {
    const last = kept.at(-1);
    if (!last || last.finding.end <= one.finding.start) kept.push(one);
    else if (one.rank < last.rank) kept[kept.length - 1] = one;
  }
  return [...kept.map(({ finding }) => finding), ...hints]
    .slice(0, MOST_SUGGESTIONS)
    .sort((one, other) => one.start - other.start || one.end - other.end);
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;

function changesWord(
  { original, replacements: [best] }: Finding,
  acceptedWords: ReadonlySet<string>,
): boolean {
  if (acceptedWords.size === 0) return false;
  const after = new Set(best?.value.match(WORD));
  const before = original.match(WORD) ?? [];
  return (
    acceptedWords.has(original.toLowerCase()) ||
    before.some((word) => acceptedWords.has(word.toLowerCase()) && !after.has(word))
  );
}
