import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../platform/database/database.js';

const DAY_MS = 24 * HOUR_MS;
/** How long a job that has ended can be read. */
export const JOB_DAYS = 30;
const BATCH = 1_000;
/** Pieces of a file that one statement removes: 50 MiB. */
const CHUNKS = 200;

const PURGE_JOBS: Statement = {
  name: 'jobs.purge',
  text: `DELETE FROM jobs WHERE id IN (
           SELECT id FROM jobs WHERE finished_at <= $1 ORDER BY finished_at LIMIT ${String(BATCH)}
              FOR UPDATE SKIP LOCKED)
         RETURNING id`,
};

/** Piece by piece; the file itself goes with its last piece. */
const PURGE_FILES: Statement = {
  name: 'stored-files.purge',
  text: `WITH due AS MATERIALIZED (
      SELECT id FROM stored_files WHERE expires_at <= $1 ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ), chunks AS (
      DELETE FROM stored_file_chunks WHERE (file_id, number) IN (
        SELECT file_id, number FROM stored_file_chunks WHERE file_id IN (SELECT id FROM due) LIMIT ${String(CHUNKS)})
      RETURNING file_id
    ), gone AS (
      DELETE FROM stored_files
       WHERE id IN (SELECT id FROM due) AND (SELECT count(*) FROM chunks) < ${String(CHUNKS)}
    )
    SELECT id FROM due`,
};

/** Forgets jobs that ended long ago; the files they made are gone before. */
@RunsInBackground({ name: 'The removal of old jobs', everyMs: HOUR_MS })
@Injectable()
export class JobRetention implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    const cutoff = new Date(this.clock.now().getTime() - JOB_DAYS * DAY_MS);
    return (await this.database.run(PURGE_JOBS, [cutoff])).length === BATCH;
  }
}

/** Removes files that have expired: results after their time, uploads that were used, and what was never finished. */
@RunsInBackground({ name: 'The removal of expired files of jobs', everyMs: HOUR_MS })
@Injectable()
export class FileRetention implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    return (await this.database.run(PURGE_FILES, [this.clock.now()])).length > 0;
  }
}
