import type { SearchState } from '../../search-state.js';
import { STATUSES, TYPES, type DocumentStatus, type DocumentType } from './document-types.js';

/** Sort orders: the value in the URL, the value for the API, and the label. */
export const SORTS = [
  ['changed', 'updated_at', 'desc', 'Last edited'],
  ['newest', 'created_at', 'desc', 'Newest'],
  ['oldest', 'created_at', 'asc', 'Oldest'],
  ['title', 'title', 'asc', 'Title'],
  ['longest', 'word_count', 'desc', 'Longest'],
] as const;

/** Only offered for a search. */
export const BEST_MATCH = ['best', 'relevance', 'desc', 'Best match'] as const;

export interface DocumentFilters {
  q?: string;
  type?: DocumentType;
  status?: DocumentStatus;
  tag?: string[];
  department?: string;
  project?: string;
  unpublishedChanges?: 'true';
  /** The open folder, or `root`. */
  collection?: string;
  deleted?: true;
}

/** Returns the filters in the URL, without values that the API does not have. */
export function filtersOf(state: SearchState): DocumentFilters {
  const { q, type, status, tag, department, project, unpublishedChanges, folder, tab } = state;
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
    ...(unpublishedChanges === 'true' && { unpublishedChanges }),
    ...(folder !== undefined && { collection: folder }),
    ...(tab === 'trash' && { deleted: true as const }),
  };
}

/** Returns true if anything other than the tab and the open folder filters the list. */
export function isFiltered(filters: DocumentFilters): boolean {
  return Object.keys(filters).some((name) => name !== 'deleted' && name !== 'collection');
}

/** Returns the sort order: for a search the best match first, unless the URL has another one. */
export function sortOf({ sort }: SearchState, { q }: DocumentFilters) {
  const offered = q === undefined ? SORTS : [BEST_MATCH, ...SORTS];
  const [name, field, order] = offered.find(([one]) => one === sort) ?? offered[0];
  return { name, sort: field, order };
}

/** Returns the filters for the API. Several values of one filter are alternatives. */
export function queryOf({
  type,
  status,
  department,
  project,
  collection,
  ...rest
}: DocumentFilters) {
  return {
    ...rest,
    ...(type && { type: [type] }),
    ...(status && { status: [status] }),
    ...(department !== undefined && { department: [department] }),
    ...(project !== undefined && { project: [project] }),
    ...(collection !== undefined && { collection: [collection] }),
  };
}
