import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../auth/request-context.js';
import { Clock } from '../clock/clock.js';
import { Coalescer, type Outcome } from '../database/coalescer.js';
import { Database } from '../database/database.js';
import { requirePreconditions, type Preconditions } from '../envelope/preconditions.js';
import { AppError, notFound } from '../errors/app-error.js';
import { uuidOf } from '../identifiers/identifiers.js';
import { limitsDocuments } from '../usage/document-claim.js';
import { Quotas } from '../usage/quotas.js';
import { planChange, type DocumentChange, type StoredDocument } from './document-change.js';
import {
  DocumentChangesRepository,
  type DocumentReference,
  type FoundDocument,
} from './document-changes.repository.js';
import type { PresentedDocument } from './document-events.js';
import { storedBytes, type DocumentFields } from './document-fields.js';
import { documentETag, presentInParts } from './document.presenter.js';
import type { ContentChange } from './long-texts/long-text-thread.js';
import { LongTexts } from './long-texts/long-texts.js';

/** What to make of a document as it is now. */
export interface Wanted {
  of(document: StoredDocument): Partial<DocumentFields> | Promise<Partial<DocumentFields>>;
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
  fields: Partial<DocumentFields>;
  content: ContentChange | undefined;
}

interface ChangeRequest {
  reference: DocumentReference;
  preconditions: Preconditions;
  context: RequestContext;
  wanted: Wanted;
}

/** What a change came to: done, or not yet because it takes long. */
type Progress = PresentedDocument | { postponed: StoredDocument };

/** A change that is checked, and still to be written unless nothing changes. */
type Checked =
  { postponed: StoredDocument } | { document: PresentedDocument; change?: DocumentChange };

/** How often long texts are worked on outside of the lock, while others change the document meanwhile. */
const MAX_ATTEMPTS = 3;

/** Most contents that changes of one transaction have in memory together, in UTF-16 units. */
const MAX_SHARED_LENGTH = 1024 ** 2;

/**
 * Changes documents: reads and locks one, works out what is wanted of it, and writes that, in one transaction. Changes
 * of one moment share a transaction (docs/adr/0031-changing-documents.md).
 */
@Injectable()
export class DocumentChanges {
  private readonly shared: Coalescer<ChangeRequest, Progress | undefined>;

  constructor(
    private readonly database: Database,
    private readonly documents: DocumentChangesRepository,
    private readonly quotas: Quotas,
    private readonly clock: Clock,
    private readonly texts: LongTexts,
  ) {
    const inOneTransaction = (batch: ChangeRequest[]) =>
      this.database.transaction(() => this.changeTogether(batch));
    this.shared = new Coalescer(inOneTransaction, {
      maxBatch: 32,
      maxInFlight: 4,
      isolateFailures: true,
    });
  }

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
    const { accountId, plan } = context.principal;
    const reference = { accountId, id: uuidOf('document', target.id) };
    const request = { reference, preconditions: target.preconditions, context, wanted };
    const shares = !this.database.isInTransaction && !limitsDocuments(plan);
    let progress = shares ? await this.shared.submit(request) : undefined;
    for (let attempt = 1; ; attempt += 1) {
      if (progress && 'document' in progress) return progress;
      // What takes long is worked out while the document is free, and counts if it is still the same when it is locked.
      const workedOut = progress && (await this.workOut(progress.postponed, wanted, true));
      const mayTakeLong = this.database.isInTransaction || attempt > MAX_ATTEMPTS;
      progress = await this.database.transaction(
        () => this.changeAlone(request, workedOut, mayTakeLong),
        context.caller,
        accountId,
      );
    }
  }

  /** Locks what a transaction of several changes will change: the account before its documents, as each of them does. */
  async lock(ids: readonly string[], { principal }: RequestContext): Promise<void> {
    await this.quotas.holdDocuments(principal);
    await this.documents.lockAll(principal.accountId, ids);
  }

  private async changeAlone(
    request: ChangeRequest,
    workedOut: WorkedOut | undefined,
    mayTakeLong: boolean,
  ): Promise<Progress> {
    const used = await this.quotas.holdDocuments(request.context.principal);
    const found = await this.documents.lock(request.reference);
    const checked = await this.check(request, found, workedOut, mayTakeLong);
    if ('postponed' in checked) return checked;
    const { change, document } = checked;
    if (change) {
      const { before, after } = change;
      used?.requireRoom({ documents: 0, bytes: storedBytes(after) - storedBytes(before) });
      await this.documents.update([change]);
    }
    return document;
  }

  /**
   * One change of each document that nobody else is changing. `undefined` for the others, which wait for their document
   * in a transaction of their own and so hold up nobody.
   */
  private async changeTogether(
    requests: readonly ChangeRequest[],
  ): Promise<Outcome<Progress | undefined>[]> {
    const found = await this.documents.lockFree(requests.map(({ reference }) => reference));
    const free = new Map(found.map((one) => [keyOf(one.document), one]));
    const changes: DocumentChange[] = [];
    const outcomes: Outcome<Progress | undefined>[] = [];
    let length = 0;
    for (const request of requests) {
      const key = keyOf(request.reference);
      const next = length < MAX_SHARED_LENGTH ? free.get(key) : undefined;
      if (!next) {
        outcomes.push({ result: undefined });
        continue;
      }
      free.delete(key);
      length += next.document.content.length;
      try {
        const checked = await this.check(request, next, undefined, false);
        if ('document' in checked && checked.change) changes.push(checked.change);
        outcomes.push({ result: 'document' in checked ? checked.document : checked });
      } catch (error) {
        // Anything else, such as a version that could not be read, has ended the transaction.
        if (!(error instanceof AppError)) throw error;
        outcomes.push({ error });
      }
    }
    if (changes.length > 0) await this.documents.update(changes);
    return outcomes;
  }

  private async check(
    { preconditions, context, wanted }: ChangeRequest,
    found: FoundDocument | undefined,
    workedOut: WorkedOut | undefined,
    mayTakeLong: boolean,
  ): Promise<Checked> {
    if (!found || found.deletedAt) throw notFound('document');
    const before = found.document;
    const { version } = before;
    requirePreconditions(preconditions, { version, etag: documentETag(before) });
    const known = workedOut?.before.version === version ? workedOut : undefined;
    const next = known ?? (await this.workOut(before, wanted, mayTakeLong));
    if (!next) return { postponed: before };
    const change = planChange(before, next.fields, next.content, context, this.clock.now());
    if (!change) return { document: { document: before, json: presentInParts(before) } };
    return { document: { document: change.after, json: change.json }, change };
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

function keyOf({ accountId, id }: DocumentReference): string {
  return accountId + id;
}
