import { mergeText, type Range } from '@document-service/text-merge/merge-text';
import { textEdits, type Edit } from '@document-service/text-merge/text-edits';
import { randomId } from '../../../random-id.js';

/**
 * A passage that both you and somebody else changed. Until you decide, your words stay in the editor and their words
 * are saved, so nobody's text is overwritten.
 */
export interface Conflict extends Range {
  id: string;
  /** Range of their words in the newest version. */
  base: Range;
  /** Name of the person or key that made the other change. */
  by?: string | undefined;
}

export interface OpenConflict extends Conflict {
  yours: string;
  theirs: string;
}

/** Both sides changed the title. Yours stays in its field and is not saved. */
export interface TitleConflict {
  theirs: string;
  by?: string | undefined;
}

/** A text with conflicts, compared with the newest version. */
interface ComparedText {
  /** The text to save: yours, with their words in the conflicts. */
  content: string;
  /**
   * The conflicts, and the ranges of their words in `content`. Excludes conflicts in which both sides have the same
   * words.
   */
  open: readonly OpenConflict[];
  saved: readonly Range[];
}

/** `base` is the newest version. */
export function compareText(
  base: string,
  yours: string,
  conflicts: readonly Conflict[],
): ComparedText {
  const parts: string[] = [];
  const open: OpenConflict[] = [];
  const saved: Range[] = [];
  let [at, length] = [0, 0];
  const add = (text: string) => {
    parts.push(text);
    length += text.length;
  };
  for (const conflict of conflicts) {
    const mine = yours.slice(conflict.from, conflict.to);
    const theirs = base.slice(conflict.base.from, conflict.base.to);
    add(yours.slice(at, conflict.from));
    if (mine !== theirs) {
      open.push({ ...conflict, yours: mine, theirs });
      saved.push({ from: length, to: length + theirs.length });
    }
    add(theirs);
    at = conflict.to;
  }
  add(yours.slice(at));
  return { content: parts.join(''), open, saved };
}

/** Merges a newer version into your text. Returns the text, the edits, and the open conflicts. */
export function mergeVersion(
  base: string,
  yours: string,
  theirs: string,
  { conflicts, by }: { conflicts: readonly Conflict[]; by: string | undefined },
) {
  const held = conflicts.map(({ base: inBase, from, to }) => ({
    base: inBase,
    yours: { from, to },
  }));
  const { text, edits, overlaps } = mergeText(base, yours, theirs, { held });
  const merged = overlaps.map(({ merged: range, inTheirs, held: [first], isNew }): Conflict => {
    const known = first === undefined ? undefined : conflicts[first];
    return {
      id: known?.id ?? randomId(),
      ...range,
      base: inTheirs,
      by: isNew ? by : known?.by,
    };
  });
  return { text, edits, conflicts: merged };
}

/** Returns the ranges of the conflicts after an edit. Their ranges in the newest version stay. */
export function moveConflicts(
  conflicts: readonly Conflict[],
  before: string,
  after: string,
): readonly Conflict[] {
  if (conflicts.length === 0 || before === after) return conflicts;
  // Compares words, because single letters would match letters of other words.
  const edits = textEdits(before, after);
  return conflicts.map((conflict) => ({ ...conflict, ...moved(conflict, edits) }));
}

function isInside({ from, to }: Range, edit: Edit): boolean {
  return edit.from >= from && edit.to <= to;
}

/**
 * An edit within a conflict belongs to it. The insertion of an edit across its edge stays outside, because it replaces
 * text that has nothing to do with the conflict.
 */
function moved({ from, to }: Range, edits: readonly Edit[]): Range {
  let [start, end] = [from, to];
  let [startShift, endShift] = [0, 0];
  for (const edit of edits) {
    const growth = edit.insert.length - (edit.to - edit.from);
    if (edit.from > to) break;
    if (edit.to < from) {
      startShift += growth;
      endShift += growth;
    } else if (isInside({ from, to }, edit)) {
      endShift += growth;
    } else if (edit.from < from) {
      // The edit ends within or after the conflict, so the rest of the conflict starts after the insertion.
      start = Math.min(to, edit.to);
      startShift += edit.insert.length - (start - edit.from);
      endShift += edit.insert.length - (start - edit.from);
      if (edit.to > to) end = start;
    } else {
      end = edit.from;
    }
  }
  const movedStart = start + startShift;
  return { from: movedStart, to: Math.max(movedStart, end + endShift) };
}

/** Your words, followed by theirs. */
export function bothTexts({ yours, theirs }: Pick<OpenConflict, 'yours' | 'theirs'>): string {
  if (yours === '' || theirs === '' || /\s$/.test(yours) || /^\s/.test(theirs)) {
    return yours + theirs;
  }
  return yours + (/\n/.test(yours + theirs) ? '\n' : ' ') + theirs;
}
