import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/auth/request-context.js';
import { DocumentsService } from '../../documents/documents.service.js';
import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import type { Job } from '../../jobs/job.js';
import { AccountRulesService } from '../account-rules.service.js';
import { AnalysisOrders } from '../analysis-orders.js';
import { effectiveSettings, type AnalysisWishes } from '../analysis-settings.js';
import { needsModel } from '../providers/offline/offline-provider.js';
import type { Goal } from '../providers/analysis-provider.js';
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
  ) {}

  /**
   * The UUID of an enhancement of the document as it is now, by its public id, and the job that makes it, which has ended
   * unless that takes long. Throws `not_found`, `bad_request` for goals that the account's provider does not have or that
   * say too little, and `forbidden` when the plan allows no more today.
   */
  async enhance(
    id: string,
    wishes: EnhancementWishes,
    context: RequestContext,
  ): Promise<{ enhancementId: string; job: Job }> {
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
    const { enhancementId, job } = await this.orders.order(
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
    const ended = await this.waits.waitedFor(job, bytes);
    return { enhancementId, job: ended };
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
