import { createHash } from 'node:crypto';
import { applyEdits, textEdits, type Edit } from '@document-service/text-merge/text-edits';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import {
  rebaseRanges,
  sentencesOf,
  type TextRange,
} from '@document-service/text-merge/rebase-ranges';
import { finderOf, splitsPair } from './text-edits.js';

/** An edit of a proposal: a passage by its words or by its range (UTF-16 units), and its new text. */
export interface ProposedEdit {
  quote?: string;
  /** Which occurrence of the quote, from 1. Required if there are several. */
  occurrence?: number;
  start?: number;
  end?: number;
  replacement: string;
  message?: string;
}

/** The changes of a proposal, and the texts that they refer to. */
export type ProposedTexts =
  | {
      /** The text of the base version, which the edits refer to. */
      base: string;
      current: string;
      edits: readonly ProposedEdit[];
    }
  | {
      current: string;
      /** The whole text after the changes. */
      content: string;
    };

/** A change of a passage of the current text, in UTF-16 units. */
export interface ProposedChange extends TextRange {
  /** Hash of its sentence before and after the change. It stays the same when the sentence moves. */
  id: string;
  original: string;
  replacement: string;
  message: string | null;
}

/** The text of the document next to where a quote could be. */
export interface NearText {
  field: string;
  text: string;
}

export type ProposedChanges =
  { done: true; changes: ProposedChange[]; dropped: Record<string, number> } | Unlocatable;

/** The problems of edits that do not apply, and text near missing quotes. */
interface Unlocatable {
  done: false;
  problems: [FieldProblem, ...FieldProblem[]];
  near: NearText[];
}

/**
 * Returns the changes of a proposal in text order. If an edit does not apply to its base version, returns the problems of
 * all edits. Edits whose passage has changed since the base version are counted in `dropped`.
 */
export function proposedChanges(texts: ProposedTexts): ProposedChanges {
  const { current } = texts;
  if ('content' in texts) {
    const edits = joinedBySentence(current, textEdits(current, texts.content));
    const found = edits.map(({ from, to, insert }) => ({
      ...{ start: from, end: to, replacement: insert, message: null },
    }));
    return { done: true, changes: withIds(current, found), dropped: {} };
  }
  const { base, edits } = texts;
  const located = locate(base, edits);
  if (!located.done) return located;
  const moved = rebaseRanges(base, current, located.ranges);
  const dropped: Record<string, number> = {};
  const drop = (reason: string) => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
    return [];
  };
  const found = edits.flatMap(({ replacement, message = null }, index) => {
    const [before, range] = [located.ranges[index], moved[index]];
    const original = base.slice(before?.start, before?.end);
    if (original === replacement) return drop('no change');
    if (!range || current.slice(range.start, range.end) !== original) return drop('changed since');
    return [{ ...range, replacement, message }];
  });
  const inOrder = found.sort((one, other) => one.start - other.start || one.end - other.end);
  return { done: true, changes: withIds(current, inOrder), dropped };
}

type Located = { done: true; ranges: TextRange[] } | Unlocatable;

/** Maximum number of missing quotes to search similar text for, because each search reads the text several times. */
const MAX_NEAR = 10;

/** Finds the passages of edits. Returns the problems of all edits if one cannot be found or two overlap. */
function locate(text: string, edits: readonly ProposedEdit[]): Located {
  const problems: FieldProblem[] = [];
  const near: NearText[] = [];
  const ranges = edits.map((edit, index) => {
    const range = rangeOf(text, edit);
    if ('start' in range) return range;
    const field = `edits[${String(index)}]${range.member === '' ? '' : `.${range.member}`}`;
    problems.push({ field, issue: range.issue });
    if (range.isMissing && near.length < MAX_NEAR) {
      const similar = textNear(text, edit.quote ?? '');
      if (similar !== undefined) near.push({ field, text: similar });
    }
    return undefined;
  });
  problems.push(...overlaps(ranges));
  const [first, ...others] = problems;
  return first
    ? { done: false, problems: [first, ...others], near }
    : { done: true, ranges: ranges.filter((range) => range !== undefined) };
}

interface Unlocated {
  member: string;
  issue: string;
  isMissing?: boolean;
}

function rangeOf(text: string, edit: ProposedEdit): TextRange | Unlocated {
  const { quote, occurrence, start = 0, end = 0 } = edit;
  return quote === undefined
    ? checkedRange(text, { start, end })
    : quotedRange(text, quote, occurrence);
}

