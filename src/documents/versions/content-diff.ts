import { compareLines, linesOf, type LineChange } from './line-changes.js';
import { addSegment, WordComparison, type Segment } from './word-segments.js';
import { wordsIn } from './word-tokens.js';

/** A place where two contents differ, with the lines around it. Lines count from 1, as in a unified diff. */
export interface DiffHunk {
  fromLine: number;
  fromLines: number;
  toLine: number;
  toLines: number;
  /** The hunk word by word, line breaks included. */
  segments: Segment[];
}

export interface ContentDiff {
  /** A unified diff that patch tools apply; empty where the contents are equal. */
  unified: string;
  hunks: DiffHunk[];
  stats: { addedLines: number; removedLines: number; addedWords: number; removedWords: number };
  /** Whether the contents differ so much that more may be told as changed than need be. The diff is right all the same. */
  approximate: boolean;
}

/** How the two contents are called in a unified diff. */
export interface DiffLabels {
  from: string;
  to: string;
}

/** Equal lines that are shown before and after a change. */
const CONTEXT = 3;
const NO_LINE_FEED = '\\ No newline at end of file\n';

/** Two contents as lines. */
interface Lines {
  from: string[];
  to: string[];
}

/** Changes so near to each other that the lines around them touch. */
type ChangeGroup = [LineChange, ...LineChange[]];

/**
 * How one content became another, by lines and by words. `labels` name the two in the unified diff. Lines end with `\n`
 * alone; the `\r` of `\r\n` is part of the line. Takes bounded time whatever the contents are, see ADR 0023.
 */
export function diffContents(from: string, to: string, labels: DiffLabels): ContentDiff {
  const lines = { from: linesOf(from), to: linesOf(to) };
  const { changes, approximate } = compareLines(lines.from, lines.to);
  const words = new WordComparison(!approximate);
  const groups = grouped(changes);
  const hunks = groups.map((group) => hunkOf(lines, group, words));
  const unified = groups.map((group) => unifiedHunk(lines, group)).join('');
  return {
    unified: unified === '' ? '' : `--- ${labels.from}\n+++ ${labels.to}\n${unified}`,
    hunks,
    stats: statsOf(changes, hunks),
    approximate: approximate || words.approximate,
  };
}

function grouped(changes: readonly LineChange[]): ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && change.fromStart - last.fromEnd <= 2 * CONTEXT) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** The lines of both contents that a hunk shows. */
function extentOf(lines: Lines, group: ChangeGroup): LineChange {
  const [first] = group;
  const last = group.at(-1) ?? first;
  const before = Math.min(CONTEXT, first.fromStart);
  const after = Math.min(CONTEXT, lines.from.length - last.fromEnd);
  return {
    fromStart: first.fromStart - before,
    fromEnd: last.fromEnd + after,
    toStart: first.toStart - before,
    toEnd: last.toEnd + after,
  };
}

function hunkOf(lines: Lines, group: ChangeGroup, words: WordComparison): DiffHunk {
  const extent = extentOf(lines, group);
  const segments: Segment[] = [];
  let place = extent.fromStart;
  for (const change of group) {
    addSegment(segments, 'equal', lines.from.slice(place, change.fromStart).join(''));
    const removed = lines.from.slice(change.fromStart, change.fromEnd).join('');
    const added = lines.to.slice(change.toStart, change.toEnd).join('');
    for (const { type, text } of words.segments(removed, added)) addSegment(segments, type, text);
    place = change.fromEnd;
  }
  addSegment(segments, 'equal', lines.from.slice(place, extent.fromEnd).join(''));
  return { ...placeOf(extent), segments };
}

/** A side without lines names the line before it. */
function placeOf({ fromStart, fromEnd, toStart, toEnd }: LineChange): Omit<DiffHunk, 'segments'> {
  const fromLines = fromEnd - fromStart;
  const toLines = toEnd - toStart;
  return {
    fromLine: fromLines === 0 ? fromStart : fromStart + 1,
    fromLines,
    toLine: toLines === 0 ? toStart : toStart + 1,
    toLines,
  };
}

function unifiedHunk(lines: Lines, group: ChangeGroup): string {
  const extent = extentOf(lines, group);
  const { fromLine, fromLines, toLine, toLines } = placeOf(extent);
  const parts = [
    `@@ -${String(fromLine)},${String(fromLines)} +${String(toLine)},${String(toLines)} @@\n`,
  ];
  let place = extent.fromStart;
  for (const change of group) {
    marked(parts, ' ', lines.from.slice(place, change.fromStart));
    marked(parts, '-', lines.from.slice(change.fromStart, change.fromEnd));
    marked(parts, '+', lines.to.slice(change.toStart, change.toEnd));
    place = change.fromEnd;
  }
  marked(parts, ' ', lines.from.slice(place, extent.fromEnd));
  return parts.join('');
}

function marked(parts: string[], mark: string, lines: readonly string[]): void {
  for (const line of lines) {
    parts.push(mark, line);
    if (!line.endsWith('\n')) parts.push('\n', NO_LINE_FEED);
  }
}

function statsOf(changes: readonly LineChange[], hunks: readonly DiffHunk[]): ContentDiff['stats'] {
  const stats = { addedLines: 0, removedLines: 0, addedWords: 0, removedWords: 0 };
  for (const { fromStart, fromEnd, toStart, toEnd } of changes) {
    stats.removedLines += fromEnd - fromStart;
    stats.addedLines += toEnd - toStart;
  }
  for (const { type, text } of hunks.flatMap(({ segments }) => segments)) {
    if (type === 'added') stats.addedWords += wordsIn(text);
    else if (type === 'removed') stats.removedWords += wordsIn(text);
  }
  return stats;
}
