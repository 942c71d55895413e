import type { Listing } from '../pagination/read-page.js';
import { DOCUMENT_COLUMNS, DOCUMENT_JOINS } from './document-row.js';

export const DOCUMENT_SORTS = ['created_at', 'updated_at', 'title', 'word_count'] as const;
export type DocumentSort = (typeof DOCUMENT_SORTS)[number];

/** Most UTF-8 bytes of content in one page with `include=content`. */
export const MAX_PAGE_CONTENT_BYTES = 8 * 1024 * 1024;

export const DOCUMENT_LISTING: Listing<DocumentSort> = {
  name: 'documents',
  table: 'documents',
  where: 'item.account_id = $1 AND item.deleted_at IS NULL',
  total: `SELECT coalesce(sum(count), 0)::bigint AS n FROM row_counts WHERE account_id = $1 AND kind = 'documents'`,
  columns: DOCUMENT_COLUMNS,
  joins: DOCUMENT_JOINS,
  sorts: {
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
    title: { column: 'title', type: 'text' },
    word_count: { column: 'word_count', type: 'integer' },
  },
};

/** The same with contents, which are not even read when the page would grow too large. */
export const DOCUMENT_LISTING_WITH_CONTENT: Listing<DocumentSort> = {
  ...DOCUMENT_LISTING,
  name: 'documents-content',
  columns: `${DOCUMENT_COLUMNS}, CASE WHEN sum(octet_length(item.content)) OVER () <= ${String(MAX_PAGE_CONTENT_BYTES)}
    THEN item.content END AS content`,
};