function checkedRange(text: string, { start, end }: TextRange): TextRange | Unlocated {
  if (end > text.length) {
    const issue = `must not be greater than ${String(text.length)}, the length of the content in UTF-16 units`;
    return { member: 'end', issue };
  }
  if (start > end) return { member: 'start', issue: 'must not be greater than end' };
  const member = splitsPair(text, start) ? 'start' : splitsPair(text, end) ? 'end' : undefined;
  if (member === undefined) return { start, end };
  return { member, issue: 'is inside a character (a surrogate pair)' };
}

/** Maximum number of occurrences of a quote, because each is searched one by one. */
export const MAX_OCCURRENCES = 1_000;

function quotedRange(
  text: string,
  quote: string,
  occurrence: number | undefined,
): TextRange | Unlocated {
  const next = finderOf(text, quote);
  const places: number[] = [];
  for (
    let at = next(0);
    at !== -1 && places.length < (occurrence ?? MAX_OCCURRENCES);
    at = next(at + 1)
  ) {
    places.push(at);
  }
  const count = places.length;
  if (count === 0) {
    return { member: 'quote', issue: 'does not occur in the base version', isMissing: true };
  }
  if (occurrence === undefined && count > 1) {
    const times = `${String(count)}${count === MAX_OCCURRENCES ? ' or more' : ''}`;
    const issue = `occurs ${times} times; quote more of the surrounding text, or set occurrence`;
    return { member: 'quote', issue };
  }
  const start = places[(occurrence ?? 1) - 1];
  if (start !== undefined) return { start, end: start + quote.length };
  const issue = `must not be greater than ${String(count)}, the number of occurrences`;
  return { member: 'occurrence', issue };
}

/** Returns a problem for each edit that overlaps the one before it in the text, or inserts at the same position. */
function overlaps(ranges: readonly (TextRange | undefined)[]): FieldProblem[] {
  const placed = ranges.flatMap((range, index) => (range ? [{ ...range, index }] : []));
  placed.sort((one, other) => one.start - other.start || one.end - other.end);
  const problems: FieldProblem[] = [];
  let furthest = placed[0];
  for (const range of placed.slice(1)) {
    if (!furthest) break;
    const isSame = range.start === furthest.start && range.end === furthest.end;
    if (range.start < furthest.end || isSame) {
      const [one, other] = [range.index, furthest.index];
      problems.push({
        field: `edits[${String(Math.max(one, other))}]`,
        issue: `overlaps edits[${String(Math.min(one, other))}]; send one edit for the passage`,
      });
    }
    if (range.end >= furthest.end) furthest = range;
  }
  return problems;
}

/** Units of the quote that must occur for its neighborhood to be shown, and units of text to show. */
const MIN_MATCH = 8;
const NEAR_UNITS = 80;

/** Returns the text where the longest beginning of a quote occurs, or otherwise its longest ending. */
function textNear(text: string, quote: string): string | undefined {
  const beginning = longest(quote.length, (units) => text.indexOf(quote.slice(0, units)));
  if (beginning.units >= Math.min(MIN_MATCH, quote.length)) return passageAt(text, beginning.at);
  const ending = longest(quote.length, (units) => text.indexOf(quote.slice(-units)));
  return ending.units >= MIN_MATCH
    ? passageAt(text, Math.max(0, ending.at + ending.units - NEAR_UNITS))
    : undefined;
}

/** Maximum length of a part to search for. V8 searches longer ones in quadratic time. */
const MAX_PART = 200;

/** Returns the greatest number of units whose part is found. If a part is found, so is each shorter one. */
function longest(length: number, find: (units: number) => number): { units: number; at: number } {
  let [low, high] = [0, Math.min(length, MAX_PART)];
  let at = -1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const found = find(middle);
    if (found === -1) high = middle - 1;
    else [low, at] = [middle, found];
  }
  return { units: low, at };
}

function passageAt(text: string, at: number): string {
  const start = splitsPair(text, at) ? at - 1 : at;
  const end = Math.min(text.length, start + NEAR_UNITS);
  return text.slice(start, splitsPair(text, end) ? end - 1 : end);
}

/** Maximum number of separate edits in a sentence. */
const MAX_EDITS_OF_SENTENCE = 2;

