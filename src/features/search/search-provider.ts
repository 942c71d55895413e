import type { Access } from '../auth/access/access.js';
import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import type { Literal } from './words/search-words.js';

/** Fields that filters compare exactly. */
export type FilterField =
  | 'id'
  | 'external_id'
  | 'type'
  | 'status'
  | 'created_by'
  | 'template_id'
  | 'collection_id'
  | 'has_unpublished_changes';

/**
 * Conditions on documents, which must all hold. The values of one condition are distinct alternatives. Ranges include their
 * start and exclude their end.
 */
export interface SearchRequest {
  /** Searches published versions instead of documents. Missing otherwise, because cursors depend on the request. */
  published?: true;
  /** True to search only the trash. */
  deleted: boolean;
  fields: readonly (readonly [field: FilterField, values: readonly string[]])[];
  /** Values in metadata by dotted path. */
  labels: readonly (readonly [path: string, values: readonly string[]])[];
  created: { from?: Date | undefined; to?: Date | undefined };
  updated: { from?: Date | undefined; to?: Date | undefined };
  /** Search words: alternatives of literals that must all match. */
  words: readonly Literal[][] | undefined;
}

/** `published_at` is the time of the first publication, which only published versions have. */
export type SearchSort =
  'created_at' | 'updated_at' | 'title' | 'word_count' | 'published_at' | 'relevance';

/** A sort key. Ranks are text that sorts by relevance. */
type SortKey = string | number | Date;

export interface PageOfSearch {
  sort: SearchSort;
  order: 'asc' | 'desc';
  limit: number;
  /** The number of rows before the page, or the row before it. */
  from: { offset: number } | { key: string | number; id: string };
}

/** A matching document by its UUID, with its sort key. */
export interface FoundDocument {
  id: string;
  key: SortKey;
}

export interface FoundPage {
  documents: FoundDocument[];
  total: number;
  /** True if there are more than `total` matches, because word matches are counted up to a limit. */
  totalIsLowerBound: boolean;
}

/** A found document with what a highlight needs. */
export interface SearchedText {
  id: string;
  title: string;
  /** The start of the content. */
  searchedContent: string;
  /** Text search configuration. Null if the document is not indexed yet. */
  configuration: string | null;
}

/** The number of documents with a value. */
export interface FacetCount {
  facet: 'type' | 'status' | 'tag' | 'department' | 'project';
  value: string;
  count: number;
}

export interface FoundFacets {
  /** Most frequent values first. */
  counts: FacetCount[];
  /** True if only the newest matches were counted. */
  totalIsLowerBound: boolean;
}

/**
 * Finds the documents that an access includes. Filters and totals include a change once its request has returned. Words
 * follow shortly after. Each method has a time limit and rejects with the database error if it is exceeded.
 */
export interface SearchProvider {
  find(access: Access, request: SearchRequest, page: PageOfSearch): Promise<FoundPage>;
  /** Returns at most `max` values per facet. */
  countFacets(access: Access, request: SearchRequest, max: number): Promise<FoundFacets>;
  /** Returns excerpts around first matches as HTML, by id. Documents whose first match is far from the start have none. */
  highlight(
    accountId: string,
    words: readonly Literal[][],
    documents: readonly SearchedText[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Returns warnings about documents that word searches cannot find yet, with numbers only for access to all documents. */
  warnings(access: Access): Promise<FieldProblem[]>;
}

export const SEARCH_PROVIDER = Symbol('SearchProvider');
