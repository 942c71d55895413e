import type { SearchState } from '../../search-state.js';
import { STATUSES, TYPES, type DocumentStatus, type DocumentType } from './document-types.js';

/** How the list can be sorted: what is in the address bar, what is asked, and what is shown. */
export const SORTS = [
  ['changed', 'updated_at', 'desc', 'Last edited'],
  ['newest', 'created_at', 'desc', 'Newest'],
  ['oldest', 'created_at', 'asc', 'Oldest'],
  ['title', 'title', 'asc', 'Title'],
  ['longest', 'word_count', 'desc', 'Longest'],
] as const;

/** Offered while something is searched for. */
export const BEST_MATCH = ['best', 'relevance', 'desc', 'Best match'] as const;

export interface DocumentFilters {
  q?: string;
  type?: DocumentType;
  status?: DocumentStatus;
  tag?: string[];
  department?: string;
  project?: string;
  deleted?: true;
}

/** The filters of the address bar; values that are none of the API's are left out. */
export function filtersOf(state: SearchState): DocumentFilters {
  const { q, type, status, tag, department, project, tab } = state;
  const known = <Value extends string>(
    values: readonly (readonly [Value, string])[],
    value: string | undefined,
  ) => values.find(([one]) => one === value)?.[0];
  const knownType = known(TYPES, type);
  const knownStatus = known(STATUSES, status);
  return {
    ...(q !== undefined && q.trim() !== '' && { q: q.trim() }),
    ...(knownType && { type: knownType }),
    ...(knownStatus && { status: knownStatus }),
    ...(tag !== undefined && { tag: [tag] }),
    ...(department !== undefined && { department }),
    ...(project !== undefined && { project }),
    ...(tab === 'trash' && { deleted: true as const }),
  };
}

/** Whether the list is narrowed by anything but its tab. */
export function isFiltered(filters: DocumentFilters): boolean {
  return Object.keys(filters).some((name) => name !== 'deleted');
}

/** What is sorted by: the best match first in a search, unless something else is asked. */
export function sortOf({ sort }: SearchState, { q }: DocumentFilters) {
  const offered = q === undefined ? SORTS : [BEST_MATCH, ...SORTS];
  const [name, field, order] = offered.find(([one]) => one === sort) ?? offered[0];
  return { name, sort: field, order };
}

/** The filters as the API takes them: several values of one are alternatives, of which these have one. */
export function queryOf({ type, status, department, project, ...rest }: DocumentFilters) {
  return {
    ...rest,
    ...(type && { type: [type] }),
    ...(status && { status: [status] }),
    ...(department !== undefined && { department: [department] }),
    ...(project !== undefined && { project: [project] }),
  };
}
