import { Injectable } from '@nestjs/common';
import type { AuditInput } from '../audit/audit.repository.js';
import type { RequestContext } from '../auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { JobQueue } from '../jobs/queue/job-queue.js';
import type { Job } from '../jobs/job.js';
import { StoredFilesRepository, type WrittenFile } from '../jobs/stored-files.repository.js';
import { ArchiveRepository } from './archive.repository.js';
import { requireEmpty, ACCOUNT_IMPORT } from './import/account-import.js';
import { ACCOUNT_EXPORT } from './account-export.js';

/** Starts exports and imports of accounts. */
@Injectable()
export class ArchiveService {
  constructor(
    private readonly queue: JobQueue,
    private readonly files: StoredFilesRepository,
    private readonly store: ArchiveRepository,
    private readonly clock: Clock,
  ) {}

  /** Starts an export. Throws `conflict` while another export of the account is running. */
  async export(context: RequestContext): Promise<Job> {
    const { accountId } = context.principal;
    const at = this.clock.now();
    const entry = (jobId: string): AuditInput => {
      const details = { jobId: encodeId('job', jobId) };
      return { action: 'account.export', resourceId: accountId, at, context, details };
    };
    return this.queue.add({ kind: ACCOUNT_EXPORT, input: {}, entry }, context);
  }

  /** Starts an import. Throws `conflict` while another import is running, or if the account is not empty. */
  async import(archive: WrittenFile, context: RequestContext): Promise<Job> {
    const { accountId } = context.principal;
    try {
      await requireEmpty(this.store, accountId);
      // The import writes its own audit entry.
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
