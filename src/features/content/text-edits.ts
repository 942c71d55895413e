import { setImmediate } from 'node:timers/promises';
import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import { finderOf, type Finder } from './text-search.js';

/** Edits of one request. */
export const MAX_EDITS = 1_000;

/** An edit of a text. `at` counts UTF-16 units, as editors and JavaScript do; `all` takes every occurrence. */
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

/** The edited text, or the first edit that cannot be done: its index, why, and the same as a problem of its field. */
export type EditOutcome =
  | { done: true; text: string }
  | { done: false; index: number; reason: EditRefusal; problem: FieldProblem };

/**
 * Work is counted in units scanned; a replaced occurrence costs as much as scanning this many. A thousand edits of 1 MiB
 * fit, and at the limit the work takes about two seconds of the processor, in turns of tens of milliseconds.
 */
const UNITS_AN_OCCURRENCE = 32;
const MAX_WORK = 1_200 * 1024 * 1024;
const WORK_A_TURN = 16 * 1024 * 1024;

interface Draft {
  readonly text: string;
  /** Of UTF-8. */
  readonly bytes: number;
}

/** What one edit makes of a draft. `parts` joined are the new text. */
interface Step {
  parts: string[];
  bytes: number;
  work: number;
}

interface Refusal {
  reason: EditRefusal;
  /** The member of the edit that is to blame; `''` for the edit as a whole. */
  member: string;
  issue: string;
}

/**
 * Applies edits in order, each to what the one before left, all or nothing. The text must be, and stays, well-formed and
 * at most `maxBytes` of UTF-8 after every edit. Lets other requests in between when there is much to do.
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
    if ('reason' in step) return refused(index, step);
    draft = { text: step.parts.join(''), bytes: step.bytes };
    work += step.work;
    workOfTurn += step.work;
    if (workOfTurn > WORK_A_TURN) {
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
    const issue = 'does not occur in the content as the edits before this one leave it';
    return { reason: 'not_found', member: 'find', issue };
  }
  // Judged before anything is built: a short request can ask for terabytes.
  const size = {
    bytes: bytes + places.length * (Buffer.byteLength(inserted) - Buffer.byteLength(find)),
    work: text.length + places.length * UNITS_AN_OCCURRENCE,
  };
  const refusal = withinLimits(size, inserted === '' ? '' : 'with', limits);
  return refusal ?? { ...size, parts: partsBetween(text, places, find.length, inserted) };
}

function onlyPlace(next: Finder): number[] | Refusal {
  const first = next(0);
  if (first === -1) return [];
  const second = next(first + 1);
  if (second === -1) return [first];
  const issue = `occurs more than once (at ${String(first)} and ${String(second)}, UTF-16 units); give more of the text around it, or all: true`;
  return { reason: 'ambiguous', member: 'find', issue };
}

/** From the left, without overlap. */
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
    const issue = 'is too much work together with the edits before it; send fewer edits at once';
    return { reason: 'too_much_work', member: '', issue };
  }
  return undefined;
}

function refused(index: number, { reason, member, issue }: Refusal): EditOutcome {
  const field = `edits[${String(index)}]${member === '' ? '' : `.${member}`}`;
  return { done: false, index, reason, problem: { field, issue } };
}

function splitsPair(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
