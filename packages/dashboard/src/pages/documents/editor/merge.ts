import { diff3Merge, diffIndices } from 'node-diff3';

/** What a person writes: the fields that are merged when two people change them. */
export interface Texts {
  title: string;
  content: string;
}

/** The texts of one version of a document. */
export interface Snapshot extends Texts {
  version: number;
}

/** Whose lines a merge takes where both sides changed the same place. */
export type Preference = 'both' | 'yours' | 'theirs';

/** Lines from `from` up to before `to`, from 0. */
export interface LineRange {
  from: number;
  to: number;
}

export interface Merge {
  texts: Texts;
  /** Places that both sides changed, in the lines of each. */
  overlaps: { yours: LineRange; theirs: LineRange }[];
  /** Whether both sides changed the title, each to something else. */
  titleOverlaps: boolean;
}

export function sameTexts(one: Texts, other: Texts): boolean {
  return one.title === other.title && one.content === other.content;
}

/**
 * Merges what both sides made of `base`, by lines. Where they overlap, `prefer` decides; `both` puts your lines before
 * theirs, so that nothing is lost. `byWords` merges lines that both sides changed word by word first.
 */
export function mergeTexts(
  base: Texts,
  yours: Texts,
  theirs: Texts,
  prefer: Preference = 'both',
  { byWords = false } = {},
): Merge {
  const options = { prefer, byWords };
  const content = mergeLines(base.content, yours.content, theirs.content, options);
  const titleOverlaps =
    yours.title !== theirs.title && yours.title !== base.title && theirs.title !== base.title;
  const theirTitle = titleOverlaps ? prefer === 'theirs' : yours.title === base.title;
  return {
    texts: { title: theirTitle ? theirs.title : yours.title, content: content.text },
    overlaps: content.overlaps,
    titleOverlaps,
  };
}

interface MergeOptions {
  prefer: Preference;
  byWords: boolean;
}

function mergeLines(base: string, yours: string, theirs: string, options: MergeOptions) {
  if (yours === theirs || theirs === base) return { text: yours, overlaps: [] };
  if (yours === base) return { text: theirs, overlaps: [] };
  const sides = [yours, base, theirs].map((text) => text.split('\n')) as [Lines, Lines, Lines];
  return mergeApart(...sides) ?? mergeOverlapping(sides, options);
}

/** The usual case, without comparing all lines with all: one side has changed lines before those of the other. */
function mergeApart(yours: Lines, base: Lines, theirs: Lines) {
  const [first, second] = [yours, theirs]
    .map((lines) => ({ lines, ...commonEnds([base, lines]) }))
    .sort((one, other) => one.head - other.head) as [Span, Span];
  // A line between them must be the same, as in every merge by lines.
  if (second.head <= base.length - first.tail) return undefined;
  const merged = [
    ...first.lines.slice(0, first.lines.length - first.tail),
    ...base.slice(base.length - first.tail, second.head),
    ...second.lines.slice(second.head),
  ];
  return { text: merged.join('\n'), overlaps: [] };
}

interface Span {
  lines: Lines;
  head: number;
  tail: number;
}

/** Pairs of lines that are compared: more would hold up the page for seconds. */
const MOST_PAIRS = 25_000_000;
/** The same for words, which are compared while somebody types. */
const MOST_WORD_PAIRS = 2_000_000;

function mergeOverlapping(sides: [Lines, Lines, Lines], { prefer, byWords }: MergeOptions) {
  const { head, tail } = commonEnds(sides);
  const [a, o, b] = sides.map((lines) => lines.slice(head, lines.length - tail)) as typeof sides;
  const merged = sides[0].slice(0, head);
  const overlaps: Merge['overlaps'] = [];
  const isTooLong = o.length * Math.max(a.length, b.length) > MOST_PAIRS;
  const regions = isTooLong
    ? [{ ok: [], conflict: { a, o, b, aIndex: 0, bIndex: 0 } }]
    : diff3Merge(a, o, b, { excludeFalseConflicts: true });
  for (const { ok, conflict } of regions) {
    for (const line of ok ?? []) merged.push(line);
    if (!conflict) continue;
    const words = byWords ? mergeWords(conflict.a, conflict.o, conflict.b) : undefined;
    if (words !== undefined) {
      for (const line of words) merged.push(line);
      continue;
    }
    overlaps.push({
      yours: rangeOf(head + conflict.aIndex, conflict.a.length),
      theirs: rangeOf(head + conflict.bIndex, conflict.b.length),
    });
    if (prefer !== 'theirs') for (const line of conflict.a) merged.push(line);
    if (prefer !== 'yours') for (const line of conflict.b) merged.push(line);
  }
  const rest = sides[0].slice(sides[0].length - tail);
  return { text: [...merged, ...rest].join('\n'), overlaps };
}

