import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../audit/audit.repository.js';
import type { Access } from '../auth/access/access.js';
import { DocumentPlaces } from '../auth/access/document-places.js';
import type { RequestContext } from '../auth/request-context.js';
import type { Principal } from '../auth/principal.js';
import { requireScope } from '../auth/guards/scope.guard.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database } from '../../platform/database/database.js';
import { AppError, notFound } from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import type { CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import type { Page, PageRequest } from '../../platform/http/pagination/read-page.js';
import { canReadJob, jobReader } from './job-access.js';
import { JobRegistry } from './queue/job-registry.js';
import { JobRepository } from './job.repository.js';
import { hasEnded, type Job } from './job.js';
import { StoredFilesRepository } from './stored-files.repository.js';

/** Reads and cancels the jobs of an account that the caller's scopes allow. */
@Injectable()
export class JobsService {
  constructor(
    private readonly registry: JobRegistry,
    private readonly database: Database,
    private readonly jobs: JobRepository,
    private readonly files: StoredFilesRepository,
    private readonly clock: Clock,
    private readonly places: DocumentPlaces,
  ) {}

  list(
    access: Access,
    principal: Principal,
    request: PageRequest<CreationSort>,
  ): Promise<Page<Job>> {
    const kinds = this.registry.kindsVisibleTo(principal.scopes);
    const reader = jobReader(access, principal);
    return this.jobs.list({ accountId: access.accountId, kinds, reader }, request);
  }

  /**
   * Throws `not_found`, and `forbidden` if the caller lacks the scope of the job's kind. For a caller who does not see all
   * documents, jobs of others and of places that they no longer see are unknown.
   */
  async find(access: Access, principal: Principal, id: string): Promise<Job> {
    const job = await this.jobs.find(access.accountId, uuidOf('job', id));
    return this.visible(access, principal, job);
  }

  /**
   * Cancels a job, whose worker then undoes its work. Ignores a job that is already cancelled. Throws like {@link find},
   * and `conflict` if the job has finished.
   */
  async cancel(id: string, context: RequestContext): Promise<void> {
    const { access, principal, caller } = context;
    await this.database.transaction(async () => {
      const uuid = uuidOf('job', id);
      const found = await this.jobs.find(access.accountId, uuid, { forUpdate: true });
      const job = await this.visible(access, principal, found);
      if (job.status === 'cancelled') return;
      if (hasEnded(job)) throw alreadyEnded(job.status);
      const now = this.clock.now();
      await this.jobs.cancel(job.id, now);
      await this.files.setExpiry(job.inputFileId, now);
      await insertAuditEntry(this.database, {
        action: 'job.cancel',
        resourceId: job.id,
        at: now,
        context,
      });
    }, caller);
  }

  /** A kind that is no longer registered requires all scopes. */
  private async visible(access: Access, principal: Principal, job: Job | null): Promise<Job> {
    const { scope = '*', reads = 'account' } = this.registry.find(job?.kind ?? '')?.kind ?? {};
    const { places } = this;
    if (!job || !(await canReadJob({ access, principal, places }, job, reads))) {
      throw notFound('job');
    }
    requireScope(principal, scope);
    return job;
  }
}

export function alreadyEnded(status: string): AppError {
  return new AppError('conflict', `This job has already ${status} and cannot be cancelled.`, {
    status,
  });
}
