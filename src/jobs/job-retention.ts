import { Injectable } from '@nestjs/common';
import type { Purge } from '../background/purge.js';
import { Clock } from '../clock/clock.js';
import { Database, type Statement } from '../database/database.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a job that has ended can be read. */
const JOB_DAYS = 30;
const BATCH = 1_000;

const PURGE: Statement = {
  name: 'jobs.purge',
  text: `DELETE FROM jobs WHERE id IN (
           SELECT id FROM jobs WHERE finished_at <= $1 ORDER BY finished_at LIMIT ${String(BATCH)}
              FOR UPDATE SKIP LOCKED)
         RETURNING id`,
};

/** Forgets jobs that ended long ago; what they made is gone before. */
@Injectable()
export class JobRetention implements Purge {
  readonly what = 'Jobs';

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async purgeBatch(): Promise<boolean> {
    const cutoff = new Date(this.clock.now().getTime() - JOB_DAYS * DAY_MS);
    return (await this.database.run(PURGE, [cutoff])).length === BATCH;
  }
}
