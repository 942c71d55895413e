import { MAX_CONTENT_BYTES } from '../content/text-fields.js';
import type { TextEdit } from '../content/text-edits.js';
import type { PatchDocumentDto, ReplaceDocumentDto } from './dto/write-document.dto.js';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../access/auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database } from '../../platform/database/database.js';
import {
  requirePreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { Quotas } from '../usage/quotas.js';
import { editedFields, patchedFields, replacedFields } from './apply-patch.js';
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
}

/** Which document, and what the client says it must still be. */
export interface Target {
  id: string;
  preconditions: Preconditions;
}

/** How often a change is worked out while others may change the document too, before it is locked. */
const MAX_FREE_ATTEMPTS = 2;

/**
 * Changes documents: reads one, works out what is wanted of it, and writes that if the document is still the same. One
 * that others keep changing meanwhile is locked first.
 */
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
    const id = uuidOf('document', target.id);
    const free = this.database.isInTransaction ? 0 : MAX_FREE_ATTEMPTS;
    const seen = { renames: false };
    for (let attempt = 1; attempt <= free; attempt += 1) {
      const found = await this.documents.find(accountId, id);
      const changed = await this.attempt(found, target, context, wanted, seen);
      if (changed) return changed;
    }
    const locked = await this.database.transaction(
      async () => {
        // The account before its documents, as everybody does who locks both.
        if (seen.renames) await this.quotas.lockDocuments(context.principal);
        else await this.quotas.holdDocuments(context.principal);
        const found = await this.documents.lock(accountId, id);
        return this.attempt(
          found?.deletedAt ? undefined : found?.document,
          target,
          context,
          wanted,
          seen,
        );
      },
      context.caller,
      accountId,
    );
    if (!locked) throw new Error('A document was changed although it was locked.');
    return locked;
  }

  /** Applies a merge patch. Throws as {@link change} does, and as {@link patchedFields} does. */
  async patch(target: Target, body: PatchDocumentDto, context: RequestContext) {
    return this.change(target, context, { of: (document) => patchedFields(document, body) });
  }

  /** Replaces all fields. Throws as {@link change} does, and `conflict` for an illegal status. */
  async replace(target: Target, body: ReplaceDocumentDto, context: RequestContext) {
    return this.change(target, context, { of: (document) => replacedFields(document, body) });
  }

  /** Edits parts of the content. Throws as {@link change} does, and `unprocessable` for an edit that does not apply. */
  async edit(target: Target, edits: readonly TextEdit[], context: RequestContext) {
    return this.change(target, context, {
      of: async ({ accountId, content }) =>
        editedFields(await this.texts.edited(accountId, content, edits, MAX_CONTENT_BYTES)),
    });
  }

  /**
   * Locks the account's documents against whoever gives them other external ids, under every plan. For a transaction that
   * may do so for several, before it looks for documents by their external ids.
   */
  async lockAccount({ principal }: RequestContext): Promise<void> {
    await this.quotas.lockDocuments(principal);
  }

  /** Locks what a transaction of several changes will change: the account before its documents, as each of them does. */
  async lock(ids: readonly string[], { principal }: RequestContext): Promise<void> {
    await this.quotas.holdDocuments(principal);
    await this.documents.lockAll(principal.accountId, ids);
  }

  /** `undefined` when the document is another one by the time it is written. Notes in `seen` whether its external id changes. */
  private async attempt(
    before: StoredDocument | undefined,
    target: Target,
    context: RequestContext,
    wanted: Wanted,
    seen: { renames: boolean },
  ): Promise<PresentedDocument | undefined> {
    if (!before || wanted.is?.(before) === false) throw notFound('document');
    const { version } = before;
    requirePreconditions(target.preconditions, { version, etag: documentETag(before) });
    const fields = await wanted.of(before);
    const content = await this.contentChange(before, fields);
    const change = planChange(before, fields, content, context, this.clock.now());
    if (!change) return { document: before, json: presentInParts(before) };
    const { after, json } = change;
    seen.renames ||= change.changes.includes('externalId');
    const growth = { documents: 0, bytes: storedBytes(after) - storedBytes(before) };
    const isWritten = await this.quotas.whereDocumentsFit(
      context,
      () => growth,
      () => this.documents.update(change),
      // Two changes may each want the external id that the other one gives up.
      { locked: seen.renames },
    );
    return isWritten ? { document: after, json } : undefined;
  }

  private async contentChange(
    { accountId, content: before }: StoredDocument,
    { content = before }: WantedFields,
  ): Promise<ContentChange | undefined> {
    return content === before ? undefined : this.texts.change(accountId, before, content);
  }
}
