import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { SharedReads } from '../database/shared-reads.js';
import { invalidFields } from '../errors/app-error.js';
import type { Pagination } from '../pagination/pagination.js';
import { readPage } from '../pagination/read-page.js';
import { DOCUMENT_LISTING, DOCUMENT_LISTING_WITH_CONTENT } from './document-listing.js';
import { fromRow, type DocumentRow } from './document-row.js';
import { presentListItem } from './document.presenter.js';
import type { ListDocumentsDto } from './dto/list-documents.dto.js';

/** `content` is null where the page would be too large with it. */
type ListedRow = DocumentRow & { content?: string | null };

/** A page as it goes out: the JSON text of its items. */
export interface PresentedPage {
  json: string;
  pagination: Pagination;
}

/** Pages of documents. Equal requests that come together are answered by one read. */
@Injectable()
export class DocumentPages {
  private readonly reads = new SharedReads<PresentedPage>();

  constructor(private readonly database: Database) {}

  /** Throws `bad_request` when `include=content` makes the page larger than 8 MiB. */
  read(accountId: string, query: ListDocumentsDto): Promise<PresentedPage> {
    return this.reads.read(`${accountId} ${JSON.stringify(query)}`, () =>
      this.readOnce(accountId, query),
    );
  }

  private async readOnce(accountId: string, query: ListDocumentsDto): Promise<PresentedPage> {
    const withContent = query.include === 'content';
    const listing = withContent ? DOCUMENT_LISTING_WITH_CONTENT : DOCUMENT_LISTING;
    const { rows, pagination } = await readPage<ListedRow, ListDocumentsDto['sort']>(
      this.database,
      listing,
      accountId,
      query,
    );
    if (rows.some(({ content }) => content === null)) {
      throw invalidFields([
        {
          field: 'include',
          issue: 'makes this page larger than 8 MiB; lower limit, or read the documents one by one',
        },
      ]);
    }
    const items = rows.map((row) =>
      presentListItem({ ...fromRow(row), content: row.content ?? undefined }),
    );
    return { json: `[${items.join(',')}]`, pagination };
  }
}
