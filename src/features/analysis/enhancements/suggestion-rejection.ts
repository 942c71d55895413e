import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { DocumentChanges } from '../../documents/document-changes.service.js';
import { DismissalsService } from '../dismissals.service.js';
import { EnhancementsRepository } from './enhancements.repository.js';
import type { PreviewedEnhancement } from './enhancement.presenter.js';
import { EnhancementsService } from './enhancements.service.js';
import { rejectSelected, type Selection } from './review.js';
import { lockEnhancement, type ReviewTarget } from './suggestion-application.js';

/** Finds the document, and locks it. */
const UNCHANGED = { of: () => ({}) };

/** Rejects suggestions, which do not come back for the same sentence. */
@Injectable()
export class SuggestionRejection {
  constructor(
    private readonly database: Database,
    private readonly changes: DocumentChanges,
    private readonly enhancements: EnhancementsRepository,
    private readonly dismissals: DismissalsService,
    private readonly clock: Clock,
    private readonly found: EnhancementsService,
  ) {}

  /** Throws `not_found`, `bad_request` for what was applied or is none, and `conflict` when there are no suggestions. */
  async reject(
    target: ReviewTarget,
    selection: Selection,
    context: RequestContext,
  ): Promise<PreviewedEnhancement> {
    const work = async () => {
      await this.changes.change({ id: target.id, preconditions: {} }, context, UNCHANGED);
      const { changes, enhancements } = this;
      const enhancement = await lockEnhancement(changes, enhancements, target, context);
      const { suggestions, rejected } = rejectSelected(enhancement.suggestions, selection);
      const { id, textVersion, documentId } = enhancement;
      await this.dismissals.add(documentId, rejected, context);
      await enhancements.decide(id, { suggestions, textVersion }, this.clock.now());
    };
    const { accountId } = context.principal;
    await this.database.transaction(work, context.caller, accountId);
    return this.found.find(accountId, target.id, target.enhancementId);
  }
}
