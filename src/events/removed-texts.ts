import { Injectable } from '@nestjs/common';
import { HOUR_MS, RunsInBackground, type BackgroundTask } from '../background/background-tasks.js';
import { Database, type Statement } from '../database/database.js';
import { markedBody } from './removed-subjects.js';

/** Each may have a content of 256 KiB, and up to a hundred deliveries with ten attempts each. */
const BATCH = 100;

/** What a receiver answered goes too: it may have repeated what it was sent. */
const ERASE: Statement = {
  name: 'events.erase-removed',
  text: `WITH subject AS MATERIALIZED (
      SELECT * FROM removed_subjects ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
    ), batch AS MATERIALIZED (
      SELECT event.id, event.position FROM events AS event JOIN subject ON event.subject_id = subject.id
       WHERE event.position > subject.erased_to AND event.position <= subject.position
       ORDER BY event.position LIMIT ${String(BATCH)}
    ), events AS (
      UPDATE events AS event SET full_body = ${markedBody('event')}, thin_body = ${markedBody('event')}
        FROM batch WHERE event.id = batch.id
    ), answers AS (
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

/** Erases the texts of documents that were removed for good out of their events, which nobody is shown since. */
@RunsInBackground({ name: 'The removal of erased documents from their events', everyMs: HOUR_MS })
@Injectable()
export class RemovedTexts implements BackgroundTask {
  constructor(private readonly database: Database) {}

  async runBatch(): Promise<boolean> {
    return (await this.database.run(ERASE, [])).length > 0;
  }
}
