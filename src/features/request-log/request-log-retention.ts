import { Injectable } from '@nestjs/common';
import {
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Config } from '../../platform/config/config.js';
import { Database, type Statement } from '../../platform/database/database.js';

/** Newest requests of an account that are kept. */
export const MAX_OF_ACCOUNT = 100_000;

const BATCH = 5_000;

/** Ids begin with their time, so the primary key finds the old ones; by the database's clock, which all share. */
const SMALLEST_KEPT = `(lpad(to_hex((extract(epoch FROM now() - $1::integer * interval '1 day') * 1000)::bigint), 12, '0')
  || '70008000000000000000')::uuid`;

const PURGE_OLD: Statement = {
  name: 'requests.purge-old',
  text: `WITH old AS (
      SELECT id FROM request_log WHERE id < ${SMALLEST_KEPT} ORDER BY id LIMIT ${String(BATCH)} FOR UPDATE SKIP LOCKED
    ), counts AS (
      DELETE FROM unlogged_requests WHERE hour < now() - $1::integer * interval '1 day' - interval '1 hour'
    )
    DELETE FROM request_log WHERE id IN (SELECT id FROM old) RETURNING id`,
};

/** The oldest of each account that has too many, as far as one batch goes, and how many of which hour. */
const PURGE_SURPLUS: Statement = {
  name: 'requests.purge-surplus',
  text: `WITH crowded AS MATERIALIZED (
      SELECT account_id, sum(count)::bigint - ${String(MAX_OF_ACCOUNT)} AS surplus
        FROM row_counts WHERE kind = 'request_log'
       GROUP BY account_id HAVING sum(count) > ${String(MAX_OF_ACCOUNT)}
    ), oldest AS MATERIALIZED (
      SELECT item.id FROM crowded CROSS JOIN LATERAL (
        SELECT id FROM request_log WHERE account_id = crowded.account_id
         ORDER BY created_at, id LIMIT least(surplus, ${String(BATCH)})) AS item
       LIMIT ${String(BATCH)}
    ), removed AS (
      DELETE FROM request_log WHERE id = ANY (ARRAY(SELECT id FROM oldest)) RETURNING account_id, created_at
    ), counted AS (
      INSERT INTO unlogged_requests AS totals (account_id, hour, reason, count)
      SELECT account_id, date_trunc('hour', created_at, 'UTC'), 'full', count(*) FROM removed GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (account_id, hour, reason) DO UPDATE SET count = totals.count + EXCLUDED.count
    )
    SELECT count(*)::integer AS removed FROM removed`,
};

/** Keeps the log of requests within its days, and each account's within its rows. */
@RunsInBackground({ name: 'The removal of old requests from their log', everyMs: MINUTE_MS })
@Injectable()
export class RequestLogRetention implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  async runBatch(): Promise<boolean> {
    const old = await this.database.run(PURGE_OLD, [this.config.requestLogDays]);
    const [surplus] = await this.database.run<{ removed: number }>(PURGE_SURPLUS, []);
    return old.length === BATCH || surplus?.removed === BATCH;
  }
}
