import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/request-context.js';
import { contentProblem } from '../../content/text-fields.js';
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
import {
  acceptSelected,
  applySelected,
  moved,
  rejectSelected,
  type Applied,
  type ApplySelection,
  type Selection,
} from './apply-suggestions.js';
import type { Suggestion } from './enhancement.js';
import {
  shownStatus,
  type AppliedSuggestions,
  type PreviewedEnhancement,
} from './enhancement.presenter.js';
import { EnhancementsService } from './enhancements.service.js';
import { EnhancementsRepository, type Enhancement } from './enhancements.repository.js';

/** The public ids of an enhancement and its document. */
interface ReviewTarget {
  id: string;
  enhancementId: string;
}

/** Finds and locks the document without changing it. */
const UNCHANGED = { fieldsFor: () => ({}) };

/**
 * Applies, accepts and rejects suggestions. Locks the document, then the enhancement. Each suggestion is therefore applied at most
 * once, and to the current text (docs/adr/0022-text-analysis-and-suggestions.md).
 */
@Injectable()
export class SuggestionReviewService {
  constructor(
    private readonly database: Database,
    private readonly changes: DocumentChangesService,
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
          const suggestions = await this.rebase(current, enhancement);
          const made = applySelected(current.content, suggestions, selection, current.version + 1);
          applied = made;
          if (made.applied.length === 0) return {};
          const issue = contentProblem(made.content);
          if (issue !== undefined) throw invalidFields([{ field: 'content', issue }]);
          const origin = {
            type: 'enhancement' as const,
            enhancementId: encodeId('enhancement', enhancement.id),
            suggestionIds: made.applied,
          };
          return { content: made.content, origin };
        },
      });
      const { suggestions = enhancement.suggestions, conflicts = [] } = applied ?? {};
      const decided = { suggestions, textVersion: document.version };
      await this.enhancements.decide(enhancement.id, decided, this.clock.now());
      return { document, conflicts };
    };
    const applied = await this.database.transaction(work, context.caller, accountId);
    return { ...applied, ...(await this.found.find(accountId, target.id, target.enhancementId)) };
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
      await this.changes.change({ id: target.id, preconditions: {} }, context, UNCHANGED);
      const { id, textVersion, ...enhancement } = await this.lock(target, context);
      const suggestions = acceptSelected(enhancement.suggestions, suggestionIds);
      const isChanged = suggestions.some(
        ({ status }, index) => status !== enhancement.suggestions[index]?.status,
      );
      if (!isChanged) return;
      await this.enhancements.decide(id, { suggestions, textVersion }, this.clock.now());
    };
    const { accountId } = context.principal;
    await this.database.transaction(work, context.caller, accountId);
    return this.found.find(accountId, target.id, target.enhancementId);
  }

  /**
   * Rejects suggestions and dismisses their findings. Throws `not_found`, `bad_request` for applied or unknown
   * suggestions, and `conflict` while the enhancement has no suggestions.
   */
  async reject(
    target: ReviewTarget,
    selection: Selection,
    context: RequestContext,
  ): Promise<PreviewedEnhancement> {
    const work = async () => {
      await this.changes.change({ id: target.id, preconditions: {} }, context, UNCHANGED);
      const enhancement = await this.lock(target, context);
      const { suggestions, rejected } = rejectSelected(enhancement.suggestions, selection);
      const { id, textVersion, documentId } = enhancement;
      await this.dismissals.add(documentId, rejected, context);
      await this.enhancements.decide(id, { suggestions, textVersion }, this.clock.now());
    };
    const { accountId } = context.principal;
    await this.database.transaction(work, context.caller, accountId);
    return this.found.find(accountId, target.id, target.enhancementId);
  }

  /** Locks the document, then the enhancement. Throws `not_found`, and `conflict` if it has no suggestions. */
  private async lock(
    { id, enhancementId }: ReviewTarget,
    context: RequestContext,
  ): Promise<Enhancement> {
    const documentId = uuidOf('document', id);
    await this.changes.lock([documentId], context);
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
