import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../access/auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import type { EventType } from '../events/catalogue/catalogue.js';
import { insertEvents } from '../events/outbox.js';
import { DocumentChangesRepository } from './document-changes.repository.js';
import { documentEvent } from './document-events.js';
import { presentInParts } from './document.presenter.js';
import { DocumentsRepository } from './documents.repository.js';

const EMIT: Statement = {
  name: 'documents.announce',
  text: insertEvents('$1', '', 'SELECT id, content FROM documents WHERE id = $2'),
};

/** Events about a document that change nothing of it, such as that it was analysed. */
@Injectable()
export class DocumentAnnouncements {
  private readonly documents: DocumentChangesRepository;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.documents = new DocumentChangesRepository(database, new DocumentsRepository(database));
  }

  /**
   * Emits an event with the document as it is now, and `data` beside it, with the caller's transaction. Throws
   * `not_found` when the document is gone or in the trash.
   */
  async announce(
    type: EventType,
    { documentId, context }: { documentId: string; context: RequestContext },
    data: Record<string, unknown>,
  ): Promise<void> {
    await this.database.transaction(async () => {
      const document = await this.lock({ documentId, context });
      const presented = { document, json: presentInParts(document) };
      const event = documentEvent(type, presented, this.clock.now(), context, data);
      await this.database.run(EMIT, [JSON.stringify([event]), documentId]);
    });
  }

  /**
   * Locks the document until the caller's transaction ends. Call it before writing rows that refer to the document: their
   * foreign keys share its lock, and two transactions that share it would each wait for the other's share to announce.
   * Throws `not_found` when the document is gone or in the trash.
   */
  async lock({ documentId, context }: { documentId: string; context: RequestContext }) {
    const found = await this.documents.lock(context.principal.accountId, documentId);
    if (!found || found.deletedAt) throw notFound('document');
    return found.document;
  }
}
