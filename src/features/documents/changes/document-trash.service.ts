import {
  BackgroundTask,
  HOUR_MS,
  RunsInBackground,
} from '../../../platform/background/background-tasks.js';
import { Injectable } from '@nestjs/common';
import { auditRow } from '../../audit/audit.repository.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import type { RequestContext } from '../../auth/request-context.js';
import { requireScope } from '../../auth/guards/scope.guard.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import {
  requirePreconditions,
  type Preconditions,
} from '../../../platform/http/envelope/preconditions.js';
import { AppError, notFound } from '../../../platform/basics/errors/app-error.js';
import type { EventType } from '../../events/catalogue/catalogue.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { TRASH_DAYS } from '../../content/trash-days.js';
import { storedCollection } from './apply-patch.js';
import { DocumentChangesService, type Target } from './document-changes.service.js';
import type { RestoreDocumentDto } from '../dto/write-document.dto.js';
import { documentEvent, removalEvent, type PresentedDocument } from '../model/document-events.js';
import {
  DocumentChangesRepository,
  type FoundDocument,
  type Move,
} from './document-changes.repository.js';
import { presentTrashed, documentETag, presentInParts } from '../document.presenter.js';
import type { DeletedDocumentDto } from '../dto/document.dto.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Moves documents to the trash, restores them and deletes them permanently. */
@Injectable()
export class DocumentTrashService {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentChangesRepository,
    private readonly changes: DocumentChangesService,
    private readonly clock: Clock,
  ) {}

  /**
   * Moves the document to the trash or deletes it permanently, and returns the response. Permanent deletion throws
   * `forbidden` without the scope `documents:delete`. Otherwise throws like {@link delete} and {@link remove}.
   */
  async deleteAs(
    target: Target,
    context: RequestContext,
    { permanent }: { permanent: boolean },
  ): Promise<DeletedDocumentDto> {
    const { id } = target;
    if (!permanent) return presentTrashed(id, await this.delete(target, context));
    requireScope(context.principal, 'documents:delete');
    await this.remove(target, context);
    return { id, deleted: true, permanent, restorableUntil: null };
  }

  /**
   * Moves the document to the trash. Returns the time until which it can be restored. Throws `not_found`, `forbidden` if
   * the caller cannot edit it, and `precondition_failed`.
   */
  async delete({ id, preconditions }: Target, context: RequestContext): Promise<Date> {
    const now = this.clock.now();
    await this.move(id, context, async (found) => {
      if (found.deletedAt) throw notFound('document');
      requireSeen(preconditions, found);
      const move = planMove('document.delete', 'document.deleted', found, context, now);
      await this.documents.trash(move, now);
    });
    return new Date(now.getTime() + TRASH_DAYS * DAY_MS);
  }

  /**
   * Permanently deletes the document and its versions, even if it is in the trash. Throws `not_found`, `forbidden` if the
   * caller cannot edit it, and `precondition_failed`.
   */
  async remove({ id, preconditions }: Target, context: RequestContext): Promise<void> {
    const now = this.clock.now();
    await this.move(id, context, async (found) => {
      requireSeen(preconditions, found);
      const { document, deletedAt } = found;
      const entry = auditRow({
        action: 'document.purge',
        resourceId: document.id,
        at: now,
        context,
      });
      // Moving it to the trash already emitted document.deleted.
      const events = deletedAt ? [] : [removalEvent(document, now, context)];
      await this.documents.remove({ document, events, entry });
    });
  }

  /**
   * Restores the document from the trash and, if `collectionId` names another collection than its own, moves it there.
   * Throws `not_found`, `precondition_failed`, `bad_request` for an unknown collection, `forbidden` if the caller cannot
   * edit it or put documents there, and `conflict` if it is not in the trash, its own collection was deleted, or another
   * document uses its external id.
   */
  async restore(
    { id, preconditions }: Target,
    { collectionId }: RestoreDocumentDto,
    context: RequestContext,
  ): Promise<PresentedDocument> {
    const now = this.clock.now();
    const restored = async (found: FoundDocument) => {
      if (!found.deletedAt) throw notDeleted();
      if (found.deletedAt.getTime() + TRASH_DAYS * DAY_MS <= now.getTime()) {
        throw notFound('document');
      }
      requireSeen(preconditions, found);
      const target = storedCollection(collectionId) ?? found.document.collectionId;
      await this.documents.restore(
        planMove('document.restore', 'document.restored', found, context, now),
        { moves: target !== found.document.collectionId },
      );
    };
    if (collectionId === undefined) return this.move(id, context, restored);
    const restoredAndMoved = async () => {
      // The account's documents are locked before the document.
      await this.changes.lock([uuidOf('document', id)], context);
      await this.move(id, context, restored);
      return this.changes.patch({ id, preconditions: {} }, { collectionId }, context);
    };
    const { caller, principal } = context;
    return this.database.transaction(restoredAndMoved, caller, principal.accountId);
  }

  /** Locks the document, requires the right to edit it, and calls `move`, in one transaction. */
  private async move(
    id: string,
    { access, caller }: RequestContext,
    move: (found: FoundDocument) => Promise<void>,
  ): Promise<PresentedDocument> {
    const uuid = uuidOf('document', id);
    const locked = async () => {
      const found = await this.documents.lock(access, uuid);
      if (!found) throw notFound('document');
      access.requireRight('editor', found.document.collectionId);
      await move(found);
      return { document: found.document, json: presentInParts(found.document) };
    };
    return this.database.transaction(locked, caller, access.accountId);
  }
}

function requireSeen(preconditions: Preconditions, { document }: FoundDocument): void {
  requirePreconditions(preconditions, { version: document.version, etag: documentETag(document) });
}

function planMove(
  action: AuditAction,
  event: EventType,
  { document }: FoundDocument,
  context: RequestContext,
  at: Date,
): Move {
  const presented = { document, json: presentInParts(document) };
  return {
    access: context.access,
    document,
    events: [documentEvent(event, presented, at, context)],
    entry: auditRow({ action, resourceId: document.id, at, context }),
  };
}

/** Returns the error for restoring a document that is not in the trash. */
export function notDeleted(): AppError {
  return new AppError('conflict', 'This document is not deleted, so there is nothing to restore.');
}

/** Permanently deletes documents that have been in the trash for {@link TRASH_DAYS}. */
@RunsInBackground({ name: 'The removal of old documents from the trash', everyMs: HOUR_MS })
@Injectable()
export class TrashRetention implements BackgroundTask {
  constructor(
    private readonly documents: DocumentChangesRepository,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    const now = this.clock.now();
    return this.documents.purge(new Date(now.getTime() - TRASH_DAYS * DAY_MS), now);
  }
}
