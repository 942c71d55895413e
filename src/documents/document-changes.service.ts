import { Injectable } from '@nestjs/common';
import type { Cause } from '../auth/cause.js';
import { Clock } from '../clock/clock.js';
import type { Executor } from '../database/database.js';
import { WritersInTurn } from '../database/writers-in-turn.js';
import { requirePreconditions, type Preconditions } from '../envelope/preconditions.js';
import { notFound } from '../errors/app-error.js';
import { uuidOf } from '../identifiers/identifiers.js';
import { holdDocumentQuota } from '../usage/quotas.js';
import { planChange, type StoredDocument } from './document-change.js';
import type { DocumentFields } from './document-fields.js';
import type { PresentedDocument } from './document-events.js';
import { DocumentStore } from './document-store.js';
import { DocumentWrites } from './document-writes.js';
import { documentETag, presentInParts } from './document.presenter.js';
import type { ContentChange } from './long-texts/long-text-thread.js';
import { LongTexts } from './long-texts/long-texts.js';

/** What to make of a document as it is now. */
export type Wanted = (
  document: StoredDocument,
) => Partial<DocumentFields> | Promise<Partial<DocumentFields>>;

/** Which document, and what the client says it must still be. */
export interface Target {
  id: string;
  preconditions: Preconditions;
}

/** Changes documents: what is wanted is worked out from the document as it is, and written only if it still is so. */
@Injectable()
export class DocumentChanges {
  constructor(
    private readonly store: DocumentStore,
    private readonly writes: DocumentWrites,
    private readonly writers: WritersInTurn,
    private readonly clock: Clock,
    private readonly texts: LongTexts,
  ) {}

  /**
   * Makes one version with its events, or nothing when nothing changes. Throws `not_found`, `precondition_failed` when
   * the document is not what `preconditions` say, `forbidden` when the plan has no room for what it grows by, and what
   * `wanted` throws.
   */
  async change(target: Target, cause: Cause, wanted: Wanted): Promise<PresentedDocument> {
    const id = uuidOf('document', target.id);
    return this.writers.write(id, cause, async (executor) => {
      await holdDocumentQuota({ ...cause, executor });
      const before = await this.read(id, cause, executor);
      requirePreconditions(target.preconditions, {
        version: before.version,
        etag: documentETag(before),
      });
      const fields = await wanted(before);
      const content = await this.contentChange(before, fields);
      const change = planChange(before, fields, content, cause, this.clock.now());
      if (!change) return { document: before, json: presentInParts(before) };
      const { after, json } = change;
      return (await this.writes.update(change, { ...cause, executor }))
        ? { document: after, json }
        : undefined;
    });
  }

  private async contentChange(
    { accountId, content: before }: StoredDocument,
    { content: after = before }: Partial<DocumentFields>,
  ): Promise<ContentChange | undefined> {
    return before === after ? undefined : this.texts.change(accountId, before, after);
  }

  private async read(
    id: string,
    { principal }: Cause,
    executor: Executor | undefined,
  ): Promise<StoredDocument> {
    const document = await this.store.findForChange(principal.accountId, id, executor);
    if (!document) throw notFound('document');
    return document;
  }
}
