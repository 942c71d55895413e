import { Injectable } from '@nestjs/common';
import type { Cause } from '../auth/cause.js';
import { Clock } from '../clock/clock.js';
import { Turns } from '../database/turns.js';
import { requireMatch, type IfMatch } from '../envelope/if-match.js';
import { AppError, notFound } from '../errors/app-error.js';
import { uuidOf } from '../identifiers/identifiers.js';
import { holdDocumentQuota } from '../usage/quotas.js';
import { planChange, type DocumentFields, type StoredDocument } from './document-change.js';
import type { PresentedDocument } from './document-events.js';
import { DocumentStore } from './document-store.js';
import { DocumentWrites } from './document-writes.js';
import { documentETag, presentDocument } from './document.presenter.js';

/** Reading and writing again after another process was faster. */
export const MAX_ATTEMPTS = 20;

/** What to make of a document as it is now. */
export type Wanted = (
  document: StoredDocument,
) => Partial<DocumentFields> | Promise<Partial<DocumentFields>>;

/** Which document, and what the client says it must still be. */
export interface Target {
  id: string;
  ifMatch: IfMatch;
}

/**
 * Changes documents so that no writer's change is lost: what is wanted is worked out from the document as it is, and
 * written only if it still is so; otherwise both are done again.
 */
@Injectable()
export class DocumentChanges {
  private readonly turns = new Turns();

  constructor(
    private readonly store: DocumentStore,
    private readonly writes: DocumentWrites,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one version with its events, or nothing when nothing changes. Throws `not_found`, `precondition_failed` when
   * the document is not what `ifMatch` says, `forbidden` when the plan has no room for what it grows by, and what
   * `wanted` throws.
   */
  async change({ id, ifMatch }: Target, cause: Cause, wanted: Wanted): Promise<PresentedDocument> {
    const uuid = uuidOf('document', id);
    const attempt = () => this.attempt(uuid, ifMatch, cause, wanted);
    await holdDocumentQuota(cause);
    // In a transaction the row is locked instead: waiting for a turn with a lock in hand could be for ever.
    return cause.executor ? attempt() : this.turns.take(uuid, attempt);
  }

  private async attempt(
    id: string,
    ifMatch: IfMatch,
    cause: Cause,
    wanted: Wanted,
  ): Promise<PresentedDocument> {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const { accountId } = cause.principal;
      const before = await this.store.findForChange(accountId, id, cause.executor);
      if (!before) throw notFound('document');
      requireMatch(ifMatch, { version: before.version, etag: documentETag(before) });
      const change = planChange(before, await wanted(before), cause, this.clock.now());
      if (!change) return { document: before, json: presentDocument(before) };
      if (await this.writes.update(change, cause.executor)) {
        return { document: change.after, json: change.json };
      }
    }
    throw contended();
  }
}

/** The answer to a change that others were faster than, again and again. */
export function contended(): AppError {
  return new AppError(
    'unavailable',
    'Too many clients change this document at once. Try again shortly; nothing was changed.',
    undefined,
    { retryAfterSeconds: 1 },
  );
}
