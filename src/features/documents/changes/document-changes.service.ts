import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../platform/database/database.js';
import {
  requirePreconditions,
  type Preconditions,
} from '../../../platform/http/envelope/preconditions.js';
import type { ContentChange } from '../../content/long-texts/long-text-thread.js';
import { LongTextsService } from '../../content/long-texts/long-texts.service.js';
import { MAX_CONTENT_BYTES } from '../../content/text-fields.js';
import type { TextEdit } from '../../content/text/text-edits.js';
import type { PatchDocumentDto, ReplaceDocumentDto } from '../dto/write-document.dto.js';
import { editedFields, patchedFields, replacedFields, requireTransition } from './apply-patch.js';
import { QuotasService } from '../../usage/quotas/quotas.service.js';
import type { PresentedDocument } from '../model/document-events.js';
import { storedBytes, type Document } from '../model/document-fields.js';
import { documentETag, presentInParts } from '../document.presenter.js';
import { ChangeMergingService } from './change-merging.service.js';
import {
  changesText,
  planChange,
  type DocumentChange,
  type RequestedFields,
  type StoredDocument,
} from './document-change.js';
import { requireTarget } from '../../collections/target-collection.js';
import { PublicationGate } from '../publishing/publication-gate.service.js';
import { PublicationsService } from '../publishing/publications.service.js';
import { DocumentChangesRepository } from './document-changes.repository.js';

/** A change to a document, computed from its current state. */
export interface ChangeRequest {
  /** Returns false if this is not the document that the caller means. That is reported as `not_found`. */
  appliesTo?(document: StoredDocument): boolean;
  /** Returns the fields to set. */
  fieldsFor(document: StoredDocument): RequestedFields | Promise<RequestedFields>;
}

/** A document by its public ID, with the preconditions that the client sent. */
export interface Target {
  id: string;
  preconditions: Preconditions;
}

/** A locked document, and the version of it to publish. */
export interface PublicationRequest {
  document: StoredDocument;
  version: Document;
}

/** A document before and after its publication, and what readers get. */
export interface PublishedChange {
  before: StoredDocument;
  after: StoredDocument;
  published: Document;
}

/** What earlier attempts of a change have shown. */
interface SeenChange {
  /** True if it changes the external ID. */
  renames: boolean;
  /** True if it changes which version is published. */
  publishes: boolean;
}

/** Attempts without a lock. After these, the document is locked before it is read. */
const MAX_OPTIMISTIC_ATTEMPTS = 2;

/**
 * Changes documents with optimistic concurrency: reads a document, computes the change, and writes it if the version is
 * still the same. Locks the document after repeated conflicts.
 */
