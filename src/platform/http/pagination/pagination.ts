/** `meta.pagination` of a numbered page, as in the specification; `nextCursor` is additive, for walking on. */
interface NumberedPagination {
  page: number;
  limit: number;
  total: number;
  pages: number;
  hasMore: boolean;
  nextCursor: string | null;
  totalIsLowerBound?: true;
}

/** `meta.pagination` of a page reached by `cursor`: it has no number. */
interface CursorPagination {
  limit: number;
  total: number;
  hasMore: boolean;
  nextCursor: string | null;
  /** There are more than `total`: matches of words are counted up to a limit. */
  totalIsLowerBound?: true;
}

export type Pagination = NumberedPagination | CursorPagination;
