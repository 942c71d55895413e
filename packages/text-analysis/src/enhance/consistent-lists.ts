import { MASK } from '../text/prose.js';
import { sentencesOf } from '../text/sentences.js';
import { outweighs, type Passage } from './passages.js';
import { RULES } from './enhancement-rules.js';
import { CONSISTENCY_CONFIDENCE, type Suggested } from './suggestions.js';

/** Fewest items that can have a majority. */
const LEAST_ITEMS = 4;

/** The marker before an item, with its indentation and the box of a task. */
const MARKER = /^([ \t>]*)(?:[-*+•–]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?$/;
/** Words that keep their period at the end of an item. */
const ABBREVIATED =
  /(?:\betc|\be\.g|\bi\.e|\bInc|\bLtd|\bCo|\bJr|\bSr|\bSt|\bvs|\bno|\bp\.m|\ba\.m|\bU\.S|\busw|\bz\.B)\.$/;

interface Item {
  passage: Passage;
  end: 'period' | 'none';
  /** The last word of the prose, without the period. */
  word: string;
  at: number;
  hasOneSentence: boolean;
}

/**
 * Suggests a period at the end of list items, or none, as at the end of most items of the same list. Works for all languages
 * that end sentences with a period.
 */
export function* consistentLists(text: string, passages: readonly Passage[]): Generator<Suggested> {
  for (const list of listsIn(text, passages)) yield* minorityOf(list);
}

function* minorityOf(list: readonly Passage[]): Generator<Suggested> {
  const all = list.map(itemOf);
  if (all.includes('running')) return;
  const items = all.filter((item) => typeof item === 'object');
  if (items.length < LEAST_ITEMS) return;
  const periods = items.filter(({ end }) => end === 'period');
  const none = items.filter(({ end }) => end === 'none');
  const [most, rest] = periods.length > none.length ? [periods, none] : [none, periods];
  if (rest.length === 0 || !outweighs(most.length, rest.length)) return;
  const addsPeriods = most === periods;
  // A list may read as one sentence, which ends with its last item.
  if (!addsPeriods && rest.length === 1 && rest[0] === items.at(-1)) return;
  const message = addsPeriods
    ? `${counted(most.length)} of this list end with a period and ${String(rest.length)} without.`
    : `${counted(most.length)} of this list end without a period and ${String(rest.length)} with one.`;
  for (const { passage, word, at, hasOneSentence } of rest) {
    if (!addsPeriods && !hasOneSentence) continue;
    yield {
      paragraph: passage.paragraph,
      start: at,
      end: at + word.length + (addsPeriods ? 0 : 1),
      rule: RULES.listEnd,
      message,
      values: [addsPeriods ? `${word}.` : word],
      confidence: CONSISTENCY_CONFIDENCE,
    };
  }
}

function counted(count: number): string {
  return `${String(count)} items`;
}

/** Returns the lists: items in a row with the same indentation and kind of marker. Nested lists are lists of their own. */
function listsIn(text: string, passages: readonly Passage[]): Passage[][] {
  const lists: Passage[][] = [];
  /** Lists that may go on, by marker. */
  let open = new Map<string, Passage[]>();
  let last: Passage | undefined;
  for (const passage of passages) {
    const { kind, start } = passage.paragraph;
    const key = kind === 'list-item' ? markerOf(text, start) : null;
    if (key === null || (last && isInterrupted(text.slice(last.paragraph.end, start))))
      open = new Map();
    last = passage;
    if (key === null || key === undefined) continue;
    for (const other of open.keys()) if (indentOf(other) > indentOf(key)) open.delete(other);
    let list = open.get(key);
    if (!list) {
      list = [];
      lists.push(list);
      open.set(key, list);
    }
    list.push(passage);
  }
  return lists;
}

/** Returns true if something that is not prose, such as a code block, ends the list. */
function isInterrupted(between: string): boolean {
  const lines = between.split('\n').slice(1, -1);
  return lines.some((line) => /^[^\s>]/.test(line));
}

/** Returns indentation and kind of the marker before an item, or undefined for its later paragraphs. */
function markerOf(text: string, start: number): string | undefined {
  const line = text.slice(Math.max(text.lastIndexOf('\n', start - 1) + 1, start - 200), start);
  const marker = MARKER.exec(line);
  if (!marker) return undefined;
  const isNumbered = /\d/.test(line);
  return `${String(marker[1]?.length ?? 0)} ${isNumbered ? '1' : line.trim().charAt(0)}`;
}

function indentOf(key: string): number {
  return Number.parseInt(key, 10);
}

/**
 * Returns undefined for an item that ends otherwise or has hardly any prose, and `running` if the list is one sentence whose
 * items end with a comma or semicolon.
 */
function itemOf(passage: Passage): Item | 'running' | undefined {
  const { prose } = passage.paragraph;
  let end = prose.length;
  while (end > 0 && /\s/.test(prose.charAt(end - 1))) end -= 1;
  const body = prose.slice(0, end);
  if (/[,;]$|(?:[,;]|\b)\s*(?:and|or|und|oder|et|ou|y|o|en|of)$/u.test(body)) return 'running';
  return isUnclear(body) ? undefined : endOf(passage, body);
}

/** Returns true if the end says nothing: code, links and emphasis, abbreviations, and an ellipsis. */
function isUnclear(body: string): boolean {
  if (body.endsWith(MASK) || body.endsWith(`${MASK}.`)) return true;
  if (ABBREVIATED.test(body) || /\.\.$|…$/.test(body)) return true;
  const letters = body.match(/\p{L}/gu)?.length ?? 0;
  const hidden = body.split(MASK).length - 1;
  return letters < 2 || hidden > letters;
}

function endOf(passage: Passage, body: string): Item | undefined {
  const [, word = '', sign = ''] = /([\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*\)?)(\.?)$/u.exec(body) ?? [];
  if (!/\p{L}{2}/u.test(word)) return undefined;
  return {
    passage,
    end: sign === '.' ? 'period' : 'none',
    word,
    at: body.length - sign.length - word.length,
    hasOneSentence: sentencesOf(body, passage.language).length === 1,
  };
}
