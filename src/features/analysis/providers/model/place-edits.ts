import type { TextRange } from '@document-service/text-analysis/analysis';
import { overlap } from '../../enhancements/apply-suggestions.js';
import { EDIT_GOALS, type EditGoal } from './model-goals.js';

/** An edit as models return it, without offsets, because models cannot count characters. */
export interface ModelEdit {
  /** Number in the prompt, from 1. */
  paragraph: number;
  /** The passage, copied from the paragraph. */
  find: string;
  /** Text before the passage, if the passage occurs more than once in the paragraph. */
  before: string;
  replace: string;
  reason: string;
}

/** A passage that the model sees. Masked ranges are relative to it. */
export interface ShownParagraph extends TextRange {
  text: string;
  masked: readonly TextRange[];
}

/** An edit with a verified range in the whole text. */
export interface PlacedEdit extends TextRange {
  original: string;
  replacement: string;
  reason: string;
}

/** Reasons to discard an edit. */
type DropReason =
  | 'not-found'
  | 'ambiguous'
  | 'protected'
  | 'new-markup'
  | 'unchanged'
  | 'too-long'
  | 'too-short'
  | 'overlapping'
  | 'too-many'
  | 'invalid';
export type Dropped = Partial<Record<DropReason, number>>;

/** Maximum edits used from one response. A model that returns more has failed. */
const MAX_EDITS = 100;
const MAX_REASON_CHARACTERS = 500;

/**
 * Returns the edits with an unambiguous range, in text order, and counts the others. Requires exact matches, because
 * approximate matching silently corrupts texts.
 */
export function placeEdits(
  edits: readonly ModelEdit[],
  paragraphs: readonly ShownParagraph[],
  goals: readonly EditGoal[],
): { placed: PlacedEdit[]; dropped: Dropped } {
  const placed: PlacedEdit[] = [];
  const dropped: Dropped = {};
  for (const edit of edits) {
    const made = placed.length >= MAX_EDITS ? 'too-many' : placeEdit(edit, paragraphs, goals);
    const result =
      typeof made !== 'string' && placed.some((one) => overlap(one, made)) ? 'overlapping' : made;
    if (typeof result === 'string') dropped[result] = (dropped[result] ?? 0) + 1;
    else placed.push(result);
  }
  placed.sort((one, other) => one.start - other.start);
  return { placed, dropped };
}

function placeEdit(
  edit: ModelEdit,
  paragraphs: readonly ShownParagraph[],
  goals: readonly EditGoal[],
): PlacedEdit | DropReason {
  const { find, replace } = edit;
  if (find.trim() === '' || !isPlainText(find) || !isPlainText(replace)) return 'invalid';
  if (find === replace) return 'unchanged';
  const place = placeOf(edit, paragraphs);
  if (typeof place === 'string') return place;
  const { paragraph } = place;
  const { start, original, replacement } = narrowed(place.at, find, replace);
  const range = { start, end: start + original.length };
  if (!endsBetweenCharacters(paragraph.text, range)) return 'not-found';
  if (paragraph.masked.some((mask) => overlap(mask, range))) return 'protected';
  const size = sizeProblem(find, replace, goals);
  if (size) return size;
  if (addsMarkup(original, replacement)) return 'new-markup';
  const { text } = paragraph;
  const changed = text.slice(0, range.start) + replacement + text.slice(range.end);
  if (BLOCK.test(changed) && !BLOCK.test(text)) return 'new-markup';
  return {
    start: paragraph.start + range.start,
    end: paragraph.start + range.end,
    original,
    replacement,
    reason: edit.reason.slice(0, MAX_REASON_CHARACTERS).toWellFormed(),
  };
}

/**
 * Finds the passage, which must occur exactly once in its paragraph, or once after the text in `before`. Searches all
 * paragraphs if the number is invalid.
 */
