import type { Log } from '../../log/log.js';
import type { ClaimedJob, Progress } from '../job-runner.js';
import { LEASE_MS, type JobClaims } from './job-claims.js';

/** How often progress is written, where there is some. */
const BEAT_MS = 1_000;
const HOLD_AGAIN_MS = LEASE_MS / 3;

/** Why the work on a job was cut. */
export type Cut = 'lost' | 'stopping';

/** Keeps the lease of one job while it is worked on, writes its progress, and cuts the work when the job is lost. */
export class JobHold {
  progress: Progress = { done: 0, total: null };
  private readonly cutting = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private written: Progress = this.progress;
  private heldAt = performance.now();
  private beating: Promise<void> | undefined;

  constructor(
    private readonly job: ClaimedJob,
    private readonly claims: JobClaims,
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

  get reason(): Cut | undefined {
    return this.signal.aborted ? (this.signal.reason as Cut) : undefined;
  }

  cut(reason: Cut): void {
    if (!this.signal.aborted) this.cutting.abort(reason);
  }

  /** Looks now whether the job is still this worker's. */
  check(): void {
    this.heldAt = -Infinity;
    this.beat();
  }

  /** Resolves when nothing of it is under way any more. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
  }

  private beat(): void {
    const due = performance.now() - this.heldAt >= HOLD_AGAIN_MS;
    if (!due && this.progress === this.written) return;
    this.beating ??= this.hold().finally(() => (this.beating = undefined));
  }

  private async hold(): Promise<void> {
    const { progress } = this;
    const at = performance.now();
    try {
      if (await this.claims.hold(this.job, progress)) {
        this.heldAt = at;
        this.written = progress;
      } else this.cut('lost');
    } catch (error) {
      this.log.warn({ err: error, jobId: this.job.id }, 'The lease of a job could not be renewed.');
      // Another worker may have it by now; what this one would write counts no more.
      if (at - this.heldAt > LEASE_MS) this.cut('lost');
    }
  }
}
