import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { Database, type Executor, type Statement } from '../../database/database.js';
import type { ClaimedJob, MadeResult } from '../job-runner.js';
import type { JobResult } from '../job.js';

/** How long a result can be fetched. */
const RESULT_MS = 3 * 24 * 60 * 60 * 1000;

const SUCCEED: Statement = {
  name: 'jobs.succeed',
  text: `WITH done AS (
      UPDATE jobs SET status = 'succeeded', lease_expires_at = NULL, result = $3, result_file_id = $4,
             finished_at = $5, done = $7, total = $7
       WHERE id = $1 AND lease_generation = $2 AND status = 'running'
      RETURNING id, input_file_id
    ), kept AS (
      UPDATE stored_files SET expires_at = $6 WHERE id = $4
    ), dropped AS (
      UPDATE stored_files SET expires_at = $5 WHERE id IN (SELECT input_file_id FROM done)
    )
    SELECT id FROM done`,
};

/** Writes down that jobs have succeeded, each once. */
@Injectable()
export class JobSuccesses {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** In the transaction of `executor`, if given. Rejects when the job is not this worker's any more. */
  async record(
    { id, generation }: ClaimedJob,
    { file, mediaType, fileName, steps, summary }: MadeResult,
    executor: Executor = this.database,
  ): Promise<void> {
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + RESULT_MS);
    const result: JobResult = {
      bytes: file.bytes,
      mediaType,
      fileName,
      expiresAt: expiresAt.toISOString(),
      summary: summary ?? null,
    };
    const values = [id, generation, JSON.stringify(result), file.id, now, expiresAt, steps];
    const rows = await executor.run(SUCCEED, values);
    if (rows.length === 0) throw new Error('The job is not held by this worker any more.');
  }
}
