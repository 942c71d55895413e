import { Injectable } from '@nestjs/common';
import { auditRow, type AuditAction } from '../audit/audit-entry.js';
import type { Cause } from '../auth/cause.js';
import { Clock } from '../clock/clock.js';
import type { Executor } from '../database/database.js';
import { WritersInTurn } from '../database/writers-in-turn.js';
import { requirePreconditions, type Preconditions } from '../envelope/preconditions.js';
import { AppError, notFound } from '../errors/app-error.js';
import type { EventType } from '../events/catalogue.js';
import { uuidOf } from '../identifiers/identifiers.js';
import type { Target } from './document-changes.service.js';
import { documentEvent, removalEvent, type PresentedDocument } from './document-events.js';
import { DocumentStore, type FoundDocument } from './document-store.js';
import { DocumentWrites, type Move } from './document-writes.js';
import { documentETag, presentInParts } from './document.presenter.js';

/** How long a deleted document can be restored. */
export const TRASH_DAYS = 30;
export const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes documents into the trash, restores them, and removes them for good. */
@Injectable()
export class DocumentTrash {
  constructor(
    private readonly store: DocumentStore,
    private readonly writes: DocumentWrites,
    private readonly writers: WritersInTurn,
    private readonly clock: Clock,
  ) {}

  /** Moves the document into the trash; returns until when it can be restored. Throws `not_found`, `precondition_failed`. */
  async delete({ id, preconditions }: Target, cause: Cause): Promise<Date> {
    const now = this.clock.now();
    await this.write(id, cause, (found, executor) => {
      if (found.deletedAt) throw notFound('document');
      requireSeen(preconditions, found);
      const move = planMove('document.delete', 'document.deleted', found, cause, now);
      return this.writes.setDeleted(move, now, executor);
    });
    return new Date(now.getTime() + TRASH_DAYS * DAY_MS);
  }

  /** Removes the document and its versions, out of the trash too. Throws `not_found`, `precondition_failed`. */
  async remove({ id, preconditions }: Target, cause: Cause): Promise<void> {
    const now = this.clock.now();
    await this.write(id, cause, (found, executor) => {
      requireSeen(preconditions, found);
      const { document, deletedAt } = found;
      const entry = auditRow({ action: 'document.purge', resourceId: document.id, at: now, cause });
      // Receivers were told when it went into the trash.
      const events = deletedAt ? [] : [removalEvent(document, now, cause)];
      return this.writes.remove({ document, deletedAt, events, entry }, executor);
    });
  }

  /**
   * Takes the document out of the trash as it was. Throws `not_found`, `precondition_failed`, and `conflict` when it is
   * not deleted.
   */
  async restore({ id, preconditions }: Target, cause: Cause): Promise<PresentedDocument> {
    const now = this.clock.now();
    return this.write(id, cause, (found, executor) => {
      if (!found.deletedAt) throw notDeleted();
      if (found.deletedAt.getTime() + TRASH_DAYS * DAY_MS <= now.getTime()) {
        throw notFound('document');
      }
      requireSeen(preconditions, found);
      const move = planMove('document.restore', 'document.restored', found, cause, now);
      return this.writes.setDeleted(move, null, executor);
    });
  }

  /** `move` says whether the document still was as it was found. */
  private async write(
    id: string,
    cause: Cause,
    move: (found: FoundDocument, executor: Executor | undefined) => Promise<boolean>,
  ): Promise<PresentedDocument> {
    const uuid = uuidOf('document', id);
    return this.writers.write(uuid, cause, async (executor) => {
      const found = await this.store.findAny(cause.principal.accountId, uuid, executor);
      if (!found) throw notFound('document');
      const { document } = found;
      return (await move(found, executor))
        ? { document, json: presentInParts(document) }
        : undefined;
    });
  }
}

function requireSeen(preconditions: Preconditions, { document }: FoundDocument): void {
  requirePreconditions(preconditions, { version: document.version, etag: documentETag(document) });
}

function planMove(
  action: AuditAction,
  event: EventType,
  { document, deletedAt }: FoundDocument,
  cause: Cause,
  at: Date,
): Move {
  const presented = { document, json: presentInParts(document) };
  return {
    document,
    deletedAt,
    events: [documentEvent(event, presented, at, cause)],
    entry: auditRow({ action, resourceId: document.id, at, cause }),
  };
}

/** The answer to restoring what is not deleted. */
export function notDeleted(): AppError {
  return new AppError('conflict', 'This document is not deleted, so there is nothing to restore.');
}
