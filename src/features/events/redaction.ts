// SQL for the redaction of events. When a document is permanently deleted, its texts must not be readable in its events.
// The deletion marks the document in `removed_subjects`. Once it commits, all readers show the events redacted. A
// background task (`event-retention.ts`) rewrites the events later and removes the mark.

/**
 * Returns SQL for the redacted body of an event: the thin body, which has no text of the document, with `removed: true`
 * at the end of its document. A redacted body does not change, because its document does not end with the digits of the
 * version.
 */
export const redactedBody = (event: string) =>
  `regexp_replace(${event}.thin_body, '("data":\\{"document":\\{[^}]*\\d)\\}', '\\1,"removed":true}')`;

/**
 * Returns a SQL condition that is true if the event must be shown redacted. Cheap, because `removed_subjects` has few rows.
 */
export const isRedacted = (event: string) =>
  `EXISTS (SELECT FROM removed_subjects AS removed
            WHERE removed.id = ${event}.subject_id AND ${event}.position <= removed.position)`;

/** Returns SQL for the body of an event, redacted if necessary. */
export const visibleBody = (event: string, form: 'full_body' | 'thin_body') =>
  `CASE WHEN ${isRedacted(event)} THEN ${redactedBody(event)} ELSE ${event}.${form} END`;

/**
 * Returns SQL that marks the subjects whose ids a query returns. Run it in the statement that permanently deletes them.
 * Later events are not affected, because an import may create a document with the same ID again.
 */
export const markRedacted = (ids: string) =>
  `INSERT INTO removed_subjects (id, position)
   SELECT removed.id, sequence.last_value FROM (${ids}) AS removed, events_position_seq AS sequence
   ON CONFLICT (id) DO UPDATE SET position = EXCLUDED.position, erased_to = 0`;
