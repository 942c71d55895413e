import { Injectable } from '@nestjs/common';
import { HOUR_MS, RunsInBackground, type BackgroundTask } from '../background/background-tasks.js';
import { Config } from '../config/config.js';
import { Database, type Statement } from '../database/database.js';

/** Each may have up to a hundred deliveries with ten attempts each. */
const BATCH = 100;

/**
 * Event ids are UUIDv7: they begin with their time, so the primary key finds the old ones. The database says what time
 * it is: one process whose clock is wrong must not remove what all others still keep.
 */
const SMALLEST_KEPT = `(lpad(to_hex((extract(epoch FROM now() - $1::integer * interval '1 day') * 1000)::bigint), 12, '0')
  || '70008000000000000000')::uuid`;

/**
 * Rows locked by another worker are its own to purge. What is still owed to a receiver is never purged; a webhook that
 * was deleted while its delivery was being planned is owed nothing.
 */
const PURGE: Statement = {
  name: 'events.purge',
  text: `WITH expired AS MATERIALIZED (
      SELECT id FROM events AS event
       WHERE id < ${SMALLEST_KEPT}
         AND NOT EXISTS (
           SELECT FROM webhook_deliveries AS delivery
             JOIN webhooks AS webhook ON webhook.id = delivery.webhook_id
            WHERE delivery.event_id = event.id AND delivery.status = 'pending'
         )
       ORDER BY id LIMIT ${String(BATCH)}
         FOR UPDATE SKIP LOCKED
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
