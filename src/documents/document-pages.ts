import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { SingleFlight } from '../database/single-flight.js';
import { invalidFields, type FieldProblem } from '../errors/app-error.js';
import type { Pagination } from '../pagination/pagination.js';
import { readFoundPage, readPage, type Page } from '../pagination/read-page.js';
import {
  DOCUMENT_LISTING,
  DOCUMENT_LISTING_WITH_CONTENT,
  type DocumentSort,
  type FieldSort,
} from './document-listing.js';
import { fromRow, type DocumentRow } from './document-row.js';
import { presentListItem } from './document.presenter.js';
import type { ListDocumentsDto } from './dto/list-documents.dto.js';
import { Highlights } from './search/highlights.js';
import { findMatches } from './search/matching-documents.js';
import { SearchIndex, type Searched } from './search/search-index.js';
import { isFiltered, searchRequest, type SearchRequest } from './search/search-request.js';
import { readSearch } from './search/search-words.js';

/** `content` is null where the page would be too large with it. */
type ListedRow = DocumentRow & { content?: string | null; deleted_at: Date | null };

/** A page as it goes out: the JSON text of its items. */
export interface PresentedPage {
  json: string;
  pagination: Pagination;
  warnings: readonly FieldProblem[];
}

/** From so many documents before a page on, the search index finds it sooner than a walk through the table's index. */
const DEEP = 20_000;
/** The same in the orders that only large accounts have in the search index. */
const DEEP_IN_ORDERS = 50_000;

/** Pages of documents. Equal requests that come together are answered by one read. */
@Injectable()
export class DocumentPages {
  private readonly reads = new SingleFlight<PresentedPage>();

  constructor(
    private readonly database: Database,
    private readonly index: SearchIndex,
    private readonly highlights: Highlights,
  ) {}

  /** Throws `bad_request` when `include=content` makes the page larger than 8 MiB. */
  read(accountId: string, query: ListDocumentsDto): Promise<PresentedPage> {
    return this.reads.read(`${accountId} ${JSON.stringify(query)}`, () =>
      this.readOnce(accountId, query),
    );
  }

  private async readOnce(accountId: string, query: ListDocumentsDto): Promise<PresentedPage> {
    const { found: page, warnings } = await this.readRows(accountId, query);
    const { rows, pagination } = page;
    if (rows.some(({ content }) => content === null)) {
      throw invalidFields([
        {
          field: 'include',
          issue: 'makes this page larger than 8 MiB; lower limit, or read the documents one by one',
        },
      ]);
    }
    const highlights = await this.highlightsOf(accountId, query, rows);
    const items = rows.map((row) =>
      presentListItem({
        ...fromRow(row),
        content: row.content ?? undefined,
        deletedAt: row.deleted_at,
        highlight: highlights && (highlights.get(row.id) ?? null),
      }),
    );
    return { json: `[${items.join(',')}]`, pagination, warnings };
  }

  private async readRows(
    accountId: string,
    query: ListDocumentsDto,
  ): Promise<Searched<Page<ListedRow>>> {
    const listing = query.include === 'content' ? DOCUMENT_LISTING_WITH_CONTENT : DOCUMENT_LISTING;
    const sort = query.sort ?? (query.q === undefined ? 'created_at' : 'relevance');
    const search = searchRequest(query, { ranked: sort === 'relevance' });
    const { page, limit, order, cursor } = query;
    const paging = { page, limit, order, ...(cursor !== undefined && { cursor }) };
    const find = (asked: SearchRequest) =>
      readFoundPage<ListedRow, DocumentSort>(
        this.database,
        listing,
        findMatches(asked),
        accountId,
        { ...paging, sort },
      );
    if (isFiltered(search)) return this.index.search(accountId, search, find);
    const request = { ...paging, sort: sort as FieldSort };
    const walk = () => readPage<ListedRow, FieldSort>(this.database, listing, accountId, request);
    const found = isDeep(query, sort)
      ? await this.index.readOrElse(() => find(search), walk)
      : await walk();
    return { found, warnings: [] };
  }

  private async highlightsOf(
    accountId: string,
    { q }: ListDocumentsDto,
    rows: readonly ListedRow[],
  ): Promise<ReadonlyMap<string, string> | undefined> {
    if (q === undefined) return undefined;
    return this.highlights.of(
      accountId,
      rows.map(({ id }) => id),
      readSearch(q),
    );
  }
}

function isDeep({ page, limit, cursor }: ListDocumentsDto, sort: DocumentSort): boolean {
  const deep = sort === 'created_at' ? DEEP : DEEP_IN_ORDERS;
  return cursor === undefined && (page - 1) * limit >= deep;
}
