import type { JobEntity } from './entities/job.entity.js';

/** How long the file that a job has made can be fetched. */
export const RESULT_MS = 3 * 24 * 60 * 60 * 1000;

/** A job as it is kept. */
export type Job = JobEntity;

/** How far a job is, in steps of its own. */
export interface Progress {
  done: number;
  /** Null until it is known. */
  total: number | null;
}

/** What is told of a file that a job has made. */
export interface FileResult {
  /** As they are fetched. */
  bytes: number;
  mediaType: string;
  fileName: string;
  /** ISO 8601. */
  expiresAt: string;
  /** A few numbers on what was done; null where the file says it all. */
  summary: Record<string, unknown> | null;
}

/** Whether it has ended, in whatever way. */
export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}
