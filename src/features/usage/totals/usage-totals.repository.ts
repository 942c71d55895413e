import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../platform/background/background-tasks.js';
import { Database, type Statement } from '../../../platform/database/database.js';

/** How long totals can be asked for. They are removed an hour later, so that none is missing at the edge. */
export const MINUTES_KEPT_HOURS = 48;
export const HOURS_KEPT_DAYS = 400;

const BATCH = 10_000;

const PURGE: Statement = {
  name: 'usage.purge-totals',
  text: `WITH minutes AS (
      DELETE FROM usage_minutes WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM usage_minutes WHERE at < now() - interval '${String(MINUTES_KEPT_HOURS + 1)} hours'
         LIMIT ${String(BATCH)} FOR UPDATE SKIP LOCKED))
      RETURNING 1
    ), hours AS (
      DELETE FROM usage_hours WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM usage_hours WHERE at < now() - interval '${String(HOURS_KEPT_DAYS)} days' - interval '1 hour'
         LIMIT ${String(BATCH)} FOR UPDATE SKIP LOCKED))
      RETURNING 1
    ), writers AS (
      DELETE FROM usage_writers WHERE written_at < now() - interval '7 days'
    )
    SELECT (SELECT count(*) FROM minutes) = ${String(BATCH)} OR (SELECT count(*) FROM hours) = ${String(BATCH)} AS more`,
};

/** Removes old totals. */
@RunsInBackground({ name: 'The removal of old totals', everyMs: HOUR_MS })
@Injectable()
export class TotalsRetention implements BackgroundTask {
  constructor(private readonly database: Database) {}

  async runBatch(): Promise<boolean> {
    const [row] = await this.database.run<{ more: boolean }>(PURGE, []);
    return row?.more ?? false;
  }
}
