import { setImmediate } from 'node:timers/promises';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';

/** Maximum number of edits in one request. */
export const MAX_EDITS = 1_000;

/** An edit of a text. `at` counts UTF-16 code units, like JavaScript and editors; `all` replaces every occurrence. */
export type TextEdit =
  | { op: 'replace'; find: string; with: string; all?: boolean }
  | { op: 'delete'; find: string; all?: boolean }
  | { op: 'append'; text: string }
  | { op: 'insert'; at: number | 'start' | 'end'; text: string };

export type EditRefusal =
  | 'empty_find'
  | 'not_found'
  | 'ambiguous'
  | 'out_of_range'
  | 'splits_character'
  | 'too_large'
  | 'too_much_work';

/** The edited text, or the index, reason and problem of the first edit that failed. */
export type EditOutcome =
  | { done: true; text: string }
  | { done: false; index: number; reason: EditRefusal; problem: FieldProblem };

/**
 * Work is measured in scanned code units. Replacing an occurrence costs as much as scanning this many. The limit allows
 * 1,000 edits of 1 MiB: about two seconds of CPU time, in turns of tens of milliseconds.
 */
const WORK_PER_OCCURRENCE = 32;
const MAX_WORK = 1_200 * 1024 * 1024;
const WORK_PER_TURN = 16 * 1024 * 1024;

interface Draft {
  readonly text: string;
  /** UTF-8 length. */
  readonly bytes: number;
}

/** The result of one edit. Concatenating `parts` gives the new text. */
interface Step {
  parts: string[];
  bytes: number;
  work: number;
}

interface Refusal {
  reason: EditRefusal;
  /** Member of the edit that caused the failure; `''` for the whole edit. */
  member: string;
  issue: string;
}

/**
 * Applies all edits in order, or none. The text must be well-formed and stays well-formed. After each edit it may have at
 * most `maxBytes` bytes of UTF-8. Yields to the event loop during long work.
 */
export async function applyEdits(
  text: string,
  edits: readonly TextEdit[],
  maxBytes: number,
): Promise<EditOutcome> {
  let draft: Draft = { text, bytes: Buffer.byteLength(text) };
  let work = 0;
  let workOfTurn = 0;
  for (const [index, edit] of edits.entries()) {
    const step = stepOf(draft, edit, { maxBytes, maxWork: MAX_WORK - work });
    if ('reason' in step) return failure(index, step);
    draft = { text: step.parts.join(''), bytes: step.bytes };
    work += step.work;
    workOfTurn += step.work;
    if (workOfTurn > WORK_PER_TURN) {
      workOfTurn = 0;
      await setImmediate();
    }
  }
  return { done: true, text: draft.text };
}

interface Limits {
  maxBytes: number;
  maxWork: number;
}

function stepOf(draft: Draft, edit: TextEdit, limits: Limits): Step | Refusal {
  switch (edit.op) {
    case 'append':
      return insertion(draft, draft.text.length, edit.text, limits);
    case 'insert': {
      const at = offsetOf(edit.at, draft.text);
      return typeof at === 'number' ? insertion(draft, at, edit.text, limits) : at;
    }
    case 'replace':
      return replacement(draft, edit, edit.with, limits);
    case 'delete':
      return replacement(draft, edit, '', limits);
  }
}

function insertion({ text, bytes }: Draft, at: number, inserted: string, limits: Limits) {
  const step = {
    parts: [text.slice(0, at), inserted, text.slice(at)],
    bytes: bytes + Buffer.byteLength(inserted),
    work: text.length,
  };
  return withinLimits(step, 'text', limits) ?? step;
}

function offsetOf(at: number | 'start' | 'end', text: string): number | Refusal {
  if (at === 'start') return 0;
  if (at === 'end') return text.length;
  if (!Number.isInteger(at) || at < 0 || at > text.length) {
    const issue = `must be a whole number from 0 to ${String(text.length)}, the length of the content at this point in UTF-16 units, or "start" or "end"`;
    return { reason: 'out_of_range', member: 'at', issue };
  }
  if (splitsPair(text, at)) {
    const issue = `is inside a character (a surrogate pair); use ${String(at - 1)} or ${String(at + 1)}`;
    return { reason: 'splits_character', member: 'at', issue };
  }
  return at;
}

