import type { Executor } from '../database/database.js';
import type { JobCause, JobKind } from './job.js';
import type { WrittenFile } from './files/stored-files.js';

/** How far a job is, in steps of its own. */
export interface Progress {
  done: number;
  total: number | null;
}

/** A job that a worker holds. Ids are UUIDs. */
export interface ClaimedJob {
  id: string;
  accountId: string;
  kind: JobKind;
  input: Record<string, unknown>;
  inputFileId: string | null;
  cause: JobCause;
  /** Begun so far, this one too. */
  attempts: number;
  /** Of the lease; another worker's has another one. */
  generation: number;
}

/** What a runner has made. */
export interface MadeResult {
  file: WrittenFile;
  mediaType: string;
  fileName: string;
  /** How many steps it were. */
  steps: number;
  summary?: Record<string, unknown>;
}

/** What a runner works with. */
export interface JobRun {
  job: ClaimedJob;
  /** Aborts when the job is cancelled, when another worker has it, and when the process ends. */
  signal: AbortSignal;
  /** May be called as often as there is progress. */
  report: (progress: Progress) => void;
  /**
   * Ends the job with its result: once, as the last thing, in the transaction of `executor` if the runner has changed
   * something in one. Rejects when the job is not this worker's any more; then that transaction must not commit.
   */
  succeed: (result: MadeResult, executor?: Executor) => Promise<void>;
}

/**
 * Does the jobs of one kind. It may be begun again from the start at any time, by any worker: what it changes, it changes
 * in the transaction in which it succeeds. What it throws as an `AppError` the client is told; anything else is tried
 * again a few times.
 */
export interface JobRunner {
  readonly kind: JobKind;
  run(run: JobRun): Promise<void>;
}

/** All runners of the service. */
export const JOB_RUNNERS = Symbol('job runners');
