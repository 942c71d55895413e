import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { selectFields } from '../../../platform/openapi/filter.js';
import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { readCursor, writeCursor } from '../../../platform/http/pagination/cursor.js';
import {
  fingerprintOf as listFingerprintOf,
  type Pagination,
  readPage,
  type Page,
} from '../../../platform/http/pagination/read-page.js';
import type { Access } from '../../auth/access/access.js';
import { isFiltered } from '../../search/matching-sql.js';
import {
  SEARCH_PROVIDER,
  type FoundDocument,
  type FoundPage,
  type PageOfSearch,
  type SearchProvider,
  type SearchRequest,
  type SearchedText,
} from '../../search/search-provider.js';
import {
  DOCUMENT_LISTING,
  PUBLICATION_LISTING,
  isIndexed,
  listingBy,
  rowsStatement,
  withContent,
  withSearchedText,
  SORT_TYPES,
  type DocumentSort,
  type FieldSort,
} from './document-lists.repository.js';
import { peopleOf, type DocumentPeople, type PeopleRow } from '../model/document-row.js';
import {
  LISTED_FIELDS,
  listItemWriter,
  type ListedField,
  type ListItem,
} from '../document.presenter.js';
import type { ListDocumentsDto } from '../dto/list-documents.dto.js';
import { fingerprintOf, searchRequest, withCollectionsBelow } from './search-request.js';

/** Maximum offset of a filtered page, because skipping rows costs as much as reading them. Cursors have no such limit. */
const MAX_OFFSET = 100_000;

/** A row of a list. `content` is null if it would make the page too large. Only rows with highlights have searched text. */
type ListedRow = Omit<ListItem, keyof DocumentPeople | 'highlight'> & PeopleRow & SearchedText;

/** A page with the JSON text of its items. */
interface PresentedPage {
  json: string;
  pagination: Pagination;
  warnings: readonly FieldProblem[];
}

/** Reads pages of documents. */
@Injectable()
export class DocumentPagesService {
  constructor(
    private readonly database: Database,
    @Inject(SEARCH_PROVIDER) private readonly search: SearchProvider,
  ) {}

  /**
   * Throws `bad_request` if content makes the page larger than 8 MiB, the offset is too large, or published versions lack
   * a filter or sort.
   */
  async read(
    access: Access,
    query: ListDocumentsDto,
    { published }: { published: boolean },
  ): Promise<PresentedPage> {
    if (query.sort === 'published_at' && !published) throw onlyPublished();
    const request = searchRequest(query, published);
    const [{ rows, pagination }, warnings] = await Promise.all([
      this.page(access, query, request),
      request.words === undefined ? [] : this.search.warnings(access),
    ]);
    if (rows.some(({ content }) => content === null)) {
      throw invalidFields([
        {
          field: query.include === undefined ? 'fields' : 'include',
          issue:
            'makes this page larger than 8 MiB; lower limit, or read the documents individually',
        },
      ]);
    }
    const fields = fieldsOf(query, request);
    const highlights =
      request.words !== undefined && fields.includes('highlight')
        ? await this.search.highlight(access.accountId, request.words, rows)
        : undefined;
    const write = listItemWriter(fields, { forReaders: published });
    const items = rows.map((row) =>
      write(Object.assign(row, { ...peopleOf(row), highlight: highlights?.get(row.id) ?? null })),
    );
    return { json: `[${items.join(',')}]`, pagination, warnings };
  }

  private page(
    access: Access,
    query: ListDocumentsDto,
    request: SearchRequest,
  ): Promise<Page<ListedRow>> {
    const { accountId, isWhole } = access;
    const { page, limit, order, cursor } = query;
    const position = { page, limit, order, ...(cursor !== undefined && { cursor }) };
    if (isWhole && !isFiltered(request)) {
      const sort = (query.sort ?? 'created_at') as FieldSort;
      const listing = listingOf(query, request);
      return readPage(this.database, listing, accountId, { ...position, sort });
    }
    requireOffset(query);
    const filter = isWhole ? indexedFilter(query, request) : undefined;
    if (!filter) return this.foundPage(access, query, request);
    const listing = listingBy(...filter, listingOf(query, request));
    return readPage(this.database, listing, accountId, { ...position, sort: 'created_at' });
  }

  private async foundPage(
    access: Access,
    query: ListDocumentsDto,
    request: SearchRequest,
  ): Promise<Page<ListedRow>> {
    const page = searchPage(query, request);
    const whole = await withCollectionsBelow(this.database, access, request);
    const found = await this.search.find(access, whole, page);
    const pagination = paginationOf(query, request, page, found);
    const ids = found.documents.slice(0, query.limit).map(({ id }) => id);
    if (ids.length === 0) return { rows: [], pagination };
    const own = listingOf(query, request);
    const listing = fieldsOf(query, request).includes('highlight') ? withSearchedText(own) : own;
    const { accountId } = access;
    const values = [accountId, ids];
    const rows = await this.database.read<ListedRow>(rowsStatement(listing), values, accountId);
    return { rows, pagination };
  }
}

