import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Config } from '../../platform/config/config.js';
import { Database, type Statement } from '../../platform/database/database.js';

/** Each may have up to a hundred deliveries with ten attempts each. */
const BATCH = 100;

/**
 * Event ids are UUIDv7: they begin with their time, so the primary key finds the old ones. The database says what time
 * it is: one process whose clock is wrong must not remove what all others still keep.
 */
const SMALLEST_KEPT = `(lpad(to_hex((extract(epoch FROM now() - $1::integer * interval '1 day') * 1000)::bigint), 12, '0')
  || '70008000000000000000')::uuid`;

/**
 * Rows locked by another worker are its own to purge. An event with a pending delivery is never purged; a delivery that
 * was planned while its webhook was deleted does not count. The horizon rises in the statement that removes the events,
 * so that a reader sees both or neither. Its rows are locked in the order of the accounts, or two workers would deadlock.
 */
const PURGE: Statement = {
  name: 'events.purge',
  text: `WITH expired AS MATERIALIZED (
      SELECT id, account_id, position FROM events AS event
       WHERE id < ${SMALLEST_KEPT}
         AND NOT EXISTS (
           SELECT FROM webhook_deliveries AS delivery
             JOIN webhooks AS webhook ON webhook.id = delivery.webhook_id
            WHERE delivery.event_id = event.id AND delivery.status = 'pending'
         )
       ORDER BY id LIMIT ${String(BATCH)}
         FOR UPDATE SKIP LOCKED
    ),
    horizons AS (
      INSERT INTO event_horizons AS horizon (account_id, position)
      SELECT account_id, max(position) FROM expired GROUP BY account_id ORDER BY account_id
          ON CONFLICT (account_id) DO UPDATE SET position = EXCLUDED.position
       WHERE horizon.position < EXCLUDED.position
    ),
    deliveries AS (
      DELETE FROM webhook_deliveries WHERE event_id IN (SELECT id FROM expired) RETURNING id
    ),
    attempts AS (
      DELETE FROM webhook_delivery_attempts WHERE delivery_id IN (SELECT id FROM deliveries)
    )
    DELETE FROM events WHERE id IN (SELECT id FROM expired) RETURNING id`,
};

/** Removes events and their deliveries after the retention time. */
@RunsInBackground({ name: 'The removal of old events', everyMs: HOUR_MS })
@Injectable()
export class EventRetention implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  async runBatch(): Promise<boolean> {
    return (await this.database.run(PURGE, [this.config.eventRetentionDays])).length === BATCH;
  }
}
