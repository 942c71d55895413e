import { Injectable } from '@nestjs/common';
import { auditRow, type AuditInput } from '../audit/audit.repository.js';
import type { Access } from '../auth/access/access.js';
import type { Right } from '../auth/access/rights.js';
import type { RequestContext } from '../auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { notFound, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import { encodeId, newUuid, uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { LongTextsService } from '../content/long-texts/long-texts.service.js';
import { MAX_TITLE_CHARACTERS } from '../content/text-fields.js';
import type { FillBudget } from '../templates/variables/fill-budget.js';
import { TemplateFillingService } from '../templates/variables/template-filling.service.js';
import { QuotasService } from '../usage/quotas/quotas.service.js';
import { storedCollection, storedForm, templateUse, withDefaults } from './changes/apply-patch.js';
import { requireTarget } from '../collections/target-collection.js';
import { documentEvent, type PresentedDocument } from './model/document-events.js';
import {
  excerptOf,
  storedBytes,
  type Document,
  type DocumentFields,
} from './model/document-fields.js';
import { presentInParts } from './document.presenter.js';
import { DocumentsRepository, type Creation } from './documents.repository.js';
import {
  PublicationsRepository,
  type ReadPublication,
} from './publishing/publications.repository.js';
import type { CopyDocumentDto, CreateDocumentDto } from './dto/write-document.dto.js';

/** How a document was created, for the audit log. */
type AuditContext = Required<Pick<AuditInput, 'action' | 'details'>>;

/** A new document, with warnings about its template variables. */
interface CreatedDocument extends PresentedDocument {
  warnings: readonly FieldProblem[];
}

@Injectable()
export class DocumentsService {
  constructor(
    private readonly repository: DocumentsRepository,
    private readonly quotas: QuotasService,
    private readonly templates: TemplateFillingService,
    private readonly clock: Clock,
    private readonly texts: LongTextsService,
    private readonly publications: PublicationsRepository,
  ) {}

  /**
   * Creates a draft. The document, its event and its deliveries commit together. Fields that the body omits come from the
   * template, if the body names one. Throws `bad_request` for an unknown template or missing variables, `forbidden` if
   * the plan allows no more documents or bytes, `payload_too_large` if the template exceeds the budget, and the errors of
   * {@link requireTarget}.
   */
  async create(
    body: CreateDocumentDto,
    context: RequestContext,
    { audit, budget }: { audit?: AuditContext; budget?: FillBudget } = {},
  ): Promise<CreatedDocument> {
    const use = templateUse(body, context);
    // A document has a title, and thus at least one byte.
    if (use) await this.quotas.requireCapacityForDocument(context.principal, 1);
    const filled = use && (await this.templates.begin(use, budget));
    const fields = { ...withDefaults(body, filled), templateId: filled?.templateId ?? null };
    const creation = await this.creationOf(fields, context, audit ?? createdFrom(fields));
    const { document, json } = creation;
    await this.quotas.withinDocumentQuota(
      context,
      () => ({ documents: 1, bytes: storedBytes(document) }),
      () => this.repository.insert(creation),
    );
    return { document, json, warnings: filled?.warnings ?? [] };
  }

  /** Creates a draft from the current version of a document. Throws `not_found`, and the errors of {@link create}. */
  async copy(
    id: string,
    body: CopyDocumentDto,
    context: RequestContext,
  ): Promise<PresentedDocument> {
    const source = await this.find(context.access, id);
    const fields = {
      ...source,
      title: body.title ?? titleOfCopy(source.title),
      type: body.type ?? source.type,
      metadata: storedForm('metadata', body.metadata) ?? source.metadata,
      collectionId: storedCollection(body.collectionId) ?? source.collectionId,
      status: 'draft',
      externalId: null,
    } as const;
    const creation = await this.creationOf(fields, context, {
      action: 'document.create',
      details: { copyOf: encodeId('document', source.id) },
    });
    const { document, json } = creation;
    await this.quotas.withinDocumentQuota(
      context,
      () => ({ documents: 1, bytes: storedBytes(document) }),
      () => this.repository.insert(creation),
    );
    return { document, json };
  }

  /** Returns a document. Throws `not_found`, even for a malformed ID, and `forbidden` without the required right. */
  async find(access: Access, id: string, required: Right = 'viewer'): Promise<Document> {
    const document = await this.repository.find(access, uuidOf('document', id));
    if (!document) throw notFound('document');
    access.requireRight(required, document.collectionId);
    return document;
  }

  /** Returns what readers of a document get. Throws `not_found`, also while publishing is off. */
  async findPublished(access: Access, id: string): Promise<ReadPublication> {
    const publication = await this.publications.find(access, uuidOf('document', id));
    if (!publication) throw notFound('document');
    return publication;
  }

  /** Returns a new document with its event and audit entry. Sets all fields that only the service writes. */
  private async creationOf(
    fields: DocumentFields & Pick<Document, 'templateId'>,
    context: RequestContext,
    audit: AuditContext,
  ): Promise<Creation> {
    const { accountId, user } = context.principal;
    const { content, collectionId } = fields;
    requireTarget(context.access, collectionId);
    const wordCount = await this.texts.words(accountId, content);
    const now = this.clock.now();
    const document: Document = {
      ...fields,
      id: newUuid(),
      accountId,
      excerpt: excerptOf(content),
      wordCount,
      version: 1,
      publishedVersion: null,
      hasUnpublishedChanges: false,
      createdBy: user,
      updatedBy: user,
      createdAt: now,
      updatedAt: now,
    };
    const presented = { document, json: presentInParts(document) };
    return {
      ...presented,
      access: context.access,
      event: documentEvent('document.created', presented, now, context),
      entry: auditRow({ ...audit, resourceId: document.id, at: now, context }),
    };
  }
}

/** Returns the title of a copy, shortened to the maximum length of a title. */
function titleOfCopy(title: string): string {
  return Array.from(`Copy of ${title}`).slice(0, MAX_TITLE_CHARACTERS).join('').trimEnd();
}

function createdFrom({ templateId }: Pick<Document, 'templateId'>): AuditContext {
  const details = templateId === null ? {} : { templateId: encodeId('template', templateId) };
  return { action: 'document.create', details };
}
