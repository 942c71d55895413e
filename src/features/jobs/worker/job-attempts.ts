import { Injectable } from '@nestjs/common';
import { TimeLimit } from '../../../platform/basics/clock/time-limit.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { Log } from '../../../platform/operation/log.js';
import { traced } from '../../../platform/operation/tracing.js';
import { lanesOf, type JobKind, type JobLane } from '../queue/job-kind.js';
import { JobRegistry } from '../queue/job-registry.js';
import type { JobError } from '../queue/job-state.js';
import { JobCrash, outcomeOf } from './attempt-outcome.js';
import { JobExecution, type CheckedJob } from './job-execution.js';
import { JobLeaseRepository, type ClaimedJob } from './job-lease.repository.js';
import { GRACE_PERIOD_MS, JobThreads } from './job-threads.js';
import { LeaseHeartbeat } from './lease-heartbeat.js';

interface Attempt {
  kind: string;
  isLong: boolean;
  heartbeat: LeaseHeartbeat;
  ended: Promise<void>;
}

export const ATTEMPT_RESULTS = ['succeeded', 'failed', 'retry'] as const;
type AttemptResult = (typeof ATTEMPT_RESULTS)[number];

/** Receives the result of an attempt, or `undefined` if it was aborted or its result could not be stored. */
type OnEnd = (kind: string, result: AttemptResult | undefined) => void;

/** Attempts at jobs in this process. */
@Injectable()
export class JobAttempts {
  /** By the UUID of the job. */
  private readonly inFlight = new Map<string, Attempt>();

  constructor(
    private readonly registry: JobRegistry,
    private readonly leases: JobLeaseRepository,
    private readonly execution: JobExecution,
    private readonly threads: JobThreads,
    private readonly log: Log,
  ) {}

  /** Starts at most one due job per lane with free capacity. Returns true if it started any. Calls `onEnd` after each one. */
  async startDue(onEnd: OnEnd): Promise<boolean> {
    const running = ({ kind: { name }, isLong }: JobLane) =>
      [...this.inFlight.values()].filter((one) => one.kind === name && one.isLong === isLong)
        .length;
    const free = this.registry.kinds
      .flatMap(lanesOf)
      .filter((lane) => running(lane) < lane.concurrency);
    if (free.length === 0) return false;
    const jobs = await this.leases.claim(free);
    for (const job of jobs) {
      const lane = free.find(({ kind }) => kind.name === job.kind);
      if (lane) this.start(job, lane.kind, onEnd);
    }
    return jobs.length > 0;
  }

  check(id: string): void {
    this.inFlight.get(id)?.heartbeat.check();
  }

  /** Aborts and releases all jobs, which other workers then run. */
  async stop(): Promise<void> {
    const attempts = [...this.inFlight.values()];
    for (const { heartbeat } of attempts) heartbeat.abort('stopping');
    await Promise.all(attempts.map((attempt) => attempt.ended));
  }

  private start(job: ClaimedJob, kind: JobKind, onEnd: OnEnd): void {
    const heartbeat = new LeaseHeartbeat(job, this.leases, this.log);
    const ended = this.attempt(job, kind, heartbeat).then((result) => {
      this.inFlight.delete(job.id);
      onEnd(kind.name, result);
    });
    this.inFlight.set(job.id, { kind: kind.name, isLong: job.isLong, heartbeat, ended });
  }

