import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { endOfFirstPartition, maintainPartitions } from '../../platform/background/partitions.js';
import { Config } from '../../platform/config/config.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { redactedBody } from './redaction.js';

/**
 * Maximum events that one statement removes or rewrites. Each may have a hundred deliveries with ten attempts, and 256
 * KiB of text.
 */
const BATCH = 100;

/** In the order in which partitions are dropped: an event stays as long as a delivery of it. */
const PARTITIONED = ['webhook_deliveries', 'webhook_delivery_attempts', 'events'];

/**
 * Removes events of the first partition. Event IDs are UUIDv7 and begin with their time. Uses the database's clock,
 * because a process with a wrong clock must not remove events too early.
 *
 * Skips rows that another worker has locked, and events with pending deliveries, except for deliveries planned while
 * their webhook was deleted. One statement raises the horizon and removes the events, so readers see both or neither.
 * Horizons are locked in account order, because two workers could otherwise deadlock.
 */
const PURGE: Statement = {
  name: 'events.purge',
  text: `WITH expired AS MATERIALIZED (
      SELECT id, account_id, position FROM events AS event
       WHERE id < least(smallest_id(now() - $1::integer * interval '1 day'), ${endOfFirstPartition('events')})
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

/**
 * Also erases responses, because a receiver may have repeated what it received. Locks events first, as the purge does:
 * PostgreSQL runs the last part of a statement first, which would remove events before their attempts.
 */
const ERASE: Statement = {
  name: 'events.erase-removed',
  text: `WITH subject AS MATERIALIZED (
      SELECT * FROM removed_subjects ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
    ), batch AS MATERIALIZED (
      SELECT event.id, event.position FROM events AS event JOIN subject ON event.subject_id = subject.id
       WHERE event.position > subject.erased_to AND event.position <= subject.position
       ORDER BY event.position LIMIT ${String(BATCH)}
         FOR NO KEY UPDATE OF event
    ), events AS (
      UPDATE events AS event SET full_body = ${redactedBody('event')}, thin_body = ${redactedBody('event')}, states = NULL
        FROM batch WHERE event.id = batch.id
    ), responses AS (
      UPDATE webhook_delivery_attempts AS attempt SET response_excerpt = NULL
        FROM batch JOIN webhook_deliveries AS delivery ON delivery.event_id = batch.id
       WHERE attempt.delivery_id = delivery.id AND attempt.response_excerpt IS NOT NULL
    ), further AS (
      UPDATE removed_subjects AS item SET erased_to = (SELECT max(position) FROM batch)
        FROM subject WHERE item.id = subject.id AND EXISTS (SELECT FROM batch)
    ), done AS (
      DELETE FROM removed_subjects AS item USING subject
       WHERE item.id = subject.id AND NOT EXISTS (SELECT FROM batch)
    )
    SELECT id FROM subject`,
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
    const days = this.config.eventRetentionDays;
    if (await maintainPartitions(this.database, PARTITIONED, days)) return true;
    return (await this.database.run(PURGE, [days])).length === BATCH;
  }
}

/** Erases the texts of permanently deleted documents from their events. */
@RunsInBackground({ name: 'The removal of erased documents from their events', everyMs: MINUTE_MS })
@Injectable()
export class RedactionPurge implements BackgroundTask {
  constructor(private readonly database: Database) {}

  /** Returns false if no document is left. */
  async runBatch(): Promise<boolean> {
    return (await this.database.run(ERASE, [])).length > 0;
  }
}
