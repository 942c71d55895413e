import type { JobEntity } from './entities/job.entity.js';

/** How long the result file of a job can be fetched. */
export const RESULT_MS = 3 * 24 * 60 * 60 * 1000;

/** How many days a finished job can be read. */
export const JOB_DAYS = 30;

/** A stored job. */
export type Job = JobEntity;

/** Progress of a job, in steps that its kind defines. */
export interface Progress {
  done: number;
  /** Null until the number is known. */
  total: number | null;
}

/** Metadata of the result file of a job. */
export interface FileResult {
  /** Uncompressed. */
  bytes: number;
  mediaType: string;
  fileName: string;
  /** ISO 8601. */
  expiresAt: string;
  /** Figures about the work, or null. */
  summary: Record<string, unknown> | null;
}

/** True if the job has succeeded, failed or been cancelled. */
export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}
