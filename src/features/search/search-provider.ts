import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import type { Literal } from './words/search-words.js';

/** Fields of a document that a filter compares as they are. */
export type FilterField = 'id' | 'external_id' | 'type' | 'status' | 'created_by' | 'template_id';

/**
 * Which documents are meant; all conditions must hold. Several values of one are alternatives, each there once. Ranges
 * include their first moment and exclude their last.
 */
export interface SearchRequest {
  /** Those in the trash instead of the others. */
  deleted: boolean;
  fields: readonly (readonly [field: FilterField, values: readonly string[]])[];
  /** Values in metadata, by their dotted path. */
  labels: readonly (readonly [path: string, values: readonly string[]])[];
  created: { from?: Date | undefined; to?: Date | undefined };
  updated: { from?: Date | undefined; to?: Date | undefined };
  /** Words: alternatives, each of literals that must all hold. */
  words: readonly Literal[][] | undefined;
}

export type SearchSort = 'created_at' | 'updated_at' | 'title' | 'word_count' | 'relevance';

/** What a page is sorted by: a rank is text that sorts as it ranks. */
export type SortKey = string | number | Date;

export interface PageOfSearch {
  sort: SearchSort;
  order: 'asc' | 'desc';
  /** Most rows. */
  limit: number;
  /** Rows before the page, or the row before it. */
  from: { offset: number } | { key: string | number; id: string };
}

/** A document's place in the order of a page; ids are UUIDs. */
export interface FoundDocument {
  id: string;
  key: SortKey;
}

export interface FoundPage {
  documents: FoundDocument[];
  total: number;
  /** Whether there are more than `total`: matches of words are counted up to a limit. */
  totalIsLowerBound: boolean;
}

/** How many documents have a value. */
export interface FacetCount {
  facet: 'type' | 'status' | 'tag' | 'department' | 'project';
  value: string;
  count: number;
}

export interface FoundFacets {
  /** The most frequent first. */
  counts: FacetCount[];
  /** Whether only the newest matches were counted. */
  totalIsLowerBound: boolean;
}

/**
 * Finds documents. Filters and totals are exact as soon as a change is answered; words follow in a moment. Each reading
 * is bounded: it rejects with the database's error when it takes too long.
 */
export interface SearchProvider {
  find(accountId: string, request: SearchRequest, page: PageOfSearch): Promise<FoundPage>;
  /** At most `most` values of each facet. */
  countFacets(accountId: string, request: SearchRequest, most: number): Promise<FoundFacets>;
  /** HTML of the place of the first match, by id; documents whose match is far behind the beginning have none. */
  highlight(
    accountId: string,
    words: readonly Literal[][],
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** What answers to words leave out for now, as warnings of `q`. */
  warnings(accountId: string): Promise<FieldProblem[]>;
}

export const SEARCH_PROVIDER = Symbol('SearchProvider');
