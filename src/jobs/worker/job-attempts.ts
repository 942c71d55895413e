import { Injectable } from '@nestjs/common';
import { encodeId } from '../../identifiers/identifiers.js';
import { Log } from '../../log/log.js';
import type { ClaimedJob } from '../job-runner.js';
import type { JobKind } from '../job.js';
import { outcomeOf } from './attempt-outcome.js';
import { JobClaims } from './job-claims.js';
import { JobExecution } from './job-execution.js';
import { JobHold } from './job-hold.js';

/** The jobs that this process works on. */
@Injectable()
export class JobAttempts {
  private readonly holds = new Map<string, JobHold>();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly claims: JobClaims,
    private readonly execution: JobExecution,
    private readonly log: Log,
  ) {}

  get underWay(): number {
    return this.running.size;
  }

  /** Begins a job, if one is due, and calls `ended` when it has ended. Rejects with the pg error. */
  async begin(kinds: readonly JobKind[], ended: () => void): Promise<ClaimedJob | undefined> {
    const job = await this.claims.claim(kinds);
    if (!job) return undefined;
    const attempt = this.attempt(job).finally(() => {
      this.running.delete(attempt);
      ended();
    });
    this.running.add(attempt);
    return job;
  }

  /** Ends jobs that took their workers with them too often. */
  giveUp(): Promise<void> {
    return this.claims.giveUp();
  }

  /** Looks whether a job was cancelled. */
  check(id: string): void {
    this.holds.get(id)?.check();
  }

  /** Cuts what is under way; other workers go on with it. */
  async stop(): Promise<void> {
    for (const hold of this.holds.values()) hold.cut('stopping');
    await Promise.all(this.running);
  }

  /** Never rejects: what could not be written down is done again when the lease has ended. */
  private async attempt(job: ClaimedJob): Promise<void> {
    const hold = new JobHold(job, this.claims, this.log);
    this.holds.set(job.id, hold);
    const fields = { jobId: encodeId('job', job.id), kind: job.kind, attempt: job.attempts };
    try {
      await this.execution.execute(job, hold.signal, (progress) => (hold.progress = progress));
      this.log.info(fields, 'job succeeded');
    } catch (error) {
      await this.settle(job, hold, error, fields).catch((reason: unknown) => {
        this.log.warn({ ...fields, err: reason }, 'The end of a job could not be written.');
      });
    } finally {
      await hold.end();
      this.holds.delete(job.id);
    }
  }

  private async settle(
    job: ClaimedJob,
    hold: JobHold,
    error: unknown,
    fields: object,
  ): Promise<void> {
    switch (hold.reason) {
      case 'lost':
        this.log.info(fields, 'job cancelled or taken over');
        return;
      case 'stopping':
        await this.claims.release(job);
        this.log.info(fields, 'job released');
        return;
      case undefined: {
        const outcome = outcomeOf(error, job.attempts);
        if ('failed' in outcome) {
          const cause = outcome.failed.code === 'INTERNAL_ERROR' ? { err: error } : {};
          this.log.info({ ...fields, code: outcome.failed.code, ...cause }, 'job failed');
          await this.claims.fail(job, outcome.failed);
        } else {
          this.log.warn({ ...fields, err: error }, 'An attempt of a job failed; it is made again.');
          await this.claims.retry(job, outcome.retryInMs);
        }
      }
    }
  }
}
