import { BULK, BYTES_AT_ONCE } from '../document-search/blocks.js';
import { BLOCK } from '../document-search/tables.js';

/** With more documents that wait, counting them would take longer than what it may save. */
const MOST_WAITING = 2_000;

/**
 * Changes of documents that left `search_changes` for the index, by account, and when the newest of them was noted.
 * Every account that has an index begins with a name of its own for this count, which never comes back.
 */
export const TABLE = [
  `CREATE TABLE search_progress (
    account_id uuid NOT NULL CONSTRAINT search_progress_pkey PRIMARY KEY,
    epoch uuid NOT NULL,
    changes bigint NOT NULL,
    newest timestamptz(3) NOT NULL
  ) WITH (fillfactor = 50)`,
  // Whoever changes the index comes before this, or waits; writing documents does not.
  'LOCK TABLE search_entries IN SHARE ROW EXCLUSIVE MODE',
  `INSERT INTO search_progress (account_id, epoch, changes, newest)
   SELECT account_id, gen_random_uuid(), 0, '-infinity' FROM (SELECT DISTINCT account_id FROM search_blocks) AS indexed`,
];

/** How the count follows the index, and what it is for. */
export const PROGRESS_FUNCTIONS = [
  // Changes of an account were put into the index.
  `CREATE FUNCTION search_proceed(account uuid, number bigint, noted timestamptz) RETURNS void LANGUAGE sql AS $$
    INSERT INTO search_progress AS old (account_id, epoch, changes, newest)
    VALUES (account, gen_random_uuid(), number, noted)
    ON CONFLICT (account_id) DO UPDATE
       SET changes = old.changes + EXCLUDED.changes, newest = greatest(old.newest, EXCLUDED.newest)
  $$`,
  // Brings at most so many documents that wait up to date; returns how many, -1 when another transaction is at it and
  // this one is not to wait for that.
  `CREATE OR REPLACE FUNCTION search_update(account uuid, most integer, patient boolean) RETURNS integer LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    lock bigint := hashtextextended('search ' || account, 0);
    changed uuid[];
    number bigint;
    newest timestamptz;
  BEGIN
    IF patient THEN PERFORM pg_advisory_xact_lock(lock);
    ELSIF NOT pg_try_advisory_xact_lock(lock) THEN RETURN -1; END IF;
    WITH oldest AS (
      SELECT change.id, octet_length(item.content) AS bytes,
             sum(octet_length(item.content)) OVER (ORDER BY change.id) AS upto
        FROM (SELECT * FROM search_changes WHERE account_id = account ORDER BY id LIMIT most) AS change
        LEFT JOIN documents AS item ON item.id = change.document_id
    ), taken AS (
      DELETE FROM search_changes WHERE account_id = account
         AND id IN (SELECT id FROM oldest WHERE coalesce(upto - bytes, 0) < ${String(BYTES_AT_ONCE)})
      RETURNING document_id, noted_at
    )
    SELECT array_agg(DISTINCT document_id), count(*), max(noted_at) INTO changed, number, newest FROM taken;
    IF changed IS NULL THEN RETURN 0; END IF;
    PERFORM search_renew(account, changed);
    PERFORM search_proceed(account, number, newest);
    RETURN cardinality(changed);
  END
  $$`,
  // Remembers which documents changed. Who writes many at once brings them up to date, so that no reader has to wait.
  `CREATE OR REPLACE FUNCTION note_search_changes() RETURNS trigger LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    noted integer;
    busy record;
    number bigint;
    newest timestamptz;
  BEGIN
    INSERT INTO search_changes (account_id, document_id) SELECT account_id, id FROM changed;
    GET DIAGNOSTICS noted = ROW_COUNT;
    IF noted < ${String(BULK)} THEN RETURN NULL; END IF;
    FOR busy IN
      SELECT account_id AS account, array_agg(id ORDER BY created_at, id) AS ids FROM changed
       GROUP BY account_id HAVING count(*) >= ${String(BULK)}
    LOOP
      CONTINUE WHEN NOT pg_try_advisory_xact_lock(hashtextextended('search ' || busy.account, 0));
      WITH taken AS (
        DELETE FROM search_changes WHERE account_id = busy.account AND document_id = ANY (busy.ids) RETURNING noted_at
      )
      SELECT count(*), max(noted_at) INTO number, newest FROM taken;
      FOR part IN 0 .. (cardinality(busy.ids) - 1) / ${String(BLOCK)} LOOP
        PERFORM search_renew(
          busy.account, busy.ids[part * ${String(BLOCK)} + 1 : (part + 1) * ${String(BLOCK)}]);
      END LOOP;
      PERFORM search_proceed(busy.account, number, newest);
    END LOOP;
    RETURN NULL;
  END
  $$`,
  /**
   * What answers about the documents of an account depend on: how many changes there were, those that wait and those
   * that do not any more. A change is noted by the transaction that makes it, and counts in one of both numbers from
   * then on: so the sum grows with each one that commits, in whichever order they do, which the highest id would not,
   * and stays the same when the index follows. The time of the newest one is for what the sum cannot know: a server set
   * back to an earlier moment, and changes that were on their way into the index when this came. Null when the state is
   * not worth knowing, or there is no index.
   */
  `CREATE FUNCTION search_state(account uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  DECLARE
    state text;
  BEGIN
    SELECT concat_ws(' ', old.epoch, old.changes + waiting.n, extract(epoch FROM greatest(old.newest, waiting.newest)))
      INTO state
      FROM search_progress AS old CROSS JOIN (
        SELECT count(*) AS n, max(noted_at) AS newest
          FROM (SELECT noted_at FROM search_changes WHERE account_id = account LIMIT ${String(MOST_WAITING + 1)}) AS change
      ) AS waiting
     WHERE old.account_id = account AND waiting.n <= ${String(MOST_WAITING)};
    RETURN state;
  END
  $$`,
  // Counts of values, behind a first row that has only the state they belong to; no counts where that is the known one.
  `CREATE FUNCTION search_facets_since(account uuid, request json, most integer, known text)
  RETURNS TABLE (state text, facet text, value text, documents bigint) LANGUAGE plpgsql STABLE AS $$
  BEGIN
    state := search_state(account);
    RETURN NEXT;
    IF state = known THEN RETURN; END IF;
    RETURN QUERY SELECT NULL, counted.* FROM search_facets(account, request, most) AS counted;
  END
  $$`,
];

/** Positions of a block that are in use are nearly all of them, and what is compressed takes longer to read. */
export const PLAIN_BITS = [
  'ALTER TABLE search_blocks ALTER live SET STORAGE PLAIN',
  `UPDATE search_blocks SET live = live & live WHERE live <> B''`,
];
