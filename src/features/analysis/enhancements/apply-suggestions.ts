import type { TextRange } from '@document-service/text-analysis/analysis';
import { isSafe } from '@document-service/text-analysis/issues';
import { applyEdits as applyTextEdits } from '@document-service/text-merge/text-edits';
import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import type { FieldChange, Suggestion } from './enhancement.js';

/** A replacement of a passage. */
export interface Edit extends TextRange {
  id: string;
  value: string;
  /** From 0 to 1. Of two overlapping edits, the one with higher confidence is applied. */
  confidence: number;
}

/** An edit that is not applied because it overlaps another one. */
export interface Conflict {
  id: string;
  /** The edit that is applied instead, with the same or higher confidence. */
  with: string;
}

/** Selects edits that do not overlap, preferring higher confidence. Returns them in text order. */
export function compatibleEdits(edits: readonly Edit[]): { edits: Edit[]; conflicts: Conflict[] } {
  const all = clustersOf(edits).map(withoutOverlaps);
  return {
    edits: inOrder(all.flatMap((cluster) => cluster.edits)),
    conflicts: all.flatMap(({ conflicts }) => conflicts),
  };
}

/** Groups edits so that edits of different groups do not overlap. */
function clustersOf(edits: readonly Edit[]): Edit[][] {
  const clusters: Edit[][] = [];
  let end = -1;
  for (const edit of inOrder(edits)) {
    const last = clusters.at(-1);
    if (last && edit.start <= end) last.push(edit);
    else clusters.push([edit]);
    end = Math.max(end, edit.end);
  }
  return clusters;
}

function withoutOverlaps(cluster: readonly Edit[]): { edits: Edit[]; conflicts: Conflict[] } {
  const made: Edit[] = [];
  const conflicts: Conflict[] = [];
  // The sort is stable, so edits with equal confidence stay in text order.
  for (const edit of [...cluster].sort((one, other) => other.confidence - one.confidence)) {
    const other = made.find((one) => overlap(one, edit));
    if (other) conflicts.push({ id: edit.id, with: other.id });
    else made.push(edit);
  }
  return { edits: made, conflicts };
}

/** Returns the text with the edits applied. The edits must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return applyTextEdits(
    text,
    inOrder(edits).map(({ start, end, value }) => ({ from: start, to: end, insert: value })),
  );
}

/** Returns the range of a passage after the edits, or null if an edit changed it. */
export function rangeAfter(range: TextRange, edits: readonly Edit[]): TextRange | null {
  let shift = 0;
  for (const edit of edits) {
    if (overlap(edit, range)) return null;
    if (edit.end <= range.start) shift += edit.value.length - (edit.end - edit.start);
  }
  return { start: range.start + shift, end: range.end + shift };
}

/** True if two ranges overlap. Two insertions at the same position overlap too, because their order is undefined. */
export function overlap(one: TextRange, other: TextRange): boolean {
  const bothEmpty = one.start === one.end && other.start === other.end;
  if (bothEmpty) return one.start === other.start;
  return one.start < other.end && other.start < one.end;
}

function inOrder(edits: readonly Edit[]): Edit[] {
  return [...edits].sort((one, other) => one.start - other.start || one.end - other.end);
}

/** Returns line and column (from 1; columns in UTF-16 units) of positions, which must be in ascending order. */
export function placesOf(
  text: string,
  positions: readonly number[],
): { line: number; column: number }[] {
  const startAfter = (start: number) => text.indexOf('\n', start) + 1 || Infinity;
  let [line, start, next] = [1, 0, startAfter(0)];
  return positions.map((position) => {
    while (next <= position) {
      [line, start] = [line + 1, next];
      next = startAfter(start);
    }
    return { line, column: position - start + 1 };
  });
}

/** The suggestions that a reviewer selects. */
export interface Selection {
  suggestionIds: readonly string[] | 'all';
}

/** The suggestions to apply, with their replacements. */
export interface ApplySelection extends Selection {
  /** Applies only suggestions that are safe without a review. */
  safe?: boolean | undefined;
  /** Replacements by suggestion id. The default is the first replacement. */
  replacements?: Readonly<Record<string, string>> | undefined;
}

