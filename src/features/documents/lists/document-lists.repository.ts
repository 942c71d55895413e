import type { Statement } from '../../../platform/database/database.js';
import { utcText } from '../../../platform/database/columns.js';
import type { SqlType } from '../../../platform/http/pagination/cursor.js';
import type { Listing } from '../../../platform/http/pagination/read-page.js';
import { SEARCHED_COLUMNS, SEARCHED_JOIN } from '../../search/highlights.repository.js';
import type { FilterField } from '../../search/search-provider.js';
import { DOCUMENT_JOINS, SHOWN_COLUMNS } from '../model/document-row.js';

const FIELD_SORTS = ['created_at', 'updated_at', 'title', 'word_count'] as const;
/** `relevance` is only valid for searches. */
export const DOCUMENT_SORTS = [...FIELD_SORTS, 'relevance'] as const;
export type FieldSort = (typeof FIELD_SORTS)[number];
export type DocumentSort = (typeof DOCUMENT_SORTS)[number];

/** SQL types of sort keys. A rank is text that sorts by relevance. */
export const SORT_TYPES: Readonly<Record<DocumentSort, SqlType>> = {
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  title: 'text',
  word_count: 'integer',
  relevance: 'rank',
};

/** Maximum size of all content in one page with `include=content`, in UTF-8 bytes. */
const MAX_PAGE_CONTENT_BYTES = 8 * 1024 * 1024;

const LISTED_COLUMNS = `${SHOWN_COLUMNS}, ${utcText('item.deleted_at')} AS "deletedAt"`;

export const DOCUMENT_LISTING: Listing<FieldSort> = {
  name: 'documents',
  table: 'documents',
  where: 'item.account_id = $1 AND item.deleted_at IS NULL',
  total: `SELECT coalesce(sum(count), 0)::bigint AS n FROM row_counts WHERE account_id = $1 AND kind = 'documents'`,
  columns: LISTED_COLUMNS,
  joins: DOCUMENT_JOINS,
  sorts: {
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
    title: { column: 'title', type: 'text' },
    word_count: { column: 'word_count', type: 'integer' },
  },
};

/** Adds what highlights need. */
export function withSearchedText(listing: typeof DOCUMENT_LISTING): typeof DOCUMENT_LISTING {
  return {
    ...listing,
    name: `${listing.name}-searched`,
    columns: `${listing.columns}, ${SEARCHED_COLUMNS}`,
    joins: `${DOCUMENT_JOINS} ${SEARCHED_JOIN}`,
  };
}

/** Lists documents with content. If the page would be too large, every content is null and is not read. */
export const DOCUMENT_LISTING_WITH_CONTENT: Listing<FieldSort> = {
  ...DOCUMENT_LISTING,
  name: 'documents-content',
  columns: `${LISTED_COLUMNS}, CASE WHEN sum(octet_length(item.content)) OVER () <= ${String(MAX_PAGE_CONTENT_BYTES)}
    THEN item.content END AS content`,
};

/** Fields with an index on value and creation time. */
const INDEXED_FIELDS = ['type', 'status', 'created_by', 'template_id'] as const;
type IndexedField = (typeof INDEXED_FIELDS)[number];

export const isIndexed = (field: FilterField): field is IndexedField =>
  INDEXED_FIELDS.some((one) => one === field);

/** Returns the part of `listing` with one value in one field. */
export function listingBy(
  field: IndexedField,
  value: string,
  listing: typeof DOCUMENT_LISTING,
): Listing<'created_at'> {
  const where = `${listing.where} AND item.${field} = $2`;
  return {
    ...listing,
    name: `${listing.name}-${field}`,
    where,
    values: [value],
    total: `SELECT count(*) AS n FROM documents AS item WHERE ${where}`,
  };
}

/** Returns the statement that reads the documents `$2` of a page, in order. */
export function rowsStatement({ name, columns, joins = '' }: Listing<FieldSort>): Statement {
  return {
    name: `${name}.found`,
    text: `SELECT ${columns} FROM unnest($2::uuid[]) WITH ORDINALITY AS found (id, place)
      CROSS JOIN LATERAL (SELECT * FROM documents WHERE documents.id = found.id AND account_id = $1 LIMIT 1) AS item
      ${joins} ORDER BY found.place`,
  };
}
