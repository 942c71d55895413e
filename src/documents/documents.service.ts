import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Database } from '../database/database.js';
import { sourceText } from '../envelope/json-text.js';
import { invalidFields, notFound } from '../errors/app-error.js';
import { decodeId, newUuid } from '../identifiers/identifiers.js';
import { readPage, type Page } from '../pagination/read-page.js';
import { documentEvent, type Cause } from './document-events.js';
import { DOCUMENT_LISTING, DOCUMENT_LISTING_WITH_CONTENT } from './document-listing.js';
import type { DocumentRow } from './document-row.js';
import { DocumentStore } from './document-store.js';
import { excerptOf, type Document } from './document.js';
import type { CreateDocumentDto } from './dto/create-document.dto.js';
import type { ListDocumentsDto } from './dto/list-documents.dto.js';
import { countWords } from './word-count.js';

export type ListedRow = DocumentRow & { content?: string | null };

@Injectable()
export class DocumentsService {
  constructor(
    private readonly store: DocumentStore,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Creates a draft; document, event and deliveries commit together. */
  async create(body: CreateDocumentDto, cause: Cause): Promise<Document> {
    if (body.templateId !== undefined) {
      // Templates come with their own routes; until an account can make one, no id names one.
      throw invalidFields([{ field: 'templateId', issue: 'names no template of this account' }]);
    }
    const { accountId, user } = cause.principal;
    const content = body.content ?? '';
    const now = this.clock.now();
    const document: Document = {
      id: newUuid(),
      accountId,
      title: body.title,
      type: body.type ?? 'document',
      content,
      excerpt: excerptOf(content),
      status: 'draft',
      metadata: body.metadata ? sourceText(body.metadata) : '{}',
      aiSettings: body.aiSettings ? sourceText(body.aiSettings) : '{}',
      templateId: null,
      wordCount: countWords(content),
      version: 1,
      createdBy: user,
      createdAt: now,
      updatedAt: now,
    };
    await this.store.insert(document, documentEvent('document.created', document, now, cause));
    return document;
  }

  /** One document of the account. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<Document> {
    const uuid = decodeId('document', id);
    const document = uuid === undefined ? undefined : await this.store.find(accountId, uuid);
    if (!document) throw notFound('document');
    return document;
  }

  async list(accountId: string, query: ListDocumentsDto): Promise<Page<ListedRow>> {
    const listing = query.include === 'content' ? DOCUMENT_LISTING_WITH_CONTENT : DOCUMENT_LISTING;
    const page = await readPage<ListedRow, ListDocumentsDto['sort']>(
      this.database,
      listing,
      accountId,
      query,
    );
    if (page.rows.some(({ content }) => content === null)) {
      throw invalidFields([
        {
          field: 'include',
          issue: 'makes this page larger than 8 MiB; lower limit, or read the documents one by one',
        },
      ]);
    }
    return page;
  }
}
