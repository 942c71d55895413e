import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Access } from '../../auth/access/access.js';
import { Database } from '../../../platform/database/database.js';
import { JobEntity } from '../entities/job.entity.js';
import type { JobRun } from '../queue/job-kind.js';
import { JobRegistry, JobRegistryModule } from '../queue/job-registry.js';
import type { Progress } from '../job.js';
import { StoredFilesModule } from '../stored-files.repository.js';
import { JobLeaseRepository, type ClaimedJob } from './job-lease.repository.js';

/** A claimed job with validated input. */
export type CheckedJob = ClaimedJob & { input: object };

/** Runs jobs on this thread. */
@Injectable()
export class JobExecution {
  constructor(
    private readonly registry: JobRegistry,
    private readonly leases: JobLeaseRepository,
    private readonly database: Database,
  ) {}

  /** Resolves once the success of the job is stored. */
  async execute(
    job: CheckedJob,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<void> {
    const found = this.registry.find(job.kind);
    if (!found) throw new Error(`No runner is registered for the job kind ${job.kind}.`);
    const { kind, runner } = found;
    let progress: Progress = { done: 0, total: null };
    const { id, accountId, input, inputFileId } = job;
    const context = { ...job.context, access: Access.ofService(accountId) };
    const run: JobRun = {
      ...{ id, accountId, input, inputFileId, context, signal },
      report: (made) => {
        progress = made;
        report(made);
      },
    };
    const work = async () => {
      const output = await runner.run(run);
      signal.throwIfAborted();
      await this.leases.succeed(job, output, progress);
    };
    await (kind.isAtomic === true ? this.database.transaction(work) : work());
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([JobEntity]), JobRegistryModule, StoredFilesModule],
  providers: [JobExecution, JobLeaseRepository],
  exports: [JobRegistryModule, JobExecution, JobLeaseRepository],
})
export class JobExecutionModule {}
