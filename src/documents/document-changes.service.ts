import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../auth/request-context.js';
import { Clock } from '../clock/clock.js';
import { Database } from '../database/database.js';
import { requirePreconditions, type Preconditions } from '../envelope/preconditions.js';
import { notFound } from '../errors/app-error.js';
import { uuidOf } from '../identifiers/identifiers.js';
import { Quotas } from '../usage/quotas.js';
import { planChange, type StoredDocument, type WantedFields } from './document-change.js';
import { DocumentChangesRepository } from './document-changes.repository.js';
import type { PresentedDocument } from './document-events.js';
import { storedBytes } from './document-fields.js';
import { documentETag, presentInParts } from './document.presenter.js';
import type { ContentChange } from './long-texts/long-text-thread.js';
import { LongTexts } from './long-texts/long-texts.js';

/** What to make of a document as it is now. */
export interface Wanted {
  /** Whether it is the one that is meant; else it is `not_found`. */
  is?(document: StoredDocument): boolean;
  of(document: StoredDocument): WantedFields | Promise<WantedFields>;
  /** Whether that takes so long that nobody should wait for it. */
  takesLong?(document: StoredDocument): boolean;
}

/** Which document, and what the client says it must still be. */
export interface Target {
  id: string;
  preconditions: Preconditions;
}

/** What a change makes of one version of a document. */
interface WorkedOut {
  before: StoredDocument;
  fields: WantedFields;
  content: ContentChange | undefined;
}

/** How often long texts are worked on outside of the lock, while others change the document meanwhile. */
const MAX_ATTEMPTS = 3;

/** Changes documents: reads and locks one, works out what is wanted of it, and writes that, in one transaction. */
@Injectable()
export class DocumentChanges {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentChangesRepository,
    private readonly quotas: Quotas,
    private readonly clock: Clock,
    private readonly texts: LongTexts,
  ) {}

  /**
   * Makes one version with its events, or nothing when nothing changes. Throws `not_found`, `precondition_failed` when
   * the document is not what `preconditions` say, `forbidden` when the plan has no room for what it grows by, and what
   * `wanted` throws.
   */
  async change(
    target: Target,
    context: RequestContext,
    wanted: Wanted,
  ): Promise<PresentedDocument> {
    const { accountId } = context.principal;
    let workedOut: WorkedOut | undefined;
    for (let attempt = 1; ; attempt += 1) {
      // What takes long is worked out while the document is free, and counts if it is still the same when it is locked.
      const mayTakeLong = this.database.isInTransaction || attempt > MAX_ATTEMPTS;
      const outcome = await this.database.transaction(
        () => this.attempt(target, context, wanted, { workedOut, mayTakeLong }),
        context.caller,
        accountId,
      );
      if ('document' in outcome) return outcome;
      workedOut = await this.workOut(outcome.postponed, wanted, true);
    }
  }

  /** Locks what a transaction of several changes will change: the account before its documents, as each of them does. */
  async lock(ids: readonly string[], { principal }: RequestContext): Promise<void> {
    await this.quotas.holdDocuments(principal);
    await this.documents.lockAll(principal.accountId, ids);
  }

  private async attempt(
    target: Target,
    context: RequestContext,
    wanted: Wanted,
    { workedOut, mayTakeLong }: { workedOut: WorkedOut | undefined; mayTakeLong: boolean },
  ): Promise<PresentedDocument | { postponed: StoredDocument }> {
    const { principal } = context;
    const used = await this.quotas.holdDocuments(principal);
    const found = await this.documents.lock(principal.accountId, uuidOf('document', target.id));
    if (!found || found.deletedAt) throw notFound('document');
    const before = found.document;
    if (wanted.is && !wanted.is(before)) throw notFound('document');
    const { version } = before;
    requirePreconditions(target.preconditions, { version, etag: documentETag(before) });
    const known = workedOut?.before.version === version ? workedOut : undefined;
    const next = known ?? (await this.workOut(before, wanted, mayTakeLong));
    if (!next) return { postponed: before };
    const change = planChange(before, next.fields, next.content, context, this.clock.now());
    if (!change) return { document: before, json: presentInParts(before) };
    const { after, json } = change;
    used?.requireRoom({ documents: 0, bytes: storedBytes(after) - storedBytes(before) });
    await this.documents.update(change);
    return { document: after, json };
  }

  /** `undefined` when that takes long and must not. */
  private async workOut(
    before: StoredDocument,
    wanted: Wanted,
    mayTakeLong: boolean,
  ): Promise<WorkedOut | undefined> {
    if (!mayTakeLong && wanted.takesLong?.(before)) return undefined;
    const fields = await wanted.of(before);
    const { content = before.content } = fields;
    if (content === before.content) return { before, fields, content: undefined };
    if (!mayTakeLong && this.texts.changeTakesLong(before.content, content)) return undefined;
    const change = await this.texts.change(before.accountId, before.content, content);
    return { before, fields, content: change };
  }
}