/** Joins the edits of each sentence that has more than two, so that a reviewer decides about a rewrite at once. */
function joinedBySentence(text: string, edits: readonly Edit[]): Edit[] {
  const sentences = sentencesOf(text);
  const groups: { sentence: number; edits: Edit[] }[] = [];
  let sentence = 0;
  for (const edit of edits) {
    while (sentence < sentences.length && (sentences[sentence]?.end ?? 0) < edit.to) sentence += 1;
    const { start = Infinity } = sentences[sentence] ?? {};
    const isWithin = start <= edit.from;
    const last = groups.at(-1);
    if (isWithin && last?.sentence === sentence) last.edits.push(edit);
    else groups.push({ sentence: isWithin ? sentence : -1, edits: [edit] });
  }
  return groups.flatMap(({ edits: made }) => {
    const [first, last] = [made[0], made.at(-1)];
    if (!first || !last || made.length <= MAX_EDITS_OF_SENTENCE) return made;
    const { from } = first;
    const within = made.map((edit) => ({ ...edit, from: edit.from - from, to: edit.to - from }));
    return [{ from, to: last.to, insert: applyEdits(text.slice(from, last.to), within) }];
  });
}

/**
 * Maximum text on each side of a change that its id depends on, in UTF-16 units. Without it, 1,000 changes of a sentence of
 * 1 MB took 26 s.
 */
const MAX_CONTEXT = 500;

/**
 * Adds the passages and ids to changes in text order. The id is a hash of the sentence before and after the change, so it
 * does not depend on how much of the sentence an edit quotes.
 */
function withIds(
  text: string,
  changes: readonly (TextRange & { replacement: string; message: string | null })[],
): ProposedChange[] {
  const sentences = new NumberedSentences(text);
  const seen = new Map<string, number>();
  return changes.map(({ start, end, replacement, message }) => {
    const original = text.slice(start, end);
    const part = changedPart(original, replacement);
    const changed = { start: start + part.from, end: start + part.to };
    const { from, to, occurrence } = sentences.around(changed);
    const first = Math.max(from, changed.start - MAX_CONTEXT);
    const last = Math.min(to, changed.end + MAX_CONTEXT);
    const after = text.slice(first, changed.start) + part.insert + text.slice(changed.end, last);
    const hash = hashOf([text.slice(first, last), after, occurrence]);
    const repeated = seen.get(hash) ?? 0;
    seen.set(hash, repeated + 1);
    const id = `iss_${hash}${repeated === 0 ? '' : `_${String(repeated)}`}`;
    return { id, start, end, original, replacement, message };
  });
}

/** Returns the edit of `original` without the beginning and the end that it shares with `replacement`. */
function changedPart(original: string, replacement: string): Edit {
  const most = Math.min(original.length, replacement.length);
  let head = 0;
  while (head < most && original[head] === replacement[head]) head += 1;
  let tail = 0;
  while (tail < most - head && original.at(-1 - tail) === replacement.at(-1 - tail)) tail += 1;
  const insert = replacement.slice(head, replacement.length - tail);
  return { from: head, to: original.length - tail, insert };
}

/** The sentences of a text, with the number of earlier equal sentences. Read it in text order. */
class NumberedSentences {
  private readonly sentences: TextRange[];
  private readonly counts = new Map<string, number>();
  private next = 0;

  constructor(private readonly text: string) {
    this.sentences = sentencesOf(text);
  }

  /** Returns the sentences that contain a range. Ranges must be in ascending order. */
  around({ start, end }: TextRange): { from: number; to: number; occurrence: number } {
    const { text, sentences, counts } = this;
    let sentence = sentences[this.next];
    while (sentence && sentence.end < start) {
      const words = text.slice(sentence.start, sentence.end);
      counts.set(words, (counts.get(words) ?? 0) + 1);
      this.next += 1;
      sentence = sentences[this.next];
    }
    const from = Math.min(sentence?.start ?? start, start);
    let to = Math.max(sentence?.end ?? end, end);
    for (let index = this.next + 1; index < sentences.length; index += 1) {
      const { start: begin = 0, end: last = 0 } = sentences[index] ?? {};
      if (begin >= end) break;
      to = Math.max(to, last);
    }
    return { from, to, occurrence: counts.get(text.slice(from, to)) ?? 0 };
  }
}

/** Returns the id of a change of the title or of a metadata member. */
export function fieldChangeId(field: string, from: string | null, to: string | null): string {
  return `iss_${hashOf([field, from, to])}`;
}

function hashOf(key: unknown): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('base64url').slice(0, 22);
}