  /**
   * Never rejects. Resolves with `undefined` if the attempt was aborted or its result could not be stored. Another worker
   * then runs the job again after the lease expires.
   */
  private async attempt(
    job: ClaimedJob,
    kind: JobKind,
    heartbeat: LeaseHeartbeat,
  ): Promise<AttemptResult | undefined> {
    const fields = { jobId: encodeId('job', job.id), kind: job.kind, attempt: job.attempts };
    this.log.info(fields, 'job started');
    const limit = new TimeLimit(kind.limits.timeLimitMs, () => {
      heartbeat.abort('late');
    });
    try {
      await traced(
        `job ${job.kind}`,
        { 'document_service.job_id': fields.jobId, 'document_service.attempt': job.attempts },
        () => this.execute(job, kind, heartbeat),
      );
      this.log.info(fields, 'job succeeded');
      return 'succeeded';
    } catch (error) {
      return await this.handleFailure(job, kind, heartbeat, error).catch((reason: unknown) => {
        this.log.warn({ ...fields, err: reason }, 'The result of a job could not be stored.');
        return undefined;
      });
    } finally {
      limit.clear();
      await heartbeat.end();
    }
  }

  private async execute(job: ClaimedJob, kind: JobKind, heartbeat: LeaseHeartbeat): Promise<void> {
    const { success, data, error } = kind.input.safeParse(job.input);
    if (!success) throw new InvalidInput(job.kind, error.issues);
    const checked: CheckedJob = { ...job, input: data };
    const report = (progress: LeaseHeartbeat['progress']) => (heartbeat.progress = progress);
    const { signal } = heartbeat;
    if (this.threads.runs(kind)) return this.threads.execute(checked, signal, report);
    return abandonedAfterAbort(signal, this.execution.execute(checked, signal, report));
  }

  private async handleFailure(
    job: ClaimedJob,
    kind: JobKind,
    { abortReason }: LeaseHeartbeat,
    error: unknown,
  ): Promise<AttemptResult | undefined> {
    const fields = { jobId: encodeId('job', job.id), kind: job.kind, attempt: job.attempts };
    if (abortReason === 'lost') {
      this.log.info(fields, 'job cancelled or taken over');
      return undefined;
    }
    if (abortReason === 'stopping') {
      await this.leases.release(job);
      this.log.info(fields, 'job released');
      return undefined;
    }
    if (error instanceof InvalidInput) {
      this.log.error({ ...fields, err: error }, 'job failed: invalid stored input');
      await this.leases.fail(job, error.jobError, job.crashes);
      return 'failed';
    }
    const seconds = Math.round(kind.limits.timeLimitMs / 1000);
    const cause =
      abortReason === 'late'
        ? new JobCrash(`ran for longer than ${String(seconds)} s`, { cause: error })
        : error;
    const outcome = outcomeOf(cause, job, kind.limits.maxAttempts);
    if ('retryInMs' in outcome) {
      this.log.warn({ ...fields, err: cause }, 'An attempt at a job failed and will be retried.');
      await this.leases.retry(job, outcome.retryInMs, outcome.crashes);
      return 'retry';
    }
    const { code, details } = outcome.failed;
    const isOurs = code === 'INTERNAL_ERROR';
    const message = details?.['quarantined'] === true ? 'job quarantined' : 'job failed';
    this.log[isOurs ? 'error' : 'info'](
      { ...fields, code, ...(isOurs && { err: cause }) },
      message,
    );
    await this.leases.fail(job, outcome.failed, outcome.crashes);
    return 'failed';
  }
}

/** The stored input does not match the current schema of its kind, so a retry would fail too. */
class InvalidInput extends Error {
  constructor(kind: string, issues: readonly { path: PropertyKey[]; message: string }[]) {
    const problems = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    super(`The input of this job does not match its kind ${kind}: ${problems}.`);
  }

  get jobError(): JobError {
    return { code: 'INTERNAL_ERROR', message: `${this.message} Start a new job.` };
  }
}

/** Abandons a runner that ignores its signal. It can no longer store a success. */
function abandonedAfterAbort(signal: AbortSignal, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let limit: TimeLimit | undefined;
    const abandon = () => {
      limit = new TimeLimit(GRACE_PERIOD_MS, () => {
        reject(new Error('The runner did not stop when its job was aborted.'));
      });
    };
    signal.addEventListener('abort', abandon, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abandon);
      limit?.clear();
    });
  });
}