/** Returns the fields of list items. */
function fieldsOf(query: ListDocumentsDto, { published }: SearchRequest): ListedField[] {
  const { fields, include = '', q, deleted } = query;
  const isIncluded: Partial<Record<ListedField, boolean>> = {
    content: showsContent(query),
    highlight: q !== undefined,
    published: published !== true,
    publishedAt: published === true,
    firstPublishedAt: published === true,
    deletedAt: deleted === 'true',
  };
  const selected = fields ? selectFields(LISTED_FIELDS, [...fields, include]) : LISTED_FIELDS;
  return selected.filter((name) => isIncluded[name] ?? true);
}

function showsContent({ include, fields }: ListDocumentsDto): boolean {
  return include === 'content' || fields?.includes('content') === true;
}

function listingOf(query: ListDocumentsDto, { published }: SearchRequest) {
  const listing = published ? PUBLICATION_LISTING : DOCUMENT_LISTING;
  return showsContent(query) ? withContent(listing) : listing;
}

function onlyPublished() {
  return invalidFields([
    { field: 'sort', issue: 'published_at needs perspective=published, or another sort' },
  ]);
}

/** Returns the only filter of a list, if an index covers it in the requested order. */
function indexedFilter(query: ListDocumentsDto, { fields, ...rest }: SearchRequest) {
  const [filter, ...others] = fields;
  const [value, ...alternatives] = filter?.[1] ?? [];
  const isAlone = others.length + alternatives.length === 0 && !isFiltered({ ...rest, fields: [] });
  if (!filter || value === undefined || !isAlone) return undefined;
  const isInOrder = sortOf(query) === 'created_at';
  return isInOrder && isIndexed(filter[0]) ? ([filter[0], value] as const) : undefined;
}

/** Returns the fingerprint for cursors. It is the same for all callers, because rights can change between two pages. */
function filtersOf(query: ListDocumentsDto, request: SearchRequest): string {
  if (!isFiltered(request)) return '';
  const filter = indexedFilter(query, request);
  return filter
    ? listFingerprintOf(listingBy(...filter, DOCUMENT_LISTING))
    : fingerprintOf(request);
}

function requireOffset({ page, limit, cursor }: ListDocumentsDto): void {
  if (cursor !== undefined || (page - 1) * limit <= MAX_OFFSET) return;
  throw invalidFields([
    {
      field: 'page',
      issue: `skips more than ${String(MAX_OFFSET)} documents, which filtered lists do not support; use meta.pagination.nextCursor as cursor, or narrow the filters`,
    },
  ]);
}

function sortOf({ sort, q }: ListDocumentsDto): DocumentSort {
  return sort ?? (q === undefined ? 'created_at' : 'relevance');
}

function searchPage(query: ListDocumentsDto, request: SearchRequest): PageOfSearch {
  const { page, limit, order, cursor } = query;
  const sort = sortOf(query);
  if (cursor === undefined) {
    return { sort, order, limit, from: { offset: (page - 1) * limit } };
  }
  if (page !== 1)
    throw invalidFields([
      { field: 'page', issue: 'cannot be combined with cursor; send only one' },
    ]);
  const from = readCursor(
    cursor,
    { sort, order, filters: filtersOf(query, request) },
    SORT_TYPES[sort],
  );
  // One extra row shows whether there is a next page.
  return { sort, order, limit: limit + 1, from };
}

function paginationOf(
  query: ListDocumentsDto,
  request: SearchRequest,
  { sort, order, from }: PageOfSearch,
  { documents, total, totalIsLowerBound }: FoundPage,
): Pagination {
  const { page, limit } = query;
  const isNumbered = 'offset' in from;
  const hasMore = isNumbered ? page * limit < total : documents.length > limit;
  const last = documents.slice(0, limit).at(-1);
  const filters = filtersOf(query, request);
  const nextCursor =
    hasMore && last
      ? writeCursor({ sort, order, key: textOf(last.key), id: last.id, filters })
      : null;
  const more = { hasMore, nextCursor, ...(totalIsLowerBound && { totalIsLowerBound }) };
  return isNumbered
    ? { page, limit, total, pages: Math.ceil(total / limit), ...more }
    : { limit, total, ...more };
}

function textOf(key: FoundDocument['key']): string | number {
  return key instanceof Date ? key.toISOString() : key;
}
