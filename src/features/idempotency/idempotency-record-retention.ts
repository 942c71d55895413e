import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../platform/database/database.js';

const BATCH = 1_000;

const PURGE: Statement = {
  name: 'idempotency.purge',
  text: `DELETE FROM idempotency_keys WHERE id IN (
           SELECT id FROM idempotency_keys WHERE expires_at <= $1
            ORDER BY expires_at LIMIT ${String(BATCH)} FOR UPDATE SKIP LOCKED)
         RETURNING id`,
};

/** Removes the records of requests after their 24 hours. */
@RunsInBackground({ name: 'The removal of old idempotency records', everyMs: HOUR_MS })
@Injectable()
export class IdempotencyRecordRetention implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    return (await this.database.run(PURGE, [this.clock.now()])).length === BATCH;
  }
}