@Injectable()
export class DocumentChangesService {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentChangesRepository,
    private readonly quotas: QuotasService,
    private readonly clock: Clock,
    private readonly texts: LongTextsService,
    private readonly merging: ChangeMergingService,
    private readonly publications: PublicationsService,
    private readonly gate: PublicationGate,
  ) {}

  /**
   * Creates one version with its events, or does nothing if no field changes. Throws `not_found`, `precondition_failed` if
   * the preconditions do not hold, `conflict` if the change publishes a version that the rules of the account refuse,
   * `forbidden` if the caller cannot edit the document or the plan has no storage left for the growth, and the errors of
   * `request` and {@link requireTarget}.
   */
  async change(
    target: Target,
    context: RequestContext,
    request: ChangeRequest,
  ): Promise<PresentedDocument> {
    const { access } = context;
    const id = uuidOf('document', target.id);
    const attempts = this.database.isInTransaction ? 0 : MAX_OPTIMISTIC_ATTEMPTS;
    const seen: SeenChange = { renames: false, publishes: false };
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const found = await this.documents.find(access, id);
      const changed = await this.attempt(found, target, context, request, seen);
      if (changed) return changed;
      if (seen.publishes) break;
    }
    const changeLocked = async () => {
      // Every caller that locks both the account and its documents locks the account first.
      if (seen.renames) await this.quotas.lockDocuments(context.principal);
      else await this.quotas.lockLimitedDocuments(context.principal);
      const found = await this.documents.lock(access, id);
      const document = found?.deletedAt ? undefined : found?.document;
      return this.attempt(document, target, context, request, seen);
    };
    const changed = await this.database
      .transaction(changeLocked, context.caller, access.accountId)
      .catch(async (error: unknown) => {
        await this.gate.orderMissingOf(error, context);
        throw error;
      });
    if (!changed) throw new Error('A document was changed while it was locked.');
    return changed;
  }

  /** Applies a merge patch. Throws the errors of {@link change}, {@link patchedFields} and {@link ChangeMergingService}. */
  async patch(target: Target, body: PatchDocumentDto, context: RequestContext) {
    return this.change(target, context, {
      fieldsFor: (document) =>
        this.merging.patched(document, patchedFields(document, body), body.baseVersion),
    });
  }

  /**
   * Replaces all fields. Throws the errors of {@link change} and {@link ChangeMergingService}, and `conflict` for a forbidden
   * change of status.
   */
  async replace(
    target: Target,
    body: ReplaceDocumentDto,
    context: RequestContext,
    appliesTo?: ChangeRequest['appliesTo'],
  ) {
    return this.change(target, context, {
      ...(appliesTo && { appliesTo }),
      fieldsFor: async (document) => {
        const fields = replacedFields(document, body);
        const merged = await this.merging.replaced(document, fields, body.baseVersion);
        requireTransition(document, merged.status);
        return merged;
      },
    });
  }

  /** Edits parts of the content. Throws the errors of {@link change}, and `unprocessable` for an edit that does not apply. */
  async edit(target: Target, edits: readonly TextEdit[], context: RequestContext) {
    return this.change(target, context, {
      fieldsFor: async ({ accountId, content }) =>
        editedFields(await this.texts.edited(accountId, content, edits, MAX_CONTENT_BYTES)),
    });
  }

  /**
   * Locks the account's documents, regardless of its plan. Call this in a transaction that may change several external
   * IDs, before looking up documents by external ID.
   */
  async lockAccount({ principal }: RequestContext): Promise<void> {
    await this.quotas.lockDocuments(principal);
  }

  /** Locks the account, then the documents that a transaction with several changes will change. */
  async lock(ids: readonly string[], { principal }: RequestContext): Promise<void> {
    await this.quotas.lockLimitedDocuments(principal);
    await this.documents.lockAll(principal.accountId, ids);
  }

  /**
   * Gives drafts the status `published`, without publishing them: the caller's transaction has locked the account and the
   * documents, has checked the rights, and makes `published` what readers get.
   */
  async markPublished(
    requests: readonly PublicationRequest[],
    context: RequestContext,
    now: Date,
  ): Promise<PublishedChange[]> {
    const planned = requests.map(({ document, version }) => {
      const publishes = version.version === document.version ? undefined : version;
      const fields = { status: 'published', publishes } as const;
      const change = planChange(document, fields, undefined, context, { now, publishing: true });
      if (!change) throw new Error('A published document was published as a draft.');
      return { change, published: publishes ?? change.after };
    });
    await this.documents.updateLocked(planned.map(({ change }) => change));
    return planned.map(({ change: { before, after }, published }) => ({
      before,
      after,
      published,
    }));
  }

  /**
   * Returns `undefined` if the document changed before the write, or if the change must be made with the document locked,
   * because it changes which version is published. Sets `seen`.
   */
  private async attempt(
    before: StoredDocument | undefined,
    target: Target,
    context: RequestContext,
    request: ChangeRequest,
    seen: SeenChange,
  ): Promise<PresentedDocument | undefined> {
    if (!before || request.appliesTo?.(before) === false) throw notFound('document');
    const { version, collectionId } = before;
    context.access.requireRight('editor', collectionId);
    requirePreconditions(target.preconditions, { version, etag: documentETag(before) });
    const fields = await request.fieldsFor(before);
    const { collectionId: next = collectionId } = fields;
    if (next !== collectionId) requireTarget(context.access, next);
    const content = await this.contentChange(before, fields);
    const publishing = await this.publications.isPublishing(before, fields.status);
    const now = this.clock.now();
    const change = planChange(before, fields, content, context, { now, publishing });
    if (!change) return { document: before, json: presentInParts(before) };
    const { after, json, publication } = change;
    seen.renames ||= change.changes.includes('externalId');
    seen.publishes ||= publication !== 'stays';
    if (seen.publishes && !this.database.isInTransaction) return undefined;
    if (publication === 'begins') await this.admit(before, change, context);
    const growth = { documents: 0, bytes: storedBytes(after) - storedBytes(before) };
    const isWritten = await this.quotas.withinDocumentQuota(
      context,
      () => growth,
      () => this.documents.update(change),
      // Two changes may swap external ids; the account lock prevents a deadlock.
      { locked: seen.renames },
    );
    if (!isWritten) return undefined;
    if (publication === 'begins') {
      const step = { document: after, from: before.status };
      await this.publications.publish([step], context, now);
    } else if (publication === 'ends') {
      await this.publications.end(before, context, now, fields);
    }
    return { document: after, json };
  }

  /** Throws `conflict` if the rules of the account refuse to publish the version that a change makes. */
  private async admit(
    before: StoredDocument,
    { after, changes }: DocumentChange,
    { principal }: RequestContext,
  ): Promise<void> {
    const isStored = !changesText(changes);
    await this.gate.admit([{ document: isStored ? before : after, isStored }], principal);
  }

  private async contentChange(
    { accountId, content: before }: StoredDocument,
    { content = before }: RequestedFields,
  ): Promise<ContentChange | undefined> {
    return content === before ? undefined : this.texts.change(accountId, before, content);
  }
}