function placeOf(
  { paragraph: number, find, before }: ModelEdit,
  paragraphs: readonly ShownParagraph[],
): { paragraph: ShownParagraph; at: number } | 'not-found' | 'ambiguous' {
  const named = paragraphs[number - 1];
  const places = (named ? [named] : paragraphs).flatMap((paragraph) =>
    occurrences(paragraph.text, find).map((at) => ({ paragraph, at })),
  );
  const [only] = places;
  if (!only) return 'not-found';
  if (places.length === 1) return only;
  const context = before.trimEnd();
  if (context === '') return 'ambiguous';
  const matching = places.filter(({ paragraph, at }) =>
    paragraph.text.slice(0, at).trimEnd().endsWith(context),
  );
  return matching.length === 1 && matching[0] ? matching[0] : 'ambiguous';
}

/** Returns all occurrences, including overlapping ones: `aa` occurs twice in `aaa`. */
function occurrences(text: string, find: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + 1)) found.push(at);
  return found;
}

/** Removes unchanged words at both ends of an edit, unless the passage would be empty. */
function narrowed(at: number, find: string, replace: string) {
  const before = wordsOf(find);
  const after = wordsOf(replace);
  const most = Math.min(before.length, after.length) - 1;
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const original = before.slice(head, before.length - tail).join('');
  if (original.trim() === '') return { start: at, original: find, replacement: replace };
  return {
    start: at + before.slice(0, head).join('').length,
    original,
    replacement: after.slice(head, after.length - tail).join(''),
  };
}

function wordsOf(text: string): string[] {
  return text.split(/(\s+)/).filter((part) => part !== '');
}

/** Characters that combine with the previous one: marks, joiners, variation selectors, skin tone modifiers. */
const JOINS = /^(?:\p{M}|\u200d|\p{Emoji_Modifier})/u;

/** True if the range does not split a character as readers see it. */
function endsBetweenCharacters(text: string, { start, end }: TextRange): boolean {
  return [start, end].every((at) => {
    const pair = text.slice(Math.max(0, at - 1), at + 1);
    if (at > 0 && at < text.length && (pair === '\r\n' || isSurrogatePair(pair))) return false;
    return (
      !JOINS.test(text.slice(at, at + 2)) && (at === 0 || !text.slice(0, at).endsWith('\u200d'))
    );
  });
}

function isSurrogatePair(text: string): boolean {
  return text.length === 2 && text.isWellFormed() && (text.codePointAt(0) ?? 0) > 0xffff;
}

/** Characters that hide or reorder text, or that cannot be stored. */
const CONTROLS = /[^\P{Cc}\t\r\n]|[\u202a-\u202e\u2066-\u2069\ufffc]/u;

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROLS.test(text);
}

/** Checks the length of a replacement against the most generous goal. */
function sizeProblem(
  original: string,
  replacement: string,
  goals: readonly EditGoal[],
): 'too-long' | 'too-short' | undefined {
  const rules = goals.map((goal) => EDIT_GOALS[goal]);
  const bound = ([factor, constant]: readonly [number, number]) =>
    original.length * factor + constant;
  if (rules.every(({ most }) => replacement.length > bound(most))) return 'too-long';
  if (rules.every(({ fewest }) => replacement.length < bound(fewest))) return 'too-short';
  return undefined;
}

/** Characters of Markdown and HTML. A replacement must not contain more of any of them than the passage. */
const MARKUP_CHARACTERS = Array.from('`*_[]<>|\\~\n{}$&');
/** Text that programs turn into links. */
const LINK =
  /[a-z][a-z0-9+.-]{1,30}:\/\/|\bwww\.|\b(?:mailto|javascript|xmpp):|\bdata:[a-z]+\/|\btel:\+?\d|[\w.+-]{1,64}@[\w-]{1,63}\.\w|\b[\w-]{1,63}\.(?:com|org|net|io|dev|ai|app|info|biz|xyz|link|site|top|[a-z]{2}\/)/gi;
/** Start of a heading, quote, list, table or fence. */
const BLOCK = /^\s*(?:[#>|~`=]|[-*+](?:\s|$|-)|\d{1,9}[.)](?:\s|$))/;

/** True if the edit adds a link, HTML, code or a template variable. */
function addsMarkup(original: string, replacement: string): boolean {
  const counted = (text: string, sign: string) => text.split(sign).length - 1;
  if (MARKUP_CHARACTERS.some((sign) => counted(replacement, sign) > counted(original, sign)))
    return true;
  const links = replacement.match(LINK) ?? [];
  return links.some((link) => !original.includes(link));
}
