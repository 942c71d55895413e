/**
 * The thin body with `removed: true` at the end of its document: no text of the document is in it. One that is marked
 * already stays, because its document does not end with the number of the version any more.
 */
export const markedBody = (event: string) =>
  `regexp_replace(${event}.thin_body, '("data":\\{"document":\\{[^}]*\\d)\\}', '\\1,"removed":true}')`;

/** Whether the subject of an event was removed for good; few are at a time, so that this costs next to nothing. */
export const isOfRemoved = (event: string) =>
  `EXISTS (SELECT FROM removed_subjects AS removed
            WHERE removed.id = ${event}.subject_id AND ${event}.position <= removed.position)`;

/** A body as it may be shown: as it was frozen, unless its subject was removed for good. */
export const shownBody = (event: string, form: 'full_body' | 'thin_body') =>
  `CASE WHEN ${isOfRemoved(event)} THEN ${markedBody(event)} ELSE ${event}.${form} END`;

/**
 * Hides what events say of the subjects with the ids of a query, from the commit on, however many events they are
 * (see `src/events/removed-texts.ts`). For the statement that removes them for good.
 */
export const markRemoved = (ids: string) =>
  `INSERT INTO removed_subjects (id, position)
   SELECT removed.id, sequence.last_value FROM (${ids}) AS removed, events_position_seq AS sequence
   ON CONFLICT (id) DO UPDATE SET position = EXCLUDED.position, erased_to = 0`;
