import { Injectable } from '@nestjs/common';
import { auditRow, type AuditAction } from '../audit/audit-entry.js';
import type { Cause } from '../auth/cause.js';
import { Clock } from '../clock/clock.js';
import { requireMatch } from '../envelope/if-match.js';
import { AppError, notFound } from '../errors/app-error.js';
import type { EventType } from '../events/catalogue.js';
import { uuidOf } from '../identifiers/identifiers.js';
import { contended, MAX_ATTEMPTS, type Target } from './document-changes.service.js';
import { documentEvent, type PresentedDocument } from './document-events.js';
import { DocumentStore } from './document-store.js';
import { DocumentWrites, type Move } from './document-writes.js';
import { documentETag, presentDocument } from './document.presenter.js';
import type { Document } from './document.js';

/** How long a deleted document can be restored. */
export const TRASH_DAYS = 30;
export const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes documents into the trash, restores them, and removes them for good. */
@Injectable()
export class DocumentTrash {
  constructor(
    private readonly store: DocumentStore,
    private readonly writes: DocumentWrites,
    private readonly clock: Clock,
  ) {}

  /** Moves the document into the trash; returns until when it can be restored. Throws `not_found`, `precondition_failed`. */
  async delete({ id, ifMatch }: Target, cause: Cause): Promise<Date> {
    const now = this.clock.now();
    await this.write(id, cause, async ({ document, deletedAt }) => {
      if (deletedAt) throw notFound('document');
      requireMatch(ifMatch, { version: document.version, etag: documentETag(document) });
      const moved = {
        ...plan('document.delete', 'document.deleted', document, cause, now),
        deletedAt,
      };
      return this.writes.setDeleted(moved, now, cause.executor);
    });
    return new Date(now.getTime() + TRASH_DAYS * DAY_MS);
  }

  /** Removes the document and its versions, out of the trash too. Throws `not_found`, `precondition_failed`. */
  async remove({ id, ifMatch }: Target, cause: Cause): Promise<void> {
    const now = this.clock.now();
    await this.write(id, cause, async ({ document, deletedAt }) => {
      requireMatch(ifMatch, { version: document.version, etag: documentETag(document) });
      // Receivers were told when it went into the trash.
      const event = deletedAt ? undefined : 'document.deleted';
      const move = { ...plan('document.purge', event, document, cause, now), deletedAt };
      return this.writes.remove(move, cause.executor);
    });
  }

  /** Takes the document out of the trash as it was. Throws `not_found`, and `conflict` when it is not deleted. */
  async restore(id: string, cause: Cause): Promise<PresentedDocument> {
    const now = this.clock.now();
    return this.write(id, cause, async ({ document, deletedAt }) => {
      if (!deletedAt) throw notDeleted();
      if (deletedAt.getTime() + TRASH_DAYS * DAY_MS <= now.getTime()) throw notFound('document');
      const moved = {
        ...plan('document.restore', 'document.restored', document, cause, now),
        deletedAt,
      };
      return this.writes.setDeleted(moved, null, cause.executor);
    });
  }

  /** Reads and writes, again when another request came in between. */
  private async write(
    id: string,
    cause: Cause,
    move: (found: { document: Document; deletedAt: Date | null }) => Promise<boolean>,
  ): Promise<PresentedDocument> {
    const uuid = uuidOf('document', id);
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const found = await this.store.findAny(cause.principal.accountId, uuid, cause.executor);
      if (!found) throw notFound('document');
      if (await move(found)) {
        return { document: found.document, json: presentDocument(found.document) };
      }
    }
    throw contended();
  }
}

function plan(
  action: AuditAction,
  event: EventType | undefined,
  document: Document,
  cause: Cause,
  at: Date,
): Omit<Move, 'deletedAt'> {
  const presented = { document, json: presentDocument(document) };
  return {
    document,
    events: event ? [documentEvent(event, presented, at, cause)] : [],
    entry: auditRow({ action, resourceId: document.id, at, cause }),
  };
}

/** The answer to restoring what is not deleted. */
export function notDeleted(): AppError {
  return new AppError('conflict', 'This document is not deleted, so there is nothing to restore.');
}
