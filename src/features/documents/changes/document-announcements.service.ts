import { Injectable } from '@nestjs/common';
import type { Right } from '../../auth/access/rights.js';
import type { RequestContext } from '../../auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { Database } from '../../../platform/database/database.js';
import type { EventType } from '../../events/catalogue/catalogue.js';
import { documentEvent } from '../model/document-events.js';
import { presentInParts } from '../document.presenter.js';
import { DocumentChangesRepository } from './document-changes.repository.js';

/** Emits events about documents that do not change, such as for a finished analysis. */
@Injectable()
export class DocumentAnnouncementsService {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentChangesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Emits an event with the current document and `data`, in the caller's transaction. `texts` replaces members
   * of `data` in full payloads. Throws `not_found` if the document is deleted or in the trash.
   */
  async announce(
    type: EventType,
    { documentId, context }: { documentId: string; context: RequestContext },
    data: Record<string, unknown>,
    texts: Record<string, unknown> = {},
  ): Promise<void> {
    await this.database.transaction(async () => {
      const document = await this.lock({ documentId, context });
      const presented = { document, json: presentInParts(document), texts };
      const event = documentEvent(type, presented, this.clock.now(), context, data);
      await this.documents.announce(documentId, event);
    });
  }

  /**
   * Locks the document until the caller's transaction ends. Call this before inserting rows that refer to the document.
   * Their foreign keys take a shared lock, and two transactions that both hold one would deadlock in {@link announce}.
   * Throws `not_found` if the document is deleted or in the trash, and `forbidden` without the required right.
   */
  async lock(
    { documentId, context: { access } }: { documentId: string; context: RequestContext },
    required: Right = 'viewer',
  ) {
    const found = await this.documents.lock(access, documentId);
    if (!found || found.deletedAt) throw notFound('document');
    access.requireRight(required, found.document.collectionId);
    return found.document;
  }
}
