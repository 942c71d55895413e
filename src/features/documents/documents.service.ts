import { Injectable } from '@nestjs/common';
import { auditRow, type AuditInput } from '../audit/audit.repository.js';
import type { RequestContext } from '../access/auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { notFound, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import { encodeId, newUuid, uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { TemplateFilling } from '../templates/template-filling.js';
import { Quotas } from '../usage/quotas.js';
import { storedForm, templateUse, withDefaults } from './document-defaults.js';
import { documentEvent, type PresentedDocument } from './document-events.js';
import { presentInParts } from './document.presenter.js';
import { excerptOf, storedBytes, type Document, type DocumentFields } from './document-fields.js';
import { DocumentsRepository } from './documents.repository.js';
import { MAX_TITLE_CHARACTERS } from '../content/text-fields.js';
import type { CopyDocumentDto, CreateDocumentDto } from './dto/write-document.dto.js';
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
    const use = templateUse(body, context);
    const begun = use && (await this.templates.begin(use));
    const fields = withDefaults(body, begun);
    const templateId = begun?.templateId ?? null;
    const created = await this.add({ ...fields, templateId }, context, origin);
    return { ...created, warnings: begun?.warnings ?? [] };
  }

  /** Creates a draft from a document as it is now. Throws `not_found`, and `forbidden` as {@link create} does. */
  async copy(
    id: string,
    body: CopyDocumentDto,
    context: RequestContext,
  ): Promise<PresentedDocument> {
    const of = await this.find(context.principal.accountId, id);
    const copy = {
      ...of,
      title: body.title ?? titleOfCopy(of.title),
      type: body.type ?? of.type,
      metadata: storedForm(body.metadata) ?? of.metadata,
      status: 'draft',
      externalId: null,
    } as const;
    return this.add(copy, context, {
      action: 'document.create',
      details: { copyOf: encodeId('document', of.id) },
    });
  }

  /** What only the service writes is made anew, also when `fields` has it of another document. */
  private async add(
    fields: DocumentFields & Pick<Document, 'templateId'>,
    context: RequestContext,
    origin?: Origin,
  ): Promise<PresentedDocument> {
    const { accountId, user } = context.principal;
    const { content } = fields;
    const wordCount = await this.texts.words(accountId, content);
    const now = this.clock.now();
    const document: Document = {
      ...fields,
      id: newUuid(),
      accountId,
      excerpt: excerptOf(content),
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
    return created;
  }

  /** One document of the account. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<Document> {
    const document = await this.repository.find(accountId, uuidOf('document', id));
    if (!document) throw notFound('document');
    return document;
  }
}

/** As other services name copies; as many characters of the title as a title may have. */
function titleOfCopy(title: string): string {
  return Array.from(`Copy of ${title}`).slice(0, MAX_TITLE_CHARACTERS).join('').trimEnd();
}

function createdFrom({ templateId }: Document): Origin {
  const details = templateId === null ? {} : { templateId: encodeId('template', templateId) };
  return { action: 'document.create', details };
}
