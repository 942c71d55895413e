import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { JobDto, JobResultDto } from './dto/job.dto.js';
import type { FileResult, Job } from './job.js';

/** Returns the public fields of a job. */
export function presentJob(job: Job) {
  return {
    id: encodeId('job', job.id),
    kind: job.kind,
    status: job.status,
    progress: { done: job.done, total: job.total },
    result: job.resultFileId === null ? job.result : presentFile(job),
    error: job.error && { ...job.error, details: job.error.details ?? null },
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
  } satisfies JobDto;
}

/** Returns the path of the job. */
export function jobPath({ id }: Pick<Job, 'id'>): string {
  return `/v1/jobs/${encodeId('job', id)}`;
}

function presentFile(job: Job): JobResultDto {
  const { bytes, mediaType, fileName, expiresAt, summary } = job.result as unknown as FileResult;
  return { url: `${jobPath(job)}/result`, bytes, mediaType, fileName, expiresAt, summary };
}

/** Returns the 202 response for a request whose work continues in a job. */
export function jobResponse(job: Job): ApiResponse {
  return new ApiResponse(JSON.stringify(presentJob(job)), { job: jobPath(job) });
}
