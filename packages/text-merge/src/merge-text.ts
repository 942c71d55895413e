import { applyEdits, textEdits, type Edit } from './text-edits.js';

/** A passage that both sides changed, each in its own way. */
export interface Overlap {
  /** Range of the passage in the text that both sides began with, in UTF-16 units. */
  base: { from: number; to: number };
  /** Range of the passage in the merged text. */
  merged: { from: number; to: number };
  /** What each side has there. */
  yours: string;
  theirs: string;
}

export interface TextMerge {
  /** The merged text. Where both sides changed the same passage, it has the words of the preferred side. */
  text: string;
  /** In the order of the text. */
  overlaps: Overlap[];
  /** The edits that turn your text into the merged one. */
  edits: Edit[];
}

/** Merges what both sides made of `base`, by lines and within them by words. */
export function mergeText(
  base: string,
  yours: string,
  theirs: string,
  prefer: 'yours' | 'theirs' = 'yours',
): TextMerge {
  if (theirs === base || yours === theirs) return { text: yours, overlaps: [], edits: [] };
  const groups = groupsOf(textEdits(base, yours), textEdits(base, theirs));
  const overlaps: Overlap[] = [];
  const edits: Edit[] = [];
  const parts: string[] = [];
  let at = 0;
  let mergedLength = 0;
  let yourShift = 0;
  for (const { from, to, yours: mine, theirs: other } of groups) {
    const before = base.slice(at, from);
    const yourText = sideOf(base, { from, to }, mine);
    const theirText = sideOf(base, { from, to }, other);
    const isOverlap = mine.length > 0 && other.length > 0 && yourText !== theirText;
    const takesTheirs = mine.length === 0 || (isOverlap && prefer === 'theirs');
    const text = takesTheirs ? theirText : yourText;
    mergedLength += before.length;
    if (isOverlap) {
      const merged = { from: mergedLength, to: mergedLength + text.length };
      overlaps.push({ base: { from, to }, merged, yours: yourText, theirs: theirText });
    }
    if (takesTheirs) {
      const start = from + yourShift;
      edits.push({ from: start, to: start + yourText.length, insert: theirText });
    }
    parts.push(before, text);
    mergedLength += text.length;
    yourShift += yourText.length - (to - from);
    at = to;
  }
  parts.push(base.slice(at));
  return { text: parts.join(''), overlaps, edits };
}

/** Edits of one or both sides that touch each other, and the range that they cover. */
interface Group {
  from: number;
  to: number;
  yours: Edit[];
  theirs: Edit[];
}

function groupsOf(yours: readonly Edit[], theirs: readonly Edit[]): Group[] {
  const groups: Group[] = [];
  const all = [
    ...yours.map((edit) => ({ edit, side: 'yours' as const })),
    ...theirs.map((edit) => ({ edit, side: 'theirs' as const })),
  ].sort((one, other) => one.edit.from - other.edit.from || one.edit.to - other.edit.to);
  for (const { edit, side } of all) {
    let group = groups.at(-1);
    if (!group || edit.from > group.to) {
      group = { from: edit.from, to: edit.to, yours: [], theirs: [] };
      groups.push(group);
    }
    group.to = Math.max(group.to, edit.to);
    group[side].push(edit);
  }
  return groups;
}

function sideOf(base: string, { from, to }: { from: number; to: number }, edits: Edit[]): string {
  const inGroup = edits.map((edit) => ({ ...edit, from: edit.from - from, to: edit.to - from }));
  return applyEdits(base.slice(from, to), inGroup);
}
