import type { Job, JobError, JobKind, JobResult, JobStatus } from './job.js';

/** A row of `jobs` with what clients may see of it. */
export interface JobRow {
  id: string;
  account_id: string;
  kind: JobKind;
  status: JobStatus;
  done: string;
  steps: string | null;
  /** JSON text. */
  result: string | null;
  result_file_id: string | null;
  /** JSON text. */
  error: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export const JOB_COLUMNS = `item.id, item.account_id, item.kind, item.status, item.done, item.total AS steps, item.result,
  item.result_file_id, item.error, item.created_at, item.started_at, item.finished_at`;

/** The job of a row. */
export function fromRow(row: JobRow): Job {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    status: row.status,
    done: Number(row.done),
    total: row.steps === null ? null : Number(row.steps),
    result: row.result === null ? null : (JSON.parse(row.result) as JobResult),
    resultFileId: row.result_file_id,
    error: row.error === null ? null : (JSON.parse(row.error) as JobError),
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}
