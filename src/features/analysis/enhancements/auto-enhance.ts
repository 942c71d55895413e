import { Injectable } from '@nestjs/common';
import type { EngineVersion } from '@document-service/text-analysis/analysis';
import { systemContext } from '../../auth/request-context.js';
import { JobQueue } from '../../jobs/queue/job-queue.js';
import {
  RunsInBackground,
  type BackgroundTask,
} from '../../../platform/background/background-tasks.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../platform/database/database.js';
import { Log } from '../../../platform/operation/log.js';
import { effectiveSettings } from '../analyses/analysis-settings.js';
import { AccountRulesService } from '../settings/account-settings.service.js';
import { DUE_BATCH, EnhancementsRepository, type DueDocument } from './enhancements.repository.js';
import { EnhancementOrdersService } from './enhancements.service.js';

/** Time without changes before a document is enhanced automatically, in ms. */
const QUIET_MS = 5_000;

/** Another worker handled the document, or it has changed again. */
class NoLongerDueError extends Error {}

/**
 * Starts the enhancements that `aiSettings.autoEnhance` requests, once a document has not changed for a while. Database
 * triggers record changes of the text, so document writes neither wait for this task nor fail because of it.
 */
@RunsInBackground({ name: 'Automatic enhancement', everyMs: 1_000 })
@Injectable()
export class AutoEnhance implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly accounts: AccountRulesService,
    private readonly enhancements: EnhancementsRepository,
    private readonly orders: EnhancementOrdersService,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async runBatch(): Promise<boolean> {
    await this.withdrawOutdated();
    const quietSince = new Date(this.clock.now().getTime() - QUIET_MS);
    const due = await this.enhancements.due(quietSince);
    for (const document of due) await this.enhance(document);
    return due.length === DUE_BATCH;
  }

  private async withdrawOutdated(): Promise<void> {
    for (const { id, jobId } of await this.enhancements.outdated()) {
      await this.database.transaction(async () => {
        await this.jobs.cancel(jobId);
        await this.enhancements.removePending(id);
      });
    }
  }

  private async enhance(document: DueDocument): Promise<void> {
    const { engine } = await this.accounts.forAccount(document.accountId);
    try {
      await this.database.transaction(async () => {
        if (document.version !== null) await this.order(document, document.version, engine);
        // Run this last, so that a write of the document waits only for the commit.
        if (!(await this.enhancements.removeDue(document))) throw new NoLongerDueError();
      });
    } catch (error) {
      if (error instanceof NoLongerDueError) return;
      if (!(error instanceof AppError) || !['forbidden', 'conflict'].includes(error.kind))
        throw error;
      const documentId = encodeId('document', document.documentId);
      this.log.info({ documentId, reason: error.message }, 'Skipped automatic enhancement.');
      if (error.kind === 'forbidden') await this.enhancements.removeDue(document);
      else await this.enhancements.postponeDue(document, this.clock.now());
    }
  }

  private async order(
    document: DueDocument,
    version: number,
    engine: EngineVersion,
  ): Promise<void> {
    const { accountId, documentId, bytes, plan, aiSettings } = document;
    const { authorId: id, authorName: name, authorEmail: email } = document;
    await this.orders.order(
      {
        documentId,
        version,
        bytes,
        goals: ['correct'],
        instructions: null,
        settings: { ...effectiveSettings({}, aiSettings), tone: null, targetLanguage: null },
        automatic: true,
        engine,
        payer: { accountId, plan },
      },
      systemContext('service', accountId, { id, name, email }),
    );
  }
}
