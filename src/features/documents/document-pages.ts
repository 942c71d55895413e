import { Inject, Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { SingleFlight } from '../../platform/database/single-flight.js';
import { askedOf } from '../../platform/openapi/filter.js';
import { invalidFields, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import { readCursor, writeCursor } from '../../platform/http/pagination/cursor.js';
import type { Pagination } from '../../platform/http/pagination/pagination.js';
import { readPage, type Page } from '../../platform/http/pagination/read-page.js';
import { isFiltered } from '../search/matching-sql.js';
import {
  SEARCH_PROVIDER,
  type FoundDocument,
  type FoundPage,
  type PageOfSearch,
  type SearchProvider,
  type SearchRequest,
} from '../search/search-provider.js';
import {
  DOCUMENT_LISTING,
  DOCUMENT_LISTING_WITH_CONTENT,
  isIndexed,
  listingBy,
  SORT_TYPES,
  type DocumentSort,
  type FieldSort,
} from './document-listing.js';
import { creatorOf, type Creator } from './document-row.js';
import {
  LISTED_FIELDS,
  listItemWriter,
  type ListedField,
  type ListItem,
} from './document.presenter.js';
import type { ListDocumentsDto } from './dto/list-documents.dto.js';
import { fingerprintOf, searchRequest } from './search-request.js';

/** Rows before a filtered page at most: counting them off takes as long as reading them. A cursor has no such limit. */
const DEEPEST = 100_000;

/** `content` is null where the page would be too large with it. */
type ListedRow = Omit<ListItem, 'createdBy' | 'highlight'> & Creator;

/** A page as it goes out: the JSON text of its items. */
export interface PresentedPage {
  json: string;
  pagination: Pagination;
  warnings: readonly FieldProblem[];
}

/** Pages of documents. Equal requests that come together are answered by one read. */
@Injectable()
export class DocumentPages {
  private readonly reads = new SingleFlight<PresentedPage>();

  constructor(
    private readonly database: Database,
    @Inject(SEARCH_PROVIDER) private readonly search: SearchProvider,
  ) {}

  /** Throws `bad_request` when `include=content` makes the page larger than 8 MiB, and for a page that is too deep. */
  read(accountId: string, query: ListDocumentsDto): Promise<PresentedPage> {
    return this.reads.read(`${accountId} ${JSON.stringify(query)}`, () =>
      this.readOnce(accountId, query),
    );
  }

  private async readOnce(accountId: string, query: ListDocumentsDto): Promise<PresentedPage> {
    const request = searchRequest(query);
    const { rows, pagination } = await this.page(accountId, query, request);
    if (rows.some(({ content }) => content === null)) {
      throw invalidFields([
        {
          field: query.include === undefined ? 'fields' : 'include',
          issue: 'makes this page larger than 8 MiB; lower limit, or read the documents one by one',
        },
      ]);
    }
    const fields = fieldsOf(query);
    const [highlights, warnings] = await this.aboutWords(
      accountId,
      request,
      fields.includes('highlight') ? rows : [],
    );
    const write = listItemWriter(fields);
    const items = rows.map((row) =>
      write(
        Object.assign(row, {
          createdBy: creatorOf(row),
          highlight: highlights?.get(row.id) ?? null,
        }),
      ),
    );
    return { json: `[${items.join(',')}]`, pagination, warnings };
  }

  private page(
    accountId: string,
    query: ListDocumentsDto,
    request: SearchRequest,
  ): Promise<Page<ListedRow>> {
    const { page, limit, order, cursor } = query;
    const asked = { page, limit, order, ...(cursor !== undefined && { cursor }) };
    if (!isFiltered(request)) {
      const sort = (query.sort ?? 'created_at') as FieldSort;
      return readPage(this.database, listingOf(query), accountId, { ...asked, sort });
    }
    refuseTooDeep(query);
    const filter = indexedFilter(query, request);
    if (!filter) return this.foundPage(accountId, query, request);
    const listing = listingBy(...filter, listingOf(query));
    return readPage(this.database, listing, accountId, { ...asked, sort: 'created_at' });
  }

  private async foundPage(
    accountId: string,
    query: ListDocumentsDto,
    request: SearchRequest,
  ): Promise<Page<ListedRow>> {
    const asked = askedPage(query, request);
    const found = await this.search.find(accountId, request, asked);
    const documents = found.documents.slice(0, query.limit);
    const rows = await this.rowsOf(accountId, query, documents);
    return { rows, pagination: paginationOf(query, request, asked, found) };
  }

  private async rowsOf(
    accountId: string,
    query: ListDocumentsDto,
    documents: readonly FoundDocument[],
  ): Promise<ListedRow[]> {
    if (documents.length === 0) return [];
    const ids = documents.map(({ id }) => id);
    return this.database.read<ListedRow>(rowsStatement(query), [accountId, ids]);
  }

  private async aboutWords(
    accountId: string,
    { words }: SearchRequest,
    rows: readonly ListedRow[],
  ): Promise<[ReadonlyMap<string, string> | undefined, FieldProblem[]]> {
    if (words === undefined) return [undefined, []];
    const ids = rows.map(({ id }) => id);
    return Promise.all([
      this.search.highlight(accountId, words, ids),
      this.search.warnings(accountId),
    ]);
  }
}

/** What the items of a list show. */
function fieldsOf(query: ListDocumentsDto): ListedField[] {
  const { fields, include = '', q, deleted } = query;
  const isThere: Partial<Record<ListedField, boolean>> = {
    content: showsContent(query),
    highlight: q !== undefined,
    deletedAt: deleted === 'true',
  };
  const asked = fields ? askedOf(LISTED_FIELDS, [...fields, include]) : LISTED_FIELDS;
  return asked.filter((name) => isThere[name] ?? true);
}

function showsContent({ include, fields }: ListDocumentsDto): boolean {
  return include === 'content' || fields?.includes('content') === true;
}

function listingOf(query: ListDocumentsDto) {
  return showsContent(query) ? DOCUMENT_LISTING_WITH_CONTENT : DOCUMENT_LISTING;
}

/** The one filter of a list that an index holds as it is asked for. */
function indexedFilter(query: ListDocumentsDto, { fields, ...rest }: SearchRequest) {
  const [filter, ...others] = fields;
  const [value, ...alternatives] = filter?.[1] ?? [];
  const isAlone = others.length + alternatives.length === 0 && !isFiltered({ ...rest, fields: [] });
  if (!filter || value === undefined || !isAlone) return undefined;
  const isInOrder = sortOf(query) === 'created_at';
  return isInOrder && isIndexed(filter[0]) ? ([filter[0], value] as const) : undefined;
}

function refuseTooDeep({ page, limit, cursor }: ListDocumentsDto): void {
  if (cursor !== undefined || (page - 1) * limit <= DEEPEST) return;
  throw invalidFields([
    {
      field: 'page',
      issue: `is more than ${String(DEEPEST)} documents deep, which lists with filters do not count off; follow meta.pagination.nextCursor with cursor, or narrow the filters`,
    },
  ]);
}

/** The documents of a page in their order. */
function rowsStatement(query: ListDocumentsDto): Statement {
  const { name, columns, joins = '' } = listingOf(query);
  return {
    name: `${name}.found`,
    text: `SELECT ${columns} FROM unnest($2::uuid[]) WITH ORDINALITY AS found (id, place)
      CROSS JOIN LATERAL (SELECT * FROM documents WHERE documents.id = found.id AND account_id = $1 LIMIT 1) AS item
      ${joins} ORDER BY found.place`,
  };
}

function sortOf({ sort, q }: ListDocumentsDto): DocumentSort {
  return sort ?? (q === undefined ? 'created_at' : 'relevance');
}

function askedPage(query: ListDocumentsDto, request: SearchRequest): PageOfSearch {
  const { page, limit, order, cursor } = query;
  const sort = sortOf(query);
  if (cursor === undefined) {
    return { sort, order, limit, from: { offset: (page - 1) * limit } };
  }
  if (page !== 1)
    throw invalidFields([{ field: 'page', issue: 'excludes cursor; send one of the two' }]);
  const from = readCursor(
    cursor,
    { sort, order, filters: fingerprintOf(request) },
    SORT_TYPES[sort],
  );
  // One row more than asked tells whether there is a next page.
  return { sort, order, limit: limit + 1, from };
}

function paginationOf(
  { page, limit }: ListDocumentsDto,
  request: SearchRequest,
  { sort, order, from }: PageOfSearch,
  { documents, total, totalIsLowerBound }: FoundPage,
): Pagination {
  const isNumbered = 'offset' in from;
  const hasMore = isNumbered ? page * limit < total : documents.length > limit;
  const last = documents.slice(0, limit).at(-1);
  const filters = fingerprintOf(request);
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
