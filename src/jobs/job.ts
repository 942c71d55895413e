import type { Cause } from '../auth/cause.js';
import type { Scope } from '../auth/scopes.js';
import type { ErrorCode, ErrorDetails } from '../errors/app-error.js';

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Every kind of job with the permission that reading and cancelling it needs: the one its request needed. */
export const JOB_SCOPES = {
  'document.export': 'documents:read',
  'account.export': '*',
  'account.import': '*',
} as const satisfies Record<string, Scope>;
export type JobKind = keyof typeof JOB_SCOPES;
export const JOB_KINDS = Object.keys(JOB_SCOPES) as JobKind[];

/** What a job has made: a file that can be fetched until it expires. */
export interface JobResult {
  /** As they are fetched. */
  bytes: number;
  mediaType: string;
  fileName: string;
  /** ISO 8601. */
  expiresAt: string;
  /** A few numbers on what was done; null where the file says it all. */
  summary: Record<string, unknown> | null;
}

/** Why a job has failed, as in the failure envelope. */
export interface JobError {
  code: ErrorCode;
  message: string;
  details?: ErrorDetails | undefined;
}

/** A job as clients see it. Ids are UUIDs. */
export interface Job {
  id: string;
  accountId: string;
  kind: JobKind;
  status: JobStatus;
  done: number;
  /** Null until it is known. */
  total: number | null;
  result: JobResult | null;
  resultFileId: string | null;
  error: JobError | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** Who asked for a job, by which request. */
export type JobCause = Omit<Cause, 'executor' | 'caller'>;

/** Whether it has ended, in whatever way. */
export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}