/** The result of applying suggestions to a text. */
export interface Applied {
  content: string;
  suggestions: Suggestion[];
  fieldChanges: FieldChange[];
  /** Ids of the applied suggestions and field changes. */
  applied: string[];
  conflicts: Conflict[];
}

/** A suggestion or a field change. */
type Reviewable = Pick<Suggestion, 'id' | 'status'>;

/** Returns the first replacement of each open suggestion as an edit. */
export function firstReplacements(suggestions: readonly Suggestion[]): Edit[] {
  return suggestions.flatMap((suggestion) => {
    const [best] = suggestion.replacements;
    return suggestion.status === 'open' && best ? [editOf(suggestion, best.value)] : [];
  });
}

/** Moves open suggestions to their new ranges in `content`. Suggestions without a range become stale. */
export function moved(
  suggestions: readonly Suggestion[],
  content: string,
  rangeOf: (suggestion: Suggestion) => TextRange | null,
): Suggestion[] {
  const found = suggestions.map((suggestion) => {
    if (suggestion.status !== 'open') return suggestion;
    const range = rangeOf(suggestion);
    return range ? { ...suggestion, ...range } : { ...suggestion, status: 'stale' as const };
  });
  const open = found.filter(({ status }) => status === 'open');
  open.sort((one, other) => one.start - other.start);
  const places = placesOf(content, open.map(({ start }) => start)); // prettier-ignore
  const placeOf = new Map(open.map(({ id }, index) => [id, places[index]]));
  return found.map((suggestion) => ({ ...suggestion, ...placeOf.get(suggestion.id) }));
}

/**
 * Applies suggestions to the text that their ranges refer to. Skips applied and stale suggestions, so a repeated request
 * changes nothing. Of overlapping suggestions, `all` applies the one with the highest confidence. Throws `bad_request`
 * for suggestions that were selected by id and cannot be applied.
 */
export function applySelected(
  content: string,
  { suggestions, fieldChanges }: Pick<Applied, 'suggestions' | 'fieldChanges'>,
  selection: ApplySelection,
  version: number,
): Applied {
  const { suggestionIds, safe = false, replacements = {} } = selection;
  const named = selectedOf([...suggestions, ...fieldChanges], suggestionIds);
  const selected = named.filter((one) => 'replacements' in one);
  refuse([
    ...replacementProblems(suggestionIds === 'all' ? suggestions : selected, replacements),
    ...(suggestionIds === 'all' ? [] : namedProblems(named, suggestionIds)),
  ]);
  const wanted = selected
    .filter(({ status }) => status === 'open')
    .filter((suggestion) => !safe || isSafe(suggestion))
    .flatMap((suggestion) => {
      const value = chosenOf(suggestion, replacements);
      return value === undefined ? [] : [editOf(suggestion, value)];
    });
  const { edits, conflicts } = compatibleEdits(wanted);
  if (suggestionIds !== 'all') refuse(conflicts.map((one) => overlapProblem(one, suggestionIds)));
  const after = applyEdits(content, edits);
  const made = new Map(edits.map((edit) => [edit.id, edit]));
  const decided = suggestions.map((suggestion): Suggestion => {
    const edit = made.get(suggestion.id);
    if (!edit) return suggestion;
    return { ...suggestion, status: 'accepted', chosen: edit.value, appliedVersion: version };
  });
  // Field changes are never safe: a person decides about each proposal.
  const set = new Set(
    named.filter((one) => 'field' in one && one.status === 'open' && !safe).map(({ id }) => id),
  );
  return {
    content: after,
    suggestions: moved(decided, after, (suggestion) => rangeAfter(suggestion, edits)),
    fieldChanges: fieldChanges.map((change) =>
      set.has(change.id) ? { ...change, status: 'accepted', appliedVersion: version } : change,
    ),
    applied: [...edits.map(({ id }) => id), ...set],
    conflicts,
  };
}

/**
 * Marks suggestions as accepted whose text somebody has already written into the document. Stale ones can be accepted
 * too: the edit itself may have made them stale. Throws `bad_request` for unknown and rejected suggestions.
 */
