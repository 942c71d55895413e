import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { insertAuditEntry } from '../audit/audit.repository.js';
import type { RequestContext } from '../access/auth/request-context.js';
import type { Principal } from '../access/auth/principal.js';
import { requireScope } from '../access/auth/guards/scope.guard.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database } from '../../platform/database/database.js';
import { AppError, notFound } from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { BY_CREATION, type CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import { readPage, type Page, type PageRequest } from '../../platform/http/pagination/read-page.js';
import { JobEntity } from './entities/job.entity.js';
import { NOTIFY_CANCELLED } from './job-queue.js';
import { JobRegistry } from './job-registry.js';
import { hasEnded, type Job } from './job.js';
import { StoredFiles } from './stored-files.js';

/** Few enough to be counted: they go after 30 days. */
const VISIBLE = 'item.account_id = $1 AND item.kind = ANY ($2::text[])';
const LISTING = {
  name: 'jobs',
  table: 'jobs',
  where: VISIBLE,
  total: `SELECT count(*) AS n FROM jobs AS item WHERE ${VISIBLE}`,
  columns: 'item.id',
  sorts: BY_CREATION,
};

/** The jobs of an account, as far as the scopes of the caller go. */
@Injectable()
export class JobsService {
  constructor(
    private readonly registry: JobRegistry,
    private readonly database: Database,
    private readonly files: StoredFiles,
    private readonly clock: Clock,
  ) {}

  /** One page of the jobs that the caller may see. */
  async list(
    { accountId, scopes }: Principal,
    request: PageRequest<CreationSort>,
  ): Promise<Page<Job>> {
    const listing = { ...LISTING, values: [this.registry.namesVisibleTo(scopes)] };
    const { rows, pagination } = await readPage<{ id: string }, CreationSort>(
      this.database,
      listing,
      accountId,
      request,
    );
    const ids = rows.map(({ id }) => id);
    const jobs = await this.database.repository(JobEntity).findBy({ id: In(ids) });
    return {
      rows: ids.flatMap((id) => jobs.find((job) => job.id === id) ?? []),
      pagination,
    };
  }

  /** One job. Throws `not_found`, and `forbidden` when the caller lacks the scope of its kind. */
  async find(principal: Principal, id: string): Promise<Job> {
    return this.visible(principal, await this.load(principal, id));
  }

  /**
   * What it has begun is undone, and what it has written is removed. Does nothing to a job that is cancelled already.
   * Throws as {@link find} does, and `conflict` when it has ended.
   */
  async cancel(id: string, context: RequestContext): Promise<void> {
    await this.database.transaction(async () => {
      const job = this.visible(context.principal, await this.load(context.principal, id, true));
      if (job.status === 'cancelled') return;
      if (hasEnded(job)) throw alreadyEnded(job.status);
      const now = this.clock.now();
      const jobs = this.database.repository(JobEntity);
      await jobs.update(job.id, { status: 'cancelled', finishedAt: now, leaseExpiresAt: null });
      await this.files.keepUntil(job.inputFileId, now);
      await insertAuditEntry(this.database, {
        action: 'job.cancel',
        resourceId: job.id,
        at: now,
        context,
      });
      await this.database.run(NOTIFY_CANCELLED, [job.id]);
    }, context.caller);
  }

  private load({ accountId }: Principal, id: string, forUpdate = false): Promise<Job | null> {
    return this.database.repository(JobEntity).findOne({
      where: { id: uuidOf('job', id), accountId },
      ...(forUpdate && { lock: { mode: 'pessimistic_write' } }),
    });
  }

  /** A kind that no feature registers any more needs every scope. */
  private visible(principal: Principal, job: Job | null): Job {
    if (!job) throw notFound('job');
    requireScope(principal, this.registry.find(job.kind)?.kind.scope ?? '*');
    return job;
  }
}

/** The answer to cancelling what is over. */
export function alreadyEnded(status: string): AppError {
  return new AppError('conflict', `This job has ${status} already, so it cannot be cancelled.`, {
    status,
  });
}
