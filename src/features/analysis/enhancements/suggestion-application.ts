import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { DocumentChanges } from '../../documents/document-changes.service.js';
import { contentProblem } from '../../content/text-fields.js';
import type { Preconditions } from '../../../platform/http/envelope/preconditions.js';
import { AppError, invalidFields, notFound } from '../../../platform/basics/errors/app-error.js';
import { encodeId, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { shownStatus, type AppliedSuggestions } from './enhancement.presenter.js';
import { EnhancementsRepository, type Enhancement } from './enhancements.repository.js';
import { EnhancementsService } from './enhancements.service.js';
import { applySelected, type Applied, type ApplySelection } from './review.js';
import { SuggestionRebase } from './suggestion-rebase.js';

/** An enhancement and its document, by their public ids. */
export interface ReviewTarget {
  id: string;
  enhancementId: string;
}

/**
 * Applies suggestions. Whoever does has the document locked, then the enhancement, so that each suggestion is
 * applied once, and to the text as it is then.
 */
@Injectable()
export class SuggestionApplication {
  constructor(
    private readonly database: Database,
    private readonly changes: DocumentChanges,
    private readonly enhancements: EnhancementsRepository,
    private readonly rebase: SuggestionRebase,
    private readonly clock: Clock,
    private readonly found: EnhancementsService,
  ) {}

  /**
   * Makes one version of the document that holds the selected suggestions, with its events, or none when there is nothing
   * to apply any more. Throws as a change of a document does, `bad_request` for suggestions that cannot be applied, and
   * `conflict` while the enhancement has none.
   */
  async apply(
    { id, enhancementId }: ReviewTarget,
    selection: ApplySelection,
    preconditions: Preconditions,
    context: RequestContext,
  ): Promise<AppliedSuggestions> {
    const { accountId } = context.principal;
    const work = async () => {
      const target = { id, enhancementId };
      const enhancement = await lockEnhancement(this.changes, this.enhancements, target, context);
      let applied: Applied | undefined;
      const { document } = await this.changes.change({ id, preconditions }, context, {
        of: async (current) => {
          const suggestions = await this.rebase.onto(current, enhancement);
          const made = applySelected(current.content, suggestions, selection, current.version + 1);
          applied = made;
          if (made.applied.length === 0) return {};
          requireRoom(made.content);
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
    return { ...applied, ...(await this.found.find(accountId, id, enhancementId)) };
  }
}

/** The enhancement, with the document and then itself locked. Throws `not_found`, and `conflict` when it has no suggestions. */
export async function lockEnhancement(
  changes: DocumentChanges,
  enhancements: EnhancementsRepository,
  { id, enhancementId }: ReviewTarget,
  context: RequestContext,
): Promise<Enhancement> {
  const documentId = uuidOf('document', id);
  await changes.lock([documentId], context);
  const uuid = uuidOf('enhancement', enhancementId);
  const { accountId } = context.principal;
  const enhancement = await enhancements.lock(accountId, documentId, uuid);
  if (!enhancement) throw notFound('enhancement');
  if (enhancement.status === 'pending') throw notMade(shownStatus(enhancement) === 'failed');
  return enhancement;
}

function requireRoom(content: string): void {
  const issue = contentProblem(content);
  if (issue !== undefined) throw invalidFields([{ field: 'content', issue }]);
}

/** The answer to reviewing what has no suggestions yet, or never will. */
export function notMade(hasFailed: boolean): AppError {
  return new AppError(
    'conflict',
    hasFailed
      ? 'This enhancement could not be made, so it has no suggestions. Read it to see why, and ask for a new one.'
      : 'This enhancement is still being made. Follow its stream, or read it again, until it is proposed.',
    { status: hasFailed ? 'failed' : 'pending' },
  );
}
