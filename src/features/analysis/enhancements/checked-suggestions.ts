import { contentProblem } from '../../content/text-fields.js';
import type { ProposedEdit } from '../providers/analysis-provider.js';
import { placesOf } from './apply-suggestions.js';
import type { Suggestion } from './enhancement.js';

/** Most suggestions of an enhancement. */
const MAX_SUGGESTIONS = 2_000;

/**
 * What a provider proposes, as suggestions in the order of the text, and how many edits were dropped by why. Nothing is
 * kept that could touch another character than it says, or that could not be stored.
 */
export function checkedSuggestions(
  content: string,
  edits: readonly ProposedEdit[],
): { suggestions: Suggestion[]; dropped: Record<string, number> } {
  const dropped: Record<string, number> = {};
  const ids = new Set<string>();
  const suggestions: Suggestion[] = [];
  const inOrder = [...edits].sort((one, other) => one.start - other.start || one.end - other.end);
  const places = placesOf(content, inOrder.map(({ start }) => start)); // prettier-ignore
  for (const [index, edit] of inOrder.entries()) {
    const problem = ids.has(edit.id) ? 'repeated' : problemOf(content, edit);
    const why = problem ?? (suggestions.length === MAX_SUGGESTIONS ? 'too many' : undefined);
    if (why !== undefined) {
      dropped[why] = (dropped[why] ?? 0) + 1;
      continue;
    }
    ids.add(edit.id);
    suggestions.push({
      ...edit,
      ...places[index],
      status: 'open',
      chosen: null,
      appliedVersion: null,
    });
  }
  return { suggestions, dropped };
}

function problemOf(content: string, edit: ProposedEdit): string | undefined {
  const { start, end, original, replacements } = edit;
  const isRange = Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end;
  if (!isRange || end > content.length || content.slice(start, end) !== original) {
    return 'wrong range';
  }
  if (splitsPair(content, start) || splitsPair(content, end)) return 'wrong range';
  const isKept = replacements.every(
    ({ value }) =>
      value.isWellFormed() && !value.includes('\0') && contentProblem(value) === undefined,
  );
  return isKept ? undefined : 'text that cannot be kept';
}

/** Whether a position is between the halves of a surrogate pair. */
function splitsPair(text: string, position: number): boolean {
  return position > 0 && (text.codePointAt(position - 1) ?? 0) > 0xffff;
}
