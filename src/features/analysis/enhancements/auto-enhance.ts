import { Injectable } from '@nestjs/common';
import type { Person } from '../../access/auth/person.js';
import type { Plan } from '../../access/auth/plan.js';
import { systemContext } from '../../access/auth/request-context.js';
import {
  RunsInBackground,
  type BackgroundTask,
} from '../../../platform/background/background-tasks.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Config } from '../../../platform/config/config.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { Log } from '../../../platform/operation/log/log.js';
import { Quotas } from '../../usage/quotas.js';
import { AccountRulesService } from '../settings/account-rules.service.js';
import { effectiveSettings } from '../analyses/analysis-settings.js';
import { EnhancementOrders } from './enhancements.service.js';
import { EnhancementsRepository } from './enhancements.repository.js';
import type { EngineVersion } from '@document-service/text-analysis/analysis';

/** How long a document must rest before something is proposed for it. */
export const QUIET_MS = 5_000;
const BATCH = 50;

/** What is being proposed for a text that has changed since. */
const OUTDATED: Statement = {
  name: 'auto-enhance.outdated',
  text: `SELECT made.id, made.job_id AS "jobId"
           FROM due_enhancements AS due
           JOIN documents AS item ON item.id = due.document_id
           JOIN enhancements AS made ON made.document_id = due.document_id
          WHERE made.status = 'pending' AND made.automatic AND made.base_version < item.version LIMIT ${String(BATCH)}`,
};

/** The documents that have rested; those that went into the trash or changed their mind are told by null. */
const DUE: Statement = {
  name: 'auto-enhance.due',
  text: `SELECT due.document_id AS "documentId", due.account_id AS "accountId", due.changed_at AS "changedAt",
                item.version, octet_length(item.content) AS bytes, item.ai_settings::text AS "aiSettings", account.plan, author.id AS "authorId",
                author.name AS "authorName", author.email AS "authorEmail"
           FROM due_enhancements AS due
           JOIN accounts AS account ON account.id = due.account_id
           LEFT JOIN documents AS item ON item.id = due.document_id AND item.deleted_at IS NULL
            AND item.ai_settings ->> 'autoEnhance' = 'true'
           LEFT JOIN users AS author ON author.id = coalesce(item.version_author, item.created_by)
          WHERE due.changed_at <= $1 ORDER BY due.changed_at LIMIT ${String(BATCH)}`,
};

/** Unless it has changed again. */
const DONE: Statement = {
  name: 'auto-enhance.done',
  text: 'DELETE FROM due_enhancements WHERE document_id = $1 AND changed_at = $2 RETURNING document_id',
};

const POSTPONE: Statement = {
  name: 'auto-enhance.postpone',
  text: 'UPDATE due_enhancements SET changed_at = $3 WHERE document_id = $1 AND changed_at = $2',
};

interface DueDocument {
  documentId: string;
  accountId: string;
  changedAt: Date;
  plan: Plan;
  /** This and the following are null when nothing is to be proposed any more. */
  version: number | null;
  bytes: number;
  aiSettings: string;
  authorId: string;
  authorName: string;
  authorEmail: string;
}

/** Somebody else has done it, or the document has changed again. */
class NotDueAnyMore extends Error {}

/**
 * Orders what `aiSettings.autoEnhance` asks for, in the name of the service, once a document has rested: triggers note
 * that its text has changed, so that no write waits for this or fails by it.
 */
@RunsInBackground({ name: 'The proposing of enhancements', everyMs: 1_000 })
@Injectable()
export class AutoEnhance implements BackgroundTask {
  private readonly jobs: JobQueue;
  private readonly accounts: AccountRulesService;
  private readonly enhancements: EnhancementsRepository;
  private readonly orders: EnhancementOrders;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
    config: Config,
  ) {
    this.jobs = new JobQueue(database, clock);
    this.accounts = new AccountRulesService(database, config);
    this.enhancements = new EnhancementsRepository(database);
    const quotas = new Quotas(database, clock);
    this.orders = new EnhancementOrders(database, this.jobs, quotas, this.enhancements, clock);
  }

  async runBatch(): Promise<boolean> {
    await this.withdrawOutdated();
    const rested = new Date(this.clock.now().getTime() - QUIET_MS);
    const due = await this.database.run<DueDocument>(DUE, [rested]);
    for (const document of due) await this.propose(document);
    return due.length === BATCH;
  }

  private async withdrawOutdated(): Promise<void> {
    const outdated = await this.database.run<{ id: string; jobId: string }>(OUTDATED, []);
    for (const { id, jobId } of outdated) {
      await this.database.transaction(async () => {
        await this.jobs.withdraw(jobId);
        await this.enhancements.removePending(id);
      });
    }
  }

  private async propose(document: DueDocument): Promise<void> {
    const { engine } = await this.accounts.of(document.accountId);
    try {
      await this.database.transaction(async () => {
        if (document.version !== null) await this.order(document, document.version, engine);
        await this.settle(document);
      });
    } catch (error) {
      if (error instanceof NotDueAnyMore) return;
      if (!(error instanceof AppError) || !['forbidden', 'conflict'].includes(error.kind))
        throw error;
      const { documentId, changedAt } = document;
      const fields = { documentId: encodeId('document', documentId), reason: error.message };
      this.log.info(fields, 'Nothing is proposed for a document.');
      if (error.kind === 'forbidden') await this.database.run(DONE, [documentId, changedAt]);
      else await this.database.run(POSTPONE, [documentId, changedAt, this.clock.now()]);
    }
  }

  /** The last statement of its transaction: a write of the document waits for no more than the commit. */
  private async settle({ documentId, changedAt }: DueDocument): Promise<void> {
    const settled = await this.database.run(DONE, [documentId, changedAt]);
    if (settled.length === 0) throw new NotDueAnyMore();
  }

  private async order(
    document: DueDocument,
    version: number,
    engine: EngineVersion,
  ): Promise<void> {
    const { accountId, documentId, bytes, plan, aiSettings } = document;
    const { authorId: id, authorName: name, authorEmail: email } = document;
    const author: Person = { id, name, email };
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
      systemContext('service', accountId, author),
    );
  }
}