function replacement(
  { text, bytes }: Draft,
  { find, all }: { find: string; all?: boolean },
  inserted: string,
  limits: Limits,
): Step | Refusal {
  if (find === '') return { reason: 'empty_find', member: 'find', issue: 'must not be empty' };
  const next = finderOf(text, find);
  const places = all === true ? everyPlace(next, find.length) : onlyPlace(next);
  if (!Array.isArray(places)) return places;
  if (places.length === 0) {
    const issue = 'does not occur in the content after the preceding edits';
    return { reason: 'not_found', member: 'find', issue };
  }
  // Checked before the text is built, because a short request could produce terabytes.
  const size = {
    bytes: bytes + places.length * (Buffer.byteLength(inserted) - Buffer.byteLength(find)),
    work: text.length + places.length * WORK_PER_OCCURRENCE,
  };
  const refusal = withinLimits(size, inserted === '' ? '' : 'with', limits);
  return refusal ?? { ...size, parts: partsBetween(text, places, find.length, inserted) };
}

function onlyPlace(next: Finder): number[] | Refusal {
  const first = next(0);
  if (first === -1) return [];
  const second = next(first + 1);
  if (second === -1) return [first];
  const issue = `occurs more than once (at ${String(first)} and ${String(second)}, UTF-16 units); include more of the surrounding text, or set all: true`;
  return { reason: 'ambiguous', member: 'find', issue };
}

/** Returns all occurrences from the left, without overlap. */
function everyPlace(next: Finder, length: number): number[] {
  const places: number[] = [];
  for (let place = next(0); place !== -1; place = next(place + length)) places.push(place);
  return places;
}

function partsBetween(text: string, places: number[], length: number, inserted: string): string[] {
  const parts: string[] = [];
  let end = 0;
  for (const place of places) {
    parts.push(text.slice(end, place), inserted);
    end = place + length;
  }
  parts.push(text.slice(end));
  return parts;
}

function withinLimits(
  { bytes, work }: { bytes: number; work: number },
  member: string,
  { maxBytes, maxWork }: Limits,
): Refusal | undefined {
  if (bytes > maxBytes) {
    const issue = `makes the content larger than ${String(maxBytes)} bytes of UTF-8; it would have ${String(bytes)}`;
    return { reason: 'too_large', member, issue };
  }
  if (work > maxWork) {
    const issue =
      'exceeds the work limit together with the preceding edits; send fewer edits per request';
    return { reason: 'too_much_work', member: '', issue };
  }
  return undefined;
}

function failure(index: number, { reason, member, issue }: Refusal): EditOutcome {
  const field = `edits[${String(index)}]${member === '' ? '' : `.${member}`}`;
  return { done: false, index, reason, problem: { field, issue } };
}

/** True if the position is between the halves of a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

/** V8's `indexOf` takes linear time only for patterns up to this length (it shifts by at most 250 code units). */
const ENGINE_UNITS = 250;
/** Partial matches to accept before switching to an algorithm with a linear worst case. */
const MAX_PARTIAL_MATCHES = 32;

/** Returns the first occurrence at or after `from`, or -1. Offsets are UTF-16 code units. */
export type Finder = (from: number) => number;

/** Returns a finder for `find`, which must not be empty. Each scan of the text takes linear time. */
export function finderOf(text: string, find: string): Finder {
  if (find.length <= ENGINE_UNITS) return (from) => text.indexOf(find, from);
  const beginning = find.slice(0, ENGINE_UNITS);
  let partialMatches = 0;
  let linear: Finder | undefined;
  return (from) => {
    let at = text.indexOf(beginning, from);
    while (at !== -1 && !text.startsWith(find, at)) {
      partialMatches += 1;
      if (partialMatches > MAX_PARTIAL_MATCHES) return (linear ??= linearFinder(text, find))(at);
      at = text.indexOf(beginning, at + 1);
    }
    return at;
  };
}

/** Searches with the Knuth-Morris-Pratt algorithm, which reads each code unit once. */
function linearFinder(text: string, find: string): Finder {
  const pattern = Uint16Array.from({ length: find.length }, (_, index) => find.charCodeAt(index));
  const fallback = fallbackTable(pattern);
  return (from) => {
    let matched = 0;
    for (let index = from; index < text.length; index += 1) {
      matched = advance(pattern, fallback, matched, text.charCodeAt(index));
      if (matched === pattern.length) return index + 1 - matched;
    }
    return -1;
  };
}

/** Returns, for each prefix length, the length of the longest proper prefix that is also its suffix. */
function fallbackTable(pattern: Uint16Array): Int32Array {
  const fallback = new Int32Array(pattern.length + 1);
  for (let index = 1; index < pattern.length; index += 1) {
    fallback[index + 1] = advance(pattern, fallback, fallback[index] ?? 0, pattern[index] ?? 0);
  }
  return fallback;
}

function advance(
  pattern: Uint16Array,
  fallback: Int32Array,
  matched: number,
  unit: number,
): number {
  let length = matched;
  while (length > 0 && pattern[length] !== unit) length = fallback[length] ?? 0;
  return pattern[length] === unit ? length + 1 : length;
}