type Lines = string[];

/** Returns the lines with the changed words of both sides; undefined if both changed the same words. */
function mergeWords(yours: Lines, base: Lines, theirs: Lines): Lines | undefined {
  const [a, o, b] = [yours, base, theirs].map((lines) => wordsOf(lines.join('\n'))) as Sides;
  // No line at all is not the same as one empty line.
  if (yours.length === 0 || theirs.length === 0) return undefined;
  if (o.length * Math.max(a.length, b.length) > MOST_WORD_PAIRS) return undefined;
  const merged: string[] = [];
  for (const { ok, conflict } of diff3Merge(a, o, b, { excludeFalseConflicts: true })) {
    if (conflict || !ok) return undefined;
    for (const word of ok) merged.push(word);
  }
  return merged.join('').split('\n');
}

type Sides = [Lines, Lines, Lines];

/** The words of a text, and each space and sign between them. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]/gu) ?? [];
}

function rangeOf(from: number, length: number): LineRange {
  return { from, to: from + length };
}

/**
 * How many lines all texts have in common at the beginning and at the end. They are left out of the comparison, which
 * takes the square of the lines that are left.
 */
function commonEnds(texts: readonly Lines[]): { head: number; tail: number } {
  const [first = [], ...others] = texts;
  const shortest = Math.min(...texts.map(({ length }) => length));
  let head = 0;
  while (head < shortest && others.every((lines) => lines[head] === first[head])) head += 1;
  let tail = 0;
  const atEnd = (lines: Lines) => lines[lines.length - 1 - tail];
  while (tail < shortest - head && others.every((lines) => atEnd(lines) === atEnd(first)))
    tail += 1;
  return { head, tail };
}

/** A change of a text: what stands from `from` to `to` becomes `insert`. */
export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/** How `before` becomes `after`, by lines and within them by words, so that a cursor elsewhere stays where it is. */
export function textChanges(before: string, after: string): TextChange[] {
  if (before === after) return [];
  // Each line with its own line break, so that positions add up.
  const split = (text: string) => text.split(/(?<=\n)/);
  return changesBy({ split, mostPairs: MOST_PAIRS }, before, after).flatMap(
    ({ from, to, insert }) =>
      changesBy(BY_WORDS, before.slice(from, to), insert).map((change) => ({
        from: from + change.from,
        to: from + change.to,
        insert: change.insert,
      })),
  );
}

interface Units {
  split: (text: string) => Lines;
  /** Pairs of units above which the whole difference counts as one change. */
  mostPairs: number;
}

const BY_WORDS: Units = { split: wordsOf, mostPairs: MOST_WORD_PAIRS };

function changesBy({ split, mostPairs }: Units, before: string, after: string): TextChange[] {
  if (before === '' || after === '') return [{ from: 0, to: before.length, insert: after }];
  const sides = [before, after].map(split) as [Lines, Lines];
  const { head, tail } = commonEnds(sides);
  const [old, fresh] = sides.map((units) => units.slice(head, units.length - tail)) as typeof sides;
  const starts = [lengthOf(sides[0].slice(0, head))];
  const whole = { buffer1: [0, old.length], buffer2: [0, fresh.length] } as const;
  const isTooLong = old.length * fresh.length > mostPairs;
  for (const unit of old) starts.push((starts.at(-1) ?? 0) + unit.length);
  return (isTooLong ? [whole] : diffIndices(old, fresh)).map(
    ({ buffer1: [at, removed], buffer2: [from, added] }) => ({
      from: starts[at] ?? 0,
      to: starts[at + removed] ?? 0,
      insert: fresh.slice(from, from + added).join(''),
    }),
  );
}

function lengthOf(units: Lines): number {
  return units.reduce((sum, { length }) => sum + length, 0);
}
