import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/auth/request-context.js';
import { DocumentsService } from '../../documents/documents.service.js';
import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { hasEnded } from '../../jobs/job.js';
import { AccountRulesService } from '../account-rules.service.js';
import { AnalysisOrders } from '../analysis-orders.js';
import { effectiveSettings, type AnalysisWishes } from '../analysis-settings.js';
import { needsModel } from '../providers/offline/offline-provider.js';
import type { Goal } from '../providers/analysis-provider.js';
import type { RequestedEnhancement } from './enhancement.presenter.js';
import { EnhancementsService } from './enhancements.service.js';
import { EnhancementOrders } from './enhancement-orders.js';

/** What a client may ask of one enhancement. */
export interface EnhancementWishes extends AnalysisWishes {
  goals?: Goal[] | undefined;
  instructions?: string | undefined;
  tone?: string | undefined;
  targetLanguage?: string | undefined;
}

/** Has changes of documents proposed for who asks for them. */
@Injectable()
export class EnhancementRequests {
  constructor(
    private readonly documents: DocumentsService,
    private readonly accounts: AccountRulesService,
    private readonly orders: EnhancementOrders,
    private readonly waits: AnalysisOrders,
    private readonly enhancements: EnhancementsService,
  ) {}

  /**
   * Orders an enhancement of the document's current version and waits for it, unless it takes long. Throws `not_found`,
   * `bad_request` for goals that the account's provider does not support or that lack a detail, and `forbidden` when the
   * plan's daily quota is used up.
   */
  async enhance(
    id: string,
    wishes: EnhancementWishes,
    context: RequestContext,
  ): Promise<RequestedEnhancement> {
    const { accountId } = context.principal;
    const document = await this.documents.find(accountId, id);
    const { provider, engine } = await this.accounts.of(accountId);
    const { goals = ['correct'], instructions = null, tone, targetLanguage } = wishes;
    const beyond = goals.filter((goal) => goal !== 'correct');
    if (provider === 'offline' && beyond.length > 0) throw needsModel(beyond);
    requireDetails(goals, wishes);
    const settings = {
      ...effectiveSettings(wishes, document.aiSettings),
      tone: tone ?? null,
      targetLanguage: targetLanguage ?? null,
    };
    const bytes = Buffer.byteLength(document.content);
    const ordered = await this.orders.order(
      {
        documentId: document.id,
        version: document.version,
        bytes,
        goals,
        instructions,
        settings,
        automatic: false,
        engine,
        payer: context.principal,
      },
      context,
    );
    const job = await this.waits.waitedFor(ordered.job, bytes);
    const enhancementId = encodeId('enhancement', ordered.enhancementId);
    if (!hasEnded(job)) return { enhancementId, job };
    const made = await this.enhancements.find(accountId, id, enhancementId);
    return { enhancementId, job, made };
  }
}

/** Some goals say nothing by themselves. */
function requireDetails(goals: readonly Goal[], wishes: EnhancementWishes): void {
  const needed: Partial<Record<Goal, 'tone' | 'targetLanguage' | 'instructions'>> = {
    tone: 'tone',
    translate: 'targetLanguage',
    custom: 'instructions',
  };
  const problems = goals.flatMap((goal): FieldProblem[] => {
    const field = needed[goal];
    if (field === undefined || (wishes[field] ?? '').trim() !== '') return [];
    return [{ field, issue: `required field missing: the goal ${goal} needs it` }];
  });
  const [first, ...rest] = problems;
  if (first) throw invalidFields([first, ...rest]);
}
