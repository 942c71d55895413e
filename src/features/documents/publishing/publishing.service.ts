import { Injectable } from '@nestjs/common';
import type { Access } from '../../auth/access/access.js';
import type { RequestContext } from '../../auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { encodeId, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../platform/database/database.js';
import { requirePreconditions } from '../../../platform/http/envelope/preconditions.js';
import type { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import type { Page } from '../../../platform/http/pagination/read-page.js';
import { requireTransition } from '../changes/apply-patch.js';
import type { StoredDocument } from '../changes/document-change.js';
import { DocumentChangesRepository } from '../changes/document-changes.repository.js';
import {
  DocumentChangesService,
  type PublicationRequest,
  type Target,
} from '../changes/document-changes.service.js';
import { documentETag, presentInParts } from '../document.presenter.js';
import type { PresentedDocument } from '../model/document-events.js';
import { excerptOf, restoredFields, type Document } from '../model/document-fields.js';
import {
  DocumentVersionsRepository,
  type WholeVersion,
} from '../versions/document-versions.repository.js';
import type { PublicationChecksDto, PublishDocumentDto } from './dto/publishing.dto.js';
import { PublicationGate, type Override } from './publication-gate.service.js';
import { canOverride } from './publication-rules.js';
import { PublicationsRepository, type PastPublication } from './publications.repository.js';
import { PublicationsService, type OfRelease } from './publications.service.js';
import { notPublished } from './publishing-errors.js';

/** How to publish. */
interface PublicationOptions extends OfRelease {
  override?: Override | undefined;
}

/** Publishes versions of documents at the request of clients. */
@Injectable()
export class PublishingService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly stored: DocumentChangesRepository,
    private readonly changes: DocumentChangesService,
    private readonly versions: DocumentVersionsRepository,
    private readonly publications: PublicationsRepository,
    private readonly publisher: PublicationsService,
    private readonly gate: PublicationGate,
  ) {}

  /**
   * Publishes a version, by default the current one. A document that is not published gets a new version with the status
   * `published`. Publishing the published version again does nothing. If its analysis is missing, orders it and, with
   * `waits`, waits a few seconds for it. Throws `not_found`, `conflict` if publishing is off, the status cannot become
   * `published` or the rules of the account refuse the version, `precondition_failed`, and `forbidden`.
   */
  async publish(
    target: Target,
    request: PublishDocumentDto,
    context: RequestContext,
    { waits = true } = {},
  ): Promise<PresentedDocument> {
    try {
      return await this.publishNow(target, request, context);
    } catch (error) {
      const isOrdered = await this.gate.orderMissingOf(error, context, { waits });
      if (!isOrdered || !waits) throw error;
      return this.publishNow(target, request, context);
    }
  }

  /** Returns what publishing would find. Throws `not_found`, and `conflict` like {@link publish} except for the rules. */
  async check(
    id: string,
    wanted: number | undefined,
    { access, principal }: RequestContext,
  ): Promise<PublicationChecksDto> {
    const document = await this.stored.find(access, uuidOf('document', id));
    if (!document) throw notFound('document');
    await this.gate.requireOn(access.accountId);
    const version = await this.publishable(document, wanted);
    const candidates = isPublished({ document, version })
      ? []
      : [{ document: version, isStored: true }];
    const refused = await this.gate.refusedOf(candidates);
    return {
      version: version.version,
      problems: refused.flatMap(({ problems }) => problems),
      canOverride: refused.some(({ rule }) => canOverride(rule, principal)),
    };
  }

  /**
   * Returns the document as it would be published, at the current version by default. Throws `conflict` if the status cannot
   * become `published`, and `not_found` for an unknown version. The rules of the account are evaluated later.
   */
  async publishable(document: Document, wanted: number | undefined): Promise<Document> {
    requireTransition(document, 'published');
    const version = await this.versionToPublish(document, wanted);
    return version === document.version ? document : this.at(document, version);
  }

  /**
   * Publishes a {@link publishable} version of each document. The caller's transaction has locked the account and the
   * documents, and the account has turned publishing on. Documents that are not published get a new version with that
   * status. Publishing the published version again does nothing. Returns the documents that changed. Writes nothing and
   * throws `PublicationRefused` if the rules of the account refuse a version, and `forbidden` for an override.
   */
  async publishLocked(
    requests: readonly PublicationRequest[],
    context: RequestContext,
    { override, ...ofRelease }: PublicationOptions = {},
  ): Promise<StoredDocument[]> {
    const now = this.clock.now();
    const candidates = requests
      .filter((request) => !isPublished(request))
      .map(({ version }) => ({ document: version, isStored: true }));
    const overrides = await this.gate.admit(candidates, context.principal, override);
    const isDraft = ({ document }: PublicationRequest) => document.status !== 'published';
    const marked = await this.changes.markPublished(requests.filter(isDraft), context, now);
    const pinned = requests
      .filter((request) => !isDraft(request) && !isPublished(request))
      .map(({ document, version }) => ({
        before: document,
        after: pinnedTo(version, document),
        published: version,
      }));
    if (pinned.length > 0) await this.publications.pin(pinned.map(({ after }) => after));
    const changes = [...marked, ...pinned];
    const steps = changes.map(({ before, published }) => ({
      document: published,
      from: before.status,
      override: overrides.get(published.id),
    }));
    await this.publisher.publish(steps, context, now, ofRelease);
    return changes.map(({ after }) => after);
  }

  /** Makes the document a draft, which ends its publication. Throws `conflict` if it is not published, and like {@link publish}. */
  async unpublish(target: Target, context: RequestContext): Promise<PresentedDocument> {
    return this.locked(target, context, async (document) => {
      if (document.publishedVersion === null) throw notPublished();
      requireUnchanged(target, document);
      return this.unpublishLocked(document, context);
    });
  }

  /** Makes a published document a draft. The caller's transaction has locked it, as for {@link publishLocked}. */
  async unpublishLocked(
    document: StoredDocument,
    context: RequestContext,
    { releaseId }: OfRelease = {},
  ): Promise<PresentedDocument> {
    const fields = { status: 'draft', releaseId } as const;
    return this.changes.change(targetOf(document), context, { fieldsFor: () => fields });
  }

  /**
   * Creates a version with the published text and metadata, or does nothing if the document has them. Throws `conflict` if
   * it is not published, and like {@link publish}.
   */
  async discard(target: Target, context: RequestContext): Promise<PresentedDocument> {
    return this.locked(target, context, async (document) => {
      const publication = await this.publications.findLocked(document);
      if (!publication) throw notPublished();
      const fields = restoredFields(publication.document);
      return this.changes.change(target, context, {
        fieldsFor: () => ({ ...fields, discards: true }),
      });
    });
  }

  /** Returns one page of what readers saw. Throws `not_found`, and `bad_request` for a cursor of another list. */
  async list(access: Access, id: string, query: PageQueryDto): Promise<Page<PastPublication>> {
    const document = await this.stored.find(access, uuidOf('document', id));
    if (!document) throw notFound('document');
    return this.publications.page(document, query);
  }

  private publishNow(
    target: Target,
    { version: wanted, override }: PublishDocumentDto,
    context: RequestContext,
  ): Promise<PresentedDocument> {
    return this.locked(target, context, async (document) => {
      requireUnchanged(target, document);
      const version = await this.publishable(document, wanted);
      const requests = [{ document, version }];
      const [after = document] = await this.publishLocked(requests, context, { override });
      return { document: after, json: presentInParts(after) };
    });
  }

  /** Calls `work` with the locked document, in a transaction. */
  private async locked<Result>(
    { id }: Target,
    context: RequestContext,
    work: (document: StoredDocument) => Promise<Result>,
  ): Promise<Result> {
    const { access, caller } = context;
    const uuid = uuidOf('document', id);
    const inTransaction = async () => {
      // The account's documents are locked before the document.
      await this.changes.lock([uuid], context);
      const found = await this.stored.lock(access, uuid);
      if (!found || found.deletedAt) throw notFound('document');
      access.requireRight('editor', found.document.collectionId);
      await this.gate.requireOn(access.accountId);
      return work(found.document);
    };
    return this.database.transaction(inTransaction, caller, access.accountId);
  }

  /** Versions after the named one that changed only status, external ID or collection are published in its place. */
  private async versionToPublish(document: Document, wanted?: number): Promise<number> {
    if (wanted === undefined || wanted === document.version) return document.version;
    if (wanted > document.version) throw notFound('version');
    return this.publications.lastWithSameText(document, wanted);
  }

  /** Returns the document as it was at a version. External ID and collection are the present ones. */
  private async at(document: Document, number: number): Promise<Document> {
    const version = await this.versions.get(document, String(number));
    return asOfVersion(document, version);
  }
}

function isPublished({ document, version }: PublicationRequest): boolean {
  return document.publishedVersion === version.version;
}

/** Returns a published document with another published version. */
function pinnedTo({ version }: Document, document: StoredDocument): StoredDocument {
  const hasUnpublishedChanges = version !== document.version;
  return { ...document, publishedVersion: version, hasUnpublishedChanges };
}

function requireUnchanged({ preconditions }: Target, document: Document): void {
  const { version } = document;
  requirePreconditions(preconditions, { version, etag: documentETag(document) });
}

/** The caller has checked the preconditions. */
function targetOf({ id }: Document): Target {
  return { id: encodeId('document', id), preconditions: {} };
}

function asOfVersion(document: Document, version: WholeVersion): Document {
  const { content, wordCount, number, author, createdAt } = version;
  return {
    ...document,
    ...restoredFields(version),
    wordCount,
    excerpt: excerptOf(content),
    version: number,
    updatedAt: createdAt,
    updatedBy: author ?? document.createdBy,
  };
}
