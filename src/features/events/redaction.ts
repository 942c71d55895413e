import { Injectable } from '@nestjs/common';
import {
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Database, type Statement } from '../../platform/database/database.js';

// Redaction: when a document is removed for good, its texts must not be readable in its events any more. The removal marks
// the document in `removed_subjects`, from which moment all readers show its events redacted; a purge rewrites them later.

/**
 * The redacted body of an event: the thin body, which holds no text of the document, with `removed: true` at the end of
 * its document. A body that is redacted already stays, because its document does not end with the version's number.
 */
export const redactedBody = (event: string) =>
  `regexp_replace(${event}.thin_body, '("data":\\{"document":\\{[^}]*\\d)\\}', '\\1,"removed":true}')`;

/** Whether an event is to be shown redacted. `removed_subjects` holds few rows, so that this costs next to nothing. */
export const isRedacted = (event: string) =>
  `EXISTS (SELECT FROM removed_subjects AS removed
            WHERE removed.id = ${event}.subject_id AND ${event}.position <= removed.position)`;

/** A body of an event as it may be shown. */
export const visibleBody = (event: string, form: 'full_body' | 'thin_body') =>
  `CASE WHEN ${isRedacted(event)} THEN ${redactedBody(event)} ELSE ${event}.${form} END`;

/**
 * Marks the subjects with the ids of a query, from the commit on and however many events they have. For the statement that
 * removes them for good. Later events are not concerned: an import may bring a document back under its id.
 */
export const markRedacted = (ids: string) =>
  `INSERT INTO removed_subjects (id, position)
   SELECT removed.id, sequence.last_value FROM (${ids}) AS removed, events_position_seq AS sequence
   ON CONFLICT (id) DO UPDATE SET position = EXCLUDED.position, erased_to = 0`;

/** Events rewritten at once; each may have a content of 256 KiB, and up to a hundred deliveries with ten attempts each. */
const BATCH = 100;

/**
 * What a receiver answered goes too: it may have repeated what it was sent. Events are locked first, because PostgreSQL
 * writes the last part of a statement first: the retention removes events before their attempts.
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

/** Rewrites the events of marked subjects, and takes a mark away when all of its events are rewritten. */
@RunsInBackground({ name: 'The removal of erased documents from their events', everyMs: MINUTE_MS })
@Injectable()
export class RedactionPurge implements BackgroundTask {
  constructor(private readonly database: Database) {}

  async runBatch(): Promise<boolean> {
    return (await this.database.run(ERASE, [])).length > 0;
  }
}