export function acceptSelected<Item extends Reviewable>(
  suggestions: readonly Item[],
  suggestionIds: readonly string[],
): Item[] {
  const selected = selectedOf(suggestions, suggestionIds);
  refuse(
    selected.flatMap(({ id, status }) =>
      status === 'rejected' ? [rejectedProblem(suggestionIds, id)] : [],
    ),
  );
  const ids = new Set(suggestionIds);
  return suggestions.map((suggestion) =>
    ids.has(suggestion.id) ? { ...suggestion, status: 'accepted' } : suggestion,
  );
}

/** Rejects open and stale suggestions. Throws `bad_request` for applied suggestions that were selected by id. */
export function rejectSelected<Item extends Reviewable>(
  suggestions: readonly Item[],
  { suggestionIds }: Selection,
): { suggestions: Item[]; rejected: string[] } {
  const selected = selectedOf(suggestions, suggestionIds);
  if (suggestionIds !== 'all') {
    refuse(
      selected.flatMap(({ id, status }) =>
        status === 'accepted'
          ? [problem(suggestionIds, id, 'has already been applied; change the document instead')]
          : [],
      ),
    );
  }
  const rejected = selected
    .filter(({ status }) => (suggestionIds === 'all' ? status === 'open' : status !== 'accepted'))
    .map(({ id }) => id);
  const ids = new Set(rejected);
  return {
    suggestions: suggestions.map((suggestion) =>
      ids.has(suggestion.id) ? { ...suggestion, status: 'rejected' } : suggestion,
    ),
    rejected,
  };
}

function selectedOf<Item extends Reviewable>(
  suggestions: readonly Item[],
  ids: Selection['suggestionIds'],
): Item[] {
  if (ids === 'all') return suggestions.filter(({ status }) => status === 'open');
  const known = new Map(suggestions.map((suggestion) => [suggestion.id, suggestion]));
  refuse(
    ids.flatMap((id) =>
      known.has(id) ? [] : [problem(ids, id, `is not a suggestion of this enhancement: ${id}`)],
    ),
  );
  return [...new Set(ids)].flatMap((id) => known.get(id) ?? []);
}

function namedProblems(
  selected: readonly (Suggestion | FieldChange)[],
  ids: readonly string[],
): FieldProblem[] {
  return selected.flatMap((one) => {
    const { id, status } = one;
    if (status === 'rejected') {
      return [rejectedProblem(ids, id)];
    }
    if (status === 'open' && 'replacements' in one && one.replacements.length === 0) {
      return [problem(ids, id, `has no replacement to apply: ${id}; change the document instead`)];
    }
    return [];
  });
}

function replacementProblems(
  selected: readonly Suggestion[],
  chosen: Readonly<Record<string, string>>,
): FieldProblem[] {
  const known = new Map(selected.map((suggestion) => [suggestion.id, suggestion]));
  return Object.entries(chosen).flatMap(([id, value]) => {
    const field = `replacements.${id}`;
    const suggestion = known.get(id);
    if (!suggestion) return [{ field, issue: 'is not one of the suggestions to apply' }];
    if (suggestion.replacements.some((one) => one.value === value)) return [];
    return [{ field, issue: 'must be one of the replacements of the suggestion' }];
  });
}

function overlapProblem({ id, with: other }: Conflict, ids: readonly string[]): FieldProblem {
  return problem(ids, id, `${id} overlaps ${other}; only one of them can be applied`);
}

function rejectedProblem(ids: readonly string[], id: string): FieldProblem {
  return problem(ids, id, `was rejected: ${id}; request a new enhancement to get it again`);
}

function problem(ids: readonly string[], id: string, issue: string): FieldProblem {
  return { field: `suggestionIds[${String(ids.indexOf(id))}]`, issue };
}

function refuse(problems: readonly FieldProblem[]): void {
  const [first, ...rest] = problems;
  if (first) throw invalidFields([first, ...rest]);
}

function chosenOf(
  { id, replacements }: Suggestion,
  chosen: Readonly<Record<string, string>>,
): string | undefined {
  return Object.hasOwn(chosen, id) ? chosen[id] : replacements[0]?.value;
}

function editOf({ id, start, end, replacements }: Suggestion, value: string): Edit {
  const confidence = replacements.find((one) => one.value === value)?.confidence ?? 0;
  return { id, start, end, value, confidence };
}
