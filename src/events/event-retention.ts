import { Injectable } from '@nestjs/common';
import type { Purge } from '../background/purge.js';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import { Database, type Statement } from '../database/database.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Each may have up to a hundred deliveries with ten attempts each. */
const BATCH = 100;

/**
 * Rows locked by another worker are its own to purge. What is still owed to a receiver is never purged; a webhook that
 * was deleted while its delivery was being planned is owed nothing.
 */
const PURGE: Statement = {
  name: 'events.purge',
  text: `WITH expired AS MATERIALIZED (
      SELECT id FROM events AS event
       WHERE id < $1::uuid
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
@Injectable()
export class EventRetention implements Purge {
  readonly what = 'Old events';

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async purgeBatch(): Promise<boolean> {
    const cutoff = this.clock.now().getTime() - this.config.eventRetentionDays * DAY_MS;
    return (await this.database.run(PURGE, [smallestUuidAt(cutoff)])).length === BATCH;
  }
}

/** Event ids are UUIDv7: they begin with their time, so the primary key finds the old ones. */
function smallestUuidAt(epochMs: number): string {
  const time = epochMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
