import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import type { Right } from '../../auth/access/rights.js';
import { isSuccessorOf } from '../../auth/api-keys/key-succession.js';
import { requireScope } from '../../auth/guards/scope.guard.js';
import type { Principal } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { contentProblem } from '../../content/text-fields.js';
import { DocumentAnnouncementsService } from '../../documents/changes/document-announcements.service.js';
import { DocumentChangesService } from '../../documents/changes/document-changes.service.js';
import type { Document } from '../../documents/model/document-fields.js';
import { LongTextsService } from '../../content/long-texts/long-texts.service.js';
import { DocumentVersionsRepository } from '../../documents/versions/document-versions.repository.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { AppError, invalidFields, notFound } from '../../../platform/basics/errors/app-error.js';
import { encodeId, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../platform/database/database.js';
import type { Preconditions } from '../../../platform/http/envelope/preconditions.js';
import { DismissalsService } from '../analyses/dismissals.service.js';
import { currentFieldChanges, withFieldChanges } from '../proposals/field-changes.js';
import {
  acceptSelected,
  applySelected,
  moved,
  rejectSelected,
  type Applied,
  type ApplySelection,
  type Selection,
} from './apply-suggestions.js';
import { countsOf, type FieldChange, type Suggestion } from './enhancement.js';
import {
  shownStatus,
  type AppliedSuggestions,
  type PreviewedEnhancement,
} from './enhancement.presenter.js';
import { EnhancementsService } from './enhancements.service.js';
import {
  EnhancementsRepository,
  type Enhancement,
  type Reviewed,
} from './enhancements.repository.js';

/** The public ids of an enhancement and its document. */
interface ReviewTarget {
  id: string;
  enhancementId: string;
}

/**
 * Applies, accepts and rejects suggestions, and withdraws proposals. Locks the document, then the enhancement. Each
 * suggestion is therefore applied at most once, and to the current text (docs/adr/0022-text-analysis-and-suggestions.md).
 */
@Injectable()
export class SuggestionReviewService {
  constructor(
    private readonly database: Database,
    private readonly changes: DocumentChangesService,
    private readonly announcements: DocumentAnnouncementsService,
    private readonly versions: DocumentVersionsRepository,
    private readonly texts: LongTextsService,
    private readonly enhancements: EnhancementsRepository,
    private readonly dismissals: DismissalsService,
    private readonly clock: Clock,
    private readonly found: EnhancementsService,
  ) {}

  /**
   * Creates one version of the document that contains the selected suggestions, with its events. Creates no version if
   * there is nothing to apply. Throws the errors of a document change, `bad_request` for suggestions that cannot be
   * applied, and `conflict` while the enhancement has no suggestions.
   */
  async apply(
    target: ReviewTarget,
    selection: ApplySelection,
    preconditions: Preconditions,
    context: RequestContext,
  ): Promise<AppliedSuggestions> {
    const { accountId } = context.principal;
    const work = async () => {
      const enhancement = await this.lock(target, context);
      let applied: Applied | undefined;
      const { document } = await this.changes.change({ id: target.id, preconditions }, context, {
        fieldsFor: async (current) => {
          const changes = {
            suggestions: await this.rebase(current, enhancement),
            fieldChanges: currentFieldChanges(current, enhancement.fieldChanges),
          };
          const made = applySelected(current.content, changes, selection, current.version + 1);
          applied = made;
          if (made.applied.length === 0) return {};
          const issue = contentProblem(made.content);
          if (issue !== undefined) throw invalidFields([{ field: 'content', issue }]);
          const origin = {
            type: 'enhancement' as const,
            enhancementId: encodeId('enhancement', enhancement.id),
            suggestionIds: made.applied,
          };
          const ids = new Set(made.applied);
          const set = made.fieldChanges.filter((change) => ids.has(change.id));
          return { content: made.content, ...withFieldChanges(current, set), origin };
        },
      });
      const { suggestions, fieldChanges, conflicts } = applied ?? { ...enhancement, conflicts: [] };
      const decided = { suggestions, fieldChanges, textVersion: document.version };
      await this.decide(enhancement, decided, context);
      return { document, conflicts };
    };
    const applied = await this.database.transaction(work, context.caller, accountId);
    return {
      ...applied,
      ...(await this.found.find(context.access, target.id, target.enhancementId)),
    };
  }

  /**
   * Marks suggestions as accepted without changing the document: its text already contains them. Throws `not_found`,
   * `bad_request` for rejected or unknown suggestions, and `conflict` while the enhancement has no suggestions.
   */
  async accept(
    target: ReviewTarget,
    suggestionIds: readonly string[],
    context: RequestContext,
  ): Promise<PreviewedEnhancement> {
    const work = async () => {
      const enhancement = await this.lock(target, context);
      const before = changesOf(enhancement);
      const after = acceptSelected(before, suggestionIds);
      const isChanged = after.some(({ status }, index) => status !== before[index]?.status);
      if (isChanged) await this.decide(enhancement, reviewed(enhancement, after), context);
    };
    const { accountId } = context.principal;
    await this.database.transaction(work, context.caller, accountId);
    return this.found.find(context.access, target.id, target.enhancementId);
  }

  /**
   * Rejects suggestions and dismisses their findings. Throws `not_found`, `forbidden` without the scope
   * `documents:write` for proposals and `documents:analyze` for generated suggestions, `bad_request` for applied or
   * unknown suggestions, and `conflict` while the enhancement has no suggestions.
   */
  async reject(
    target: ReviewTarget,
    selection: Selection,
    context: RequestContext,
  ): Promise<PreviewedEnhancement> {
    const work = async () => {
      const enhancement = await this.lock(target, context);
      const { isProposal } = enhancement;
      requireScope(context.principal, isProposal ? 'documents:write' : 'documents:analyze');
      const { suggestions, rejected } = rejectSelected(changesOf(enhancement), selection);
      await this.dismissals.add(enhancement.documentId, rejected, context);
      await this.decide(enhancement, reviewed(enhancement, suggestions), context);
      if (isProposal && rejected.length > 0) {
        await this.audit('enhancement.reject', enhancement, context, rejected.length);
      }
    };
    const { accountId } = context.principal;
    await this.database.transaction(work, context.caller, accountId);
    return this.found.find(context.access, target.id, target.enhancementId);
  }

  /**
   * Makes the open changes of a proposal stale, so that they can be proposed again. Throws `not_found`, and `forbidden`
   * unless the same key, one that it replaced or the same person sent the proposal.
   */
  async withdraw(target: ReviewTarget, context: RequestContext): Promise<PreviewedEnhancement> {
    const work = async () => {
      const enhancement = await this.lock(target, context, 'viewer');
      if (!(await this.isSentBy(context.principal, enhancement))) throw notYours();
      if (!enhancement.isOpenProposal) return;
      const changes = changesOf(enhancement);
      const after = changes.map((change) =>
        change.status === 'open' ? { ...change, status: 'stale' as const } : change,
      );
      await this.decide(enhancement, reviewed(enhancement, after), context, true);
      const open = countsOf(changes).open;
      await this.audit('enhancement.withdraw', enhancement, context, open);
    };
    const { accountId } = context.principal;
    await this.database.transaction(work, context.caller, accountId);
    return this.found.find(context.access, target.id, target.enhancementId);
  }

  /** True if the key, one that it replaced, or the person sent the proposal. People own what their keys sent. */
  private async isSentBy(
    principal: Principal,
    { isProposal, keyId, authorId }: Enhancement,
  ): Promise<boolean> {
    if (!isProposal) return false;
    if (principal.kind === 'person') return principal.user.id === authorId;
    if (principal.kind !== 'key' || keyId === null) return false;
    return principal.keyId === keyId || (await isSuccessorOf(this.database, principal, keyId));
  }

  /** Stores the review states. Emits `proposal.decided` if they close an open proposal. */
  private async decide(
    { id, documentId, isOpenProposal }: Enhancement,
    decided: Reviewed,
    context: RequestContext,
    withdrawn = false,
  ): Promise<void> {
    await this.enhancements.decide(id, decided, this.clock.now());
    const { open, ...counts } = countsOf(changesOf(decided));
    if (!isOpenProposal || open > 0) return;
    const proposal = { id: encodeId('enhancement', id), ...counts, withdrawn };
    await this.announcements.announce('proposal.decided', { documentId, context }, { proposal });
  }

  private async audit(
    action: 'enhancement.reject' | 'enhancement.withdraw',
    { id, documentId }: Enhancement,
    context: RequestContext,
    suggestions: number,
  ): Promise<void> {
    await insertAuditEntry(this.database, {
      action,
      resourceId: id,
      at: this.clock.now(),
      context,
      details: { documentId: encodeId('document', documentId), suggestions },
    });
  }

  /**
   * Locks the document, then the enhancement. Throws `not_found`, `forbidden` without the required right, and `conflict`
   * if it has no suggestions.
   */
  private async lock(
    { id, enhancementId }: ReviewTarget,
    context: RequestContext,
    required: Right = 'editor',
  ): Promise<Enhancement> {
    const documentId = uuidOf('document', id);
    await this.changes.lock([documentId], context);
    // An enhancement of a document that the caller cannot see must not be found first.
    await this.announcements.lock({ documentId, context }, required);
    const uuid = uuidOf('enhancement', enhancementId);
    const { accountId } = context.principal;
    const enhancement = await this.enhancements.lock(accountId, documentId, uuid);
    if (!enhancement) throw notFound('enhancement');
    if (enhancement.status === 'pending') throw notMade(shownStatus(enhancement) === 'failed');
    return enhancement;
  }

  /** Moves open suggestions to their ranges in the current text. They become stale if their passage has changed. */
  private async rebase(
    { accountId, id: documentId, version, content }: Document,
    { suggestions, textVersion }: Enhancement,
  ): Promise<Suggestion[]> {
    const open = suggestions.filter(({ status }) => status === 'open');
    if (textVersion === version || open.length === 0) return [...suggestions];
    const base = await this.versions.find({ accountId, id: documentId }, textVersion);
    const before = open.map(({ start, end }) => ({ start, end }));
    const ranges = base ? await this.texts.rebase(accountId, base.content, content, before) : [];
    const rangeOf = new Map(open.map(({ id }, index) => [id, ranges[index] ?? null]));
    return moved(suggestions, content, ({ id, original }) => {
      const range = rangeOf.get(id) ?? null;
      return range && content.slice(range.start, range.end) === original ? range : null;
    });
  }
}

/** Returns the suggestions and field changes in one list. */
function changesOf({
  suggestions,
  fieldChanges,
}: Pick<Reviewed, 'suggestions' | 'fieldChanges'>): (Suggestion | FieldChange)[] {
  return [...suggestions, ...fieldChanges];
}

/** Splits the list of {@link changesOf} again. */
function reviewed(
  { textVersion }: Enhancement,
  changes: readonly (Suggestion | FieldChange)[],
): Reviewed {
  return {
    textVersion,
    suggestions: changes.filter((change) => 'replacements' in change),
    fieldChanges: changes.filter((change) => 'field' in change),
  };
}

/** Returns the error for withdrawing what somebody else sent. */
export function notYours(): AppError {
  return new AppError(
    'forbidden',
    'Only the key or the person that sent a proposal can withdraw it. With the scope documents:write, you can reject it.',
  );
}

/** Error for reviewing an enhancement that is in progress or has failed. */
export function notMade(hasFailed: boolean): AppError {
  return new AppError(
    'conflict',
    hasFailed
      ? 'This enhancement failed, so it has no suggestions. Read it to see why, then request a new one.'
      : 'This enhancement is still in progress. Follow its stream, or read it again until its status is proposed.',
    { status: hasFailed ? 'failed' : 'pending' },
  );
}
