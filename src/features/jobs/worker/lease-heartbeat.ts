import type { Log } from '../../../platform/operation/log.js';
import type { Progress } from '../job.js';
import { LEASE_MS, type ClaimedJob, type JobLeaseRepository } from './job-lease.repository.js';

/** Interval at which new progress is written. */
const BEAT_MS = 1_000;
const RENEW_AFTER_MS = LEASE_MS / 3;

/** Reason for aborting an attempt. */
type AbortReason = 'lost' | 'late' | 'stopping';

/** Renews the lease of a running job, writes its progress, and aborts it if the lease is lost. */
export class LeaseHeartbeat {
  progress: Progress = { done: 0, total: null };
  private readonly controller = new AbortController();
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

  /** Aborts with an {@link AbortReason}. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get abortReason(): AbortReason | undefined {
    return this.signal.aborted ? (this.signal.reason as AbortReason) : undefined;
  }

  abort(reason: AbortReason): void {
    if (!this.signal.aborted) this.controller.abort(reason);
  }

  /** Renews the lease now, to check whether this worker still holds it. */
  check(): void {
    this.renewedAt = Math.min(this.renewedAt, performance.now() - RENEW_AFTER_MS);
    this.beat();
  }

  /** Resolves when no renewal is in flight. */
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
      } else this.abort('lost');
    } catch (error) {
      this.log.warn({ err: error, jobId: this.job.id }, 'The lease of a job could not be renewed.');
      // By now, another worker may hold the lease.
      if (at - this.renewedAt > LEASE_MS) this.abort('lost');
    }
  }
}
