import {
  applyEdits,
  mapPosition,
  textEdits,
  type Edit,
} from '@document-service/text-merge/text-edits';

/**
 * A passage that you and somebody else have changed. Until you decide, your words stay in the editor and their words are
 * saved, so that nobody's text is overwritten.
 */
export interface Conflict {
  id: string;
  /** Range of your words in the text that is being written, in UTF-16 units. */
  from: number;
  to: number;
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

/** Returns where the conflicts are after the edits. Text at their edges becomes part of them. */
export function moveConflicts(
  conflicts: readonly Conflict[],
  edits: readonly Edit[],
): readonly Conflict[] {
  if (conflicts.length === 0 || edits.length === 0) return conflicts;
  return conflicts.map((conflict) => ({
    ...conflict,
    from: mapPosition(conflict.from, edits, -1),
    to: mapPosition(conflict.to, edits, 1),
  }));
}

/** Adds new conflicts. Those that touch become one, with the id of the first and the author of the last. */
export function addConflicts(
  known: readonly Conflict[],
  added: readonly Conflict[],
): readonly Conflict[] {
  if (added.length === 0) return known;
  const joined: Conflict[] = [];
  const isKnown = new Set(known);
  const all = [...known, ...added].sort((one, other) => one.from - other.from);
  for (const conflict of all) {
    const last = joined.at(-1);
    if (!last || conflict.from > last.to) {
      joined.push({ ...conflict });
      continue;
    }
    last.to = Math.max(last.to, conflict.to);
    if (!isKnown.has(conflict)) last.by = conflict.by;
  }
  return joined;
}

/** A text with open conflicts, compared with the newest version. */
export interface ComparedText {
  /** The text to save: your edits, but their words in the conflicts. */
  content: string;
  /** Without those in which both sides have the same words by now. */
  open: readonly OpenConflict[];
}

/** `base` is the newest version, which has their words in the conflicts. */
export function compareText(
  base: string,
  yours: string,
  conflicts: readonly Conflict[],
): ComparedText {
  if (conflicts.length === 0) return { content: yours, open: [] };
  const saved: Edit[] = [];
  const held = new Map<Conflict, { base: Range; yours: Range }>();
  let shift = 0;
  for (const edit of textEdits(base, yours)) {
    const from = edit.from + shift;
    const to = from + edit.insert.length;
    shift += edit.insert.length - (edit.to - edit.from);
    const conflict = conflicts.find((one) => from <= one.to && to >= one.from);
    if (!conflict) {
      saved.push(edit);
      continue;
    }
    const before = held.get(conflict);
    held.set(conflict, {
      base: { from: before?.base.from ?? edit.from, to: edit.to },
      yours: { from: before?.yours.from ?? from, to },
    });
  }
  const open = [...held].map(([conflict, ranges]) => ({
    ...conflict,
    ...ranges.yours,
    yours: yours.slice(ranges.yours.from, ranges.yours.to),
    theirs: base.slice(ranges.base.from, ranges.base.to),
  }));
  return { content: applyEdits(base, saved), open };
}

interface Range {
  from: number;
  to: number;
}

/** Your words and theirs, one after the other. */
export function bothTexts({ yours, theirs }: Pick<OpenConflict, 'yours' | 'theirs'>): string {
  if (yours === '' || theirs === '' || /\s$/.test(yours) || /^\s/.test(theirs))
    return yours + theirs;
  return yours + (/\n/.test(yours + theirs) ? '\n' : ' ') + theirs;
}
