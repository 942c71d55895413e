import type { Log } from '../../../platform/operation/log.js';
import type { Progress } from '../job.js';
import { LEASE_MS, type ClaimedJob, type JobLeaseRepository } from './job-lease.repository.js';

/** How often progress is written, where there is some. */
const BEAT_MS = 1_000;
const RENEW_AFTER_MS = LEASE_MS / 3;

/** Why the work on a job was cut. */
type Cut = 'lost' | 'late' | 'stopping';

/** Keeps the lease of one job while it runs, writes its progress, and cuts the work when the lease is lost. */
export class LeaseHeartbeat {
  progress: Progress = { done: 0, total: null };
  private readonly cutting = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private written: Progress = this.progress;
  private renewedAt = performance.now();
  private renewing: Promise<void> | undefined;

  constructor(
    private readonly job: ClaimedJob,
    private readonly leases: JobLeaseRepository,
    private readonly log: Log,
  ) {
    this.timer = setInterval(() => {
      this.beat();
    }, BEAT_MS);
  }

  /** Aborts with a {@link Cut} as its reason. */
  get signal(): AbortSignal {
    return this.cutting.signal;
  }

  get cutBecause(): Cut | undefined {
    return this.signal.aborted ? (this.signal.reason as Cut) : undefined;
  }

  cut(reason: Cut): void {
    if (!this.signal.aborted) this.cutting.abort(reason);
  }

  /** Looks now whether the job is still this worker's. */
  check(): void {
    this.renewedAt = Math.min(this.renewedAt, performance.now() - RENEW_AFTER_MS);
    this.beat();
  }

  /** Resolves when no renewal is in flight any more. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.renewing;
  }

  private beat(): void {
    const due = performance.now() - this.renewedAt >= RENEW_AFTER_MS;
    if (!due && this.progress === this.written) return;
    this.renewing ??= this.renew().finally(() => (this.renewing = undefined));
  }

  private async renew(): Promise<void> {
    const { progress } = this;
    const at = performance.now();
    try {
      if (await this.leases.renew(this.job, progress)) {
        this.renewedAt = at;
        this.written = progress;
      } else this.cut('lost');
    } catch (error) {
      this.log.warn({ err: error, jobId: this.job.id }, 'The lease of a job could not be renewed.');
      // Another worker may have it by now; what this one would write counts no more.
      if (at - this.renewedAt > LEASE_MS) this.cut('lost');
    }
  }
}
