import { Injectable } from '@nestjs/common';
import { auditRow, insertAuditEntries } from '../audit/audit-entry.js';
import type { Cause } from '../auth/cause.js';
import { Clock } from '../clock/clock.js';
import { Database, type Statement } from '../database/database.js';
import { AppError } from '../errors/app-error.js';
import { JobList } from './job-list.js';

/** The worker that does the job hears of it by the job's id. */
const CANCEL: Statement = {
  name: 'jobs.cancel',
  text: `WITH cancelled AS (
      UPDATE jobs SET status = 'cancelled', finished_at = $3, lease_expires_at = NULL
       WHERE id = $1 AND account_id = $2 AND status IN ('queued', 'running')
      RETURNING id, input_file_id
    ), dropped AS (
      UPDATE stored_files SET expires_at = $3 WHERE id IN (SELECT input_file_id FROM cancelled)
    ), audited AS (${insertAuditEntries('$4', 'WHERE EXISTS (SELECT FROM cancelled)')})
    SELECT id, pg_notify('jobs', id::text) FROM cancelled`,
};

/** Cancels jobs: what they have begun is undone, and what they have written is removed. */
@Injectable()
export class JobCancelling {
  constructor(
    private readonly jobs: JobList,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Does nothing more when it is cancelled already. Throws `not_found`, `forbidden`, and `conflict` when it has ended. */
  async cancel(id: string, cause: Cause): Promise<void> {
    const job = await this.jobs.find(cause.principal, id);
    const now = this.clock.now();
    const entry = auditRow({ action: 'job.cancel', resourceId: job.id, at: now, cause });
    const values = [job.id, job.accountId, now, JSON.stringify([entry])];
    if ((await this.database.run(CANCEL, values)).length > 0) return;
    const { status } = await this.jobs.find(cause.principal, id);
    if (status !== 'cancelled') throw hasEnded(status);
  }
}

/** The answer to cancelling what is over. */
export function hasEnded(status: string): AppError {
  return new AppError('conflict', `This job has ${status} already, so it cannot be cancelled.`, {
    status,
  });
}
