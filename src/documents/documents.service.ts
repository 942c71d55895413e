import { Injectable } from '@nestjs/common';
import { auditRow } from '../audit/audit-entry.js';
import type { Cause } from '../auth/cause.js';
import { Clock } from '../clock/clock.js';
import { sourceText } from '../envelope/json-text.js';
import { invalidFields, notFound } from '../errors/app-error.js';
import { newUuid, uuidOf } from '../identifiers/identifiers.js';
import { documentClaim } from '../usage/document-claim.js';
import { documentEvent, type PresentedDocument } from './document-events.js';
import { DocumentInserts } from './document-inserts.js';
import { DocumentStore } from './document-store.js';
import { presentDocument } from './document.presenter.js';
import { excerptOf, storedBytes, type Document } from './document.js';
import type { CreateDocumentDto } from './dto/create-document.dto.js';
import { countWords } from './word-count.js';

@Injectable()
export class DocumentsService {
  constructor(
    private readonly inserts: DocumentInserts,
    private readonly store: DocumentStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a draft; document, event and deliveries commit together. Throws `forbidden` when the plan allows no more
   * documents, or no more bytes.
   */
  async create(body: CreateDocumentDto, cause: Cause): Promise<PresentedDocument> {
    // Answers say `templateId: null`; sent back, it means none.
    if (body.templateId != null) {
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
    const created = { document, json: presentDocument(document) };
    const event = documentEvent('document.created', created, now, cause);
    const entry = auditRow({ action: 'document.create', resourceId: document.id, at: now, cause });
    const claim = documentClaim(cause.principal, 1, () => storedBytes(document));
    await this.inserts.insert({ document, event, entry, claim }, cause.executor);
    return created;
  }

  /** One document of the account. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<Document> {
    const document = await this.store.find(accountId, uuidOf('document', id));
    if (!document) throw notFound('document');
    return document;
  }
}
