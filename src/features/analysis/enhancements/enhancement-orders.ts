import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { isMissingReference } from '../../../platform/basics/errors/database-error.js';
import { newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { JobQueue } from '../../jobs/job-queue.js';
import type { Job } from '../../jobs/job.js';
import { laneOf } from '../../../platform/threads/lanes.js';
import { Quotas, type Owner } from '../../usage/quotas.js';
import type { EngineVersion } from '@document-service/text-analysis/analysis';
import type { Goal } from '../providers/analysis-provider.js';
import type { EnhancementSettings } from './enhancement.js';
import { ENHANCE_DOCUMENT } from './enhance-document.js';
import { EnhancementsRepository } from './enhancements.repository.js';

/** What is to be proposed, for which version of which document. */
export interface EnhancementOrder {
  documentId: string;
  version: number;
  /** UTF-8 bytes of the content. */
  bytes: number;
  goals: readonly Goal[];
  instructions: string | null;
  settings: EnhancementSettings;
  automatic: boolean;
  engine: EngineVersion;
  /** Whose analyses of the day it takes one of. */
  payer: Owner;
}

/** Orders enhancements: each counts against the plan's analyses of the day. */
@Injectable()
export class EnhancementOrders {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly quotas: Quotas,
    private readonly enhancements: EnhancementsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The UUID of the new enhancement and the job that makes it, which commit together. Throws `not_found`, `forbidden` when the plan
   * allows no more today, and `conflict` when too many of the account's jobs wait.
   */
  async order(
    { documentId, version, bytes, engine, payer, goals, ...order }: EnhancementOrder,
    context: RequestContext,
  ): Promise<{ enhancementId: string; job: Job }> {
    const { accountId, user } = context.principal;
    const ordered = async () => {
      const enhancementId = newUuid();
      const job = await this.jobs.add(
        {
          kind: ENHANCE_DOCUMENT,
          input: { documentId, enhancementId },
          isLong: laneOf(bytes) === 'long',
          admit: () => this.quotas.countToday(payer, 'analysesPerDay', 1),
        },
        context,
      );
      await this.enhancements.insert({
        ...order,
        goals: [...goals],
        id: enhancementId,
        accountId,
        documentId,
        jobId: job.id,
        baseVersion: version,
        engine,
        createdBy: user.id,
        createdAt: this.clock.now(),
      });
      return { enhancementId, job };
    };
    return this.database.transaction(ordered, context.caller).catch((error: unknown) => {
      // The document was removed for good meanwhile.
      throw isMissingReference(error) ? notFound('document') : error;
    });
  }
}
