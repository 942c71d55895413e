import { Inject, Injectable } from '@nestjs/common';
import { JOB_RUNNERS, type ClaimedJob, type JobRunner, type Progress } from '../job-runner.js';
import { JobSuccesses } from './job-successes.js';

/** Where the work of a job is done: in a thread of its own, or in this one (see `job-threads.ts`). */
export abstract class JobExecution {
  /** Resolves when the job has succeeded and that is written down. Rejects with what went wrong, also on `signal`. */
  abstract execute(
    job: ClaimedJob,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<void>;
}

/** Does jobs on this thread, by their runners. */
@Injectable()
export class DirectExecution extends JobExecution {
  constructor(
    @Inject(JOB_RUNNERS) private readonly runners: readonly JobRunner[],
    private readonly successes: JobSuccesses,
  ) {
    super();
  }

  async execute(
    job: ClaimedJob,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<void> {
    const runner = this.runners.find(({ kind }) => kind === job.kind);
    if (!runner) throw new Error(`No runner does ${job.kind}.`);
    const ending = { recorded: false };
    await runner.run({
      job,
      signal,
      report,
      succeed: async (result, executor) => {
        await this.successes.record(job, result, executor);
        ending.recorded = true;
      },
    });
    if (!ending.recorded) throw new Error(`The runner of ${job.kind} ended without a result.`);
  }
}
