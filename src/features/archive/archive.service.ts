import { Injectable } from '@nestjs/common';
import type { AuditInput } from '../audit/audit.repository.js';
import type { RequestContext } from '../access/auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database } from '../../platform/database/database.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { JobQueue } from '../jobs/job-queue.js';
import type { Job } from '../jobs/job.js';
import { StoredFiles, type WrittenFile } from '../jobs/stored-files.js';
import { requireEmpty } from './account-contents.js';
import { ACCOUNT_EXPORT } from './account-export.js';
import { ACCOUNT_IMPORT } from './account-import.js';

/** Orders exports and imports of whole accounts. */
@Injectable()
export class ArchiveService {
  constructor(
    private readonly queue: JobQueue,
    private readonly files: StoredFiles,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Throws `conflict` while an export of the account is under way. */
  async export(context: RequestContext): Promise<Job> {
    const { accountId } = context.principal;
    const at = this.clock.now();
    const entry = (jobId: string): AuditInput => {
      const details = { jobId: encodeId('job', jobId) };
      return { action: 'account.export', resourceId: accountId, at, context, details };
    };
    return this.queue.add({ kind: ACCOUNT_EXPORT, input: {}, entry }, context);
  }

  /** Throws `conflict` while an import of the account is under way, and when the account has documents. */
  async import(archive: WrittenFile, context: RequestContext): Promise<Job> {
    const { accountId } = context.principal;
    try {
      await requireEmpty(this.database, accountId);
      // What it brings is written to the audit log with it.
      return await this.queue.add(
        { kind: ACCOUNT_IMPORT, input: { bytes: archive.bytes }, inputFileId: archive.id },
        context,
      );
    } catch (error) {
      await this.files.drop(archive.id);
      throw error;
    }
  }
}
