import { Injectable } from '@nestjs/common';
import type { Purge } from '../../background/purge.js';
import { Clock } from '../../clock/clock.js';
import { Database, type Statement } from '../../database/database.js';

/** Of one statement: 50 MiB. */
const CHUNKS = 200;

/** Piece by piece; the file itself goes with its last piece. */
const PURGE: Statement = {
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

/** Removes files that have expired: results after their time, uploads that were used, and what was never finished. */
@Injectable()
export class FileRetention implements Purge {
  readonly what = 'Files of jobs';

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async purgeBatch(): Promise<boolean> {
    return (await this.database.run(PURGE, [this.clock.now()])).length > 0;
  }
}
