import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import type { TextRange } from '@document-service/text-analysis/analysis';
import {
  applyEdits,
  compatibleEdits,
  placesOf,
  rangeAfter,
  type Conflict,
  type Edit,
} from './apply-suggestions.js';
import type { Suggestion } from './enhancement.js';

/** From here on a replacement may be applied unseen. */
const SAFE_CONFIDENCE = 0.9;

/** Which suggestions a reviewer means. */
export interface Selection {
  suggestionIds: readonly string[] | 'all';
}

/** Which to apply, and with which of their replacements. */
export interface ApplySelection extends Selection {
  /** Only those with a single replacement that is very likely right. */
  safe?: boolean | undefined;
  /** By id; left out, the first. */
  replacements?: Readonly<Record<string, string>> | undefined;
}

/** What applying suggestions makes of a text. */
export interface Applied {
  content: string;
  suggestions: Suggestion[];
  /** Ids of those that were applied. */
  applied: string[];
  conflicts: Conflict[];
}

/** The edits that all open suggestions propose first. */
export function firstReplacements(suggestions: readonly Suggestion[]): Edit[] {
  return suggestions.flatMap((suggestion) => {
    const [best] = suggestion.replacements;
    return suggestion.status === 'open' && best ? [editOf(suggestion, best.value)] : [];
  });
}

/** The suggestions with new ranges of the open ones, in `content`; where there is none, they are stale. */
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
 * Applies suggestions to the text that their ranges are in. What was applied before, or is stale, is left as it is, so that
 * a request that comes twice changes nothing the second time. Of overlapping ones `all` applies the surest. Throws
 * `bad_request`, naming ids, for what cannot be applied and was asked for by name.
 */
export function applySelected(
  content: string,
  suggestions: readonly Suggestion[],
  selection: ApplySelection,
  version: number,
): Applied {
  const { suggestionIds, safe = false, replacements = {} } = selection;
  const selected = selectedOf(suggestions, suggestionIds);
  refuse([
    ...replacementProblems(suggestionIds === 'all' ? suggestions : selected, replacements),
    ...(suggestionIds === 'all' ? [] : namedProblems(selected, suggestionIds)),
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
  return {
    content: after,
    suggestions: moved(decided, after, (suggestion) => rangeAfter(suggestion, edits)),
    applied: edits.map(({ id }) => id),
    conflicts,
  };
}

/** Rejects open suggestions; stale ones too, so that they do not come back. Throws `bad_request` for what was applied. */
export function rejectSelected(
  suggestions: readonly Suggestion[],
  { suggestionIds }: Selection,
): { suggestions: Suggestion[]; rejected: string[] } {
  const selected = selectedOf(suggestions, suggestionIds);
  if (suggestionIds !== 'all') {
    refuse(
      selected.flatMap(({ id, status }) =>
        status === 'accepted'
          ? [problem(suggestionIds, id, 'was applied already; change the document instead')]
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

function selectedOf(
  suggestions: readonly Suggestion[],
  ids: Selection['suggestionIds'],
): Suggestion[] {
  if (ids === 'all') return suggestions.filter(({ status }) => status === 'open');
  const known = new Map(suggestions.map((suggestion) => [suggestion.id, suggestion]));
  refuse(
    ids.flatMap((id) =>
      known.has(id) ? [] : [problem(ids, id, `is not a suggestion of this enhancement: ${id}`)],
    ),
  );
  return [...new Set(ids)].flatMap((id) => known.get(id) ?? []);
}

function namedProblems(selected: readonly Suggestion[], ids: readonly string[]): FieldProblem[] {
  return selected.flatMap(({ id, status, replacements }) => {
    if (status === 'rejected') {
      return [problem(ids, id, `was rejected: ${id}; ask for a new enhancement to have it again`)];
    }
    if (status === 'open' && replacements.length === 0) {
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
    if (!suggestion) return [{ field, issue: 'is not among the suggestions to apply' }];
    if (suggestion.replacements.some((one) => one.value === value)) return [];
    return [{ field, issue: 'must be one of the replacements of the suggestion' }];
  });
}

function overlapProblem({ id, with: other }: Conflict, ids: readonly string[]): FieldProblem {
  return problem(ids, id, `${id} overlaps ${other}: only one of the two can be applied`);
}

function problem(ids: readonly string[], id: string, issue: string): FieldProblem {
  return { field: `suggestionIds[${String(ids.indexOf(id))}]`, issue };
}

function refuse(problems: readonly FieldProblem[]): void {
  const [first, ...rest] = problems;
  if (first) throw invalidFields([first, ...rest]);
}

function isSafe({ replacements }: Suggestion): boolean {
  const [only, ...others] = replacements;
  return only !== undefined && others.length === 0 && only.confidence >= SAFE_CONFIDENCE;
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
