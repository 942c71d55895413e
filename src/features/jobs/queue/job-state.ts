import type { ErrorCode, ErrorDetails } from '../../../platform/basics/errors/app-error.js';
import type { RequestContext } from '../../auth/request-context.js';

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** The error of a failed job, as in the failure envelope. */
export interface JobError {
  code: ErrorCode;
  message: string;
  details?: ErrorDetails | undefined;
}

/** The principal and request that created a job. */
export type JobContext = Omit<RequestContext, 'access' | 'caller'>;
