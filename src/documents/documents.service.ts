import { Injectable } from '@nestjs/common';
import { auditRow, type AuditInput } from '../audit/audit-entry.js';
import type { RequestContext } from '../auth/request-context.js';
import { Clock } from '../clock/clock.js';
import { notFound, type FieldProblem } from '../errors/app-error.js';
import { encodeId, newUuid, uuidOf } from '../identifiers/identifiers.js';
import { TemplateFilling } from '../templates/template-filling.js';
import { Quotas } from '../usage/quotas.js';
import { templateUse, withDefaults } from './document-defaults.js';
import { documentEvent, type PresentedDocument } from './document-events.js';
import { presentInParts } from './document.presenter.js';
import { excerptOf, storedBytes, type Document } from './document-fields.js';
import { DocumentsRepository } from './documents.repository.js';
import type { CreateDocumentDto } from './dto/write-document.dto.js';
import { LongTexts } from './long-texts/long-texts.js';

/** How a document came about, for the audit log. */
export type Origin = Required<Pick<AuditInput, 'action' | 'details'>>;

/** A new document, with what was accepted of its template variables and is probably not meant. */
export interface CreatedDocument extends PresentedDocument {
  warnings: readonly FieldProblem[];
}

@Injectable()
export class DocumentsService {
  constructor(
    private readonly repository: DocumentsRepository,
    private readonly quotas: Quotas,
    private readonly templates: TemplateFilling,
    private readonly clock: Clock,
    private readonly texts: LongTexts,
  ) {}

  /**
   * Creates a draft; document, event and deliveries commit together. What the body leaves out comes from the template, if
   * it names one. Throws `bad_request` for a template that is none, or whose variables are not filled, and `forbidden`
   * when the plan allows no more documents, or no more bytes.
   */
  async create(
    body: CreateDocumentDto,
    context: RequestContext,
    origin?: Origin,
  ): Promise<CreatedDocument> {
    const { accountId, user } = context.principal;
    const use = templateUse(body, context);
    const begun = use && (await this.templates.begin(use));
    const fields = withDefaults(body, begun);
    const { content } = fields;
    const wordCount = await this.texts.words(accountId, content);
    const now = this.clock.now();
    const document: Document = {
      ...fields,
      id: newUuid(),
      accountId,
      excerpt: excerptOf(content),
      templateId: begun?.templateId ?? null,
      wordCount,
      version: 1,
      createdBy: user,
      createdAt: now,
      updatedAt: now,
    };
    const created = { document, json: presentInParts(document) };
    const event = documentEvent('document.created', created, now, context);
    const entry = auditRow({
      ...(origin ?? createdFrom(document)),
      resourceId: document.id,
      at: now,
      context,
    });
    await this.quotas.whereDocumentsFit(
      context,
      () => ({ documents: 1, bytes: storedBytes(document) }),
      () => this.repository.insert({ ...created, event, entry }),
    );
    return { ...created, warnings: begun?.warnings ?? [] };
  }

  /** One document of the account. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<Document> {
    const document = await this.repository.find(accountId, uuidOf('document', id));
    if (!document) throw notFound('document');
    return document;
  }
}

function createdFrom({ templateId }: Document): Origin {
  const details = templateId === null ? {} : { templateId: encodeId('template', templateId) };
  return { action: 'document.create', details };
}
