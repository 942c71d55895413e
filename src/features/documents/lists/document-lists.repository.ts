import type { Statement } from '../../../platform/database/database.js';
import { utcText } from '../../../platform/database/columns.js';
import type { SqlType } from '../../../platform/http/pagination/cursor.js';
import type { Listing } from '../../../platform/http/pagination/read-page.js';
import {
  PUBLISHED_SEARCHED_JOIN,
  SEARCHED_COLUMNS,
  SEARCHED_JOIN,
} from '../../search/highlights.repository.js';
import type { FilterField } from '../../search/search-provider.js';
import { DOCUMENT_JOINS, SHOWN_COLUMNS, SHOWN_PUBLICATION_COLUMNS } from '../model/document-row.js';

const FIELD_SORTS = ['created_at', 'updated_at', 'title', 'word_count'] as const;
/** `published_at` is only valid for published versions, and `relevance` for searches. */
export const DOCUMENT_SORTS = [...FIELD_SORTS, 'published_at', 'relevance'] as const;
export type FieldSort = (typeof FIELD_SORTS)[number];
export type DocumentSort = (typeof DOCUMENT_SORTS)[number];

/** SQL types of sort keys. A rank is text that sorts by relevance. */
export const SORT_TYPES: Readonly<Record<DocumentSort, SqlType>> = {
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  title: 'text',
  word_count: 'integer',
  published_at: 'timestamptz',
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

/** Lists published versions. */
export const PUBLICATION_LISTING: Listing<FieldSort | 'published_at'> = {
  ...DOCUMENT_LISTING,
  name: 'publications',
  table: 'publications',
  total: `SELECT coalesce(sum(count), 0)::bigint AS n FROM row_counts WHERE account_id = $1 AND kind = 'publications'`,
  columns: `${SHOWN_PUBLICATION_COLUMNS}, ${utcText('item.deleted_at')} AS "deletedAt",
    ${utcText('item.published_at')} AS "publishedAt", ${utcText('item.first_published_at')} AS "firstPublishedAt"`,
  sorts: {
    ...DOCUMENT_LISTING.sorts,
    published_at: { column: 'first_published_at', type: 'timestamptz' },
  },
};

/** Adds what highlights need. */
export function withSearchedText(listing: typeof DOCUMENT_LISTING): typeof DOCUMENT_LISTING {
  return {
    ...listing,
    name: `${listing.name}-searched`,
    columns: `${listing.columns}, ${SEARCHED_COLUMNS}`,
    joins: `${DOCUMENT_JOINS} ${listing.table === 'publications' ? PUBLISHED_SEARCHED_JOIN : SEARCHED_JOIN}`,
  };
}

/** Adds the content. If the page would be too large, every content is null and is not read. */
export function withContent(listing: typeof DOCUMENT_LISTING): typeof DOCUMENT_LISTING {
  return {
    ...listing,
    name: `${listing.name}-content`,
    columns: `${listing.columns}, CASE WHEN sum(octet_length(item.content)) OVER () <= ${String(MAX_PAGE_CONTENT_BYTES)}
      THEN item.content END AS content`,
  };
}

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
    total: `SELECT count(*) AS n FROM ${listing.table} AS item WHERE ${where}`,
  };
}

/** Returns the statement that reads the documents `$2` of a page, in order. */
export function rowsStatement({ name, table, columns, joins = '' }: Listing<FieldSort>): Statement {
  return {
    name: `${name}.found`,
    text: `SELECT ${columns} FROM unnest($2::uuid[]) WITH ORDINALITY AS found (id, place)
      CROSS JOIN LATERAL (SELECT * FROM ${table} AS listed WHERE listed.id = found.id AND account_id = $1 LIMIT 1) AS item
      ${joins} ORDER BY found.place`,
  };
}
