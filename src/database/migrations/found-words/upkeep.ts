import { BULK } from '../document-search/blocks.js';

/** UTF-8 bytes of text that one statement puts into the index: a second or two, however unlike the words are. */
const BYTES_AT_ONCE = 512 * 1024;

const BYTES = '(octet_length(item.content) + octet_length(item.metadata::text))';

export const TABLE = [
  // Documents that could not be put into the index in time: found by what they are, and by the words of their title.
  `CREATE TABLE unsearchable_documents (
    document_id uuid NOT NULL CONSTRAINT unsearchable_documents_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    reason text NOT NULL,
    set_aside_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX unsearchable_documents_account_id_idx ON unsearchable_documents (account_id)',
];

/** How the index follows the documents, a bounded step at a time. */
export const UPKEEP_FUNCTIONS = [
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
      SELECT change.id, ${BYTES} AS bytes, sum(${BYTES}) OVER (ORDER BY change.id) AS upto
        FROM (SELECT * FROM search_changes WHERE account_id = account ORDER BY id LIMIT most) AS change
        LEFT JOIN documents AS item ON item.id = change.document_id
    ), taken AS (
      DELETE FROM search_changes WHERE account_id = account
         AND id IN (SELECT id FROM oldest WHERE coalesce(upto - bytes, 0) < ${String(BYTES_AT_ONCE)})
      RETURNING document_id, noted_at
    ), tried AS (
      -- What changed since it was set aside is tried again.
      DELETE FROM unsearchable_documents AS aside USING taken
       WHERE aside.document_id = taken.document_id AND aside.set_aside_at < taken.noted_at
    )
    SELECT array_agg(DISTINCT document_id), count(*), max(noted_at) INTO changed, number, newest FROM taken;
    IF changed IS NULL THEN RETURN 0; END IF;
    PERFORM search_renew(account, changed);
    PERFORM search_proceed(account, number, newest);
    RETURN cardinality(changed);
  END
  $$`,
  // Sets a document aside, if it still is the one that waits the longest, and puts into the index what else there is to
  // it; whether it did.
  `CREATE FUNCTION search_set_aside(account uuid, suspect uuid, why text) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('search ' || account, 0))
       OR suspect IS DISTINCT FROM (SELECT document_id FROM search_changes WHERE account_id = account ORDER BY id LIMIT 1) THEN
      RETURN false;
    END IF;
    INSERT INTO unsearchable_documents AS old (document_id, account_id, reason)
    SELECT id, account_id, why FROM documents WHERE id = suspect
    ON CONFLICT (document_id) DO UPDATE SET reason = EXCLUDED.reason, set_aside_at = EXCLUDED.set_aside_at;
    PERFORM search_update(account, 1, true);
    -- What is found is not what it was.
    PERFORM search_proceed(account, 1, now());
    RETURN true;
  END
  $$`,
  // Remembers which documents changed. Who writes many at once brings them up to date, so that no reader has to wait,
  // unless they have so much text that the writer would have to.
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
      SELECT account_id AS account, array_agg(id ORDER BY created_at, id) AS ids FROM changed AS item
       GROUP BY account_id HAVING count(*) >= ${String(BULK)} AND (TG_OP = 'DELETE' OR sum(${BYTES}) <= ${String(BYTES_AT_ONCE)})
    LOOP
      CONTINUE WHEN NOT pg_try_advisory_xact_lock(hashtextextended('search ' || busy.account, 0));
      WITH taken AS (
        DELETE FROM search_changes WHERE account_id = busy.account AND document_id = ANY (busy.ids) RETURNING noted_at
      )
      SELECT count(*), max(noted_at) INTO number, newest FROM taken;
      FOR part IN 0 .. (cardinality(busy.ids) - 1) / 8192 LOOP
        PERFORM search_renew(busy.account, busy.ids[part * 8192 + 1 : (part + 1) * 8192]);
      END LOOP;
      PERFORM search_proceed(busy.account, number, newest);
    END LOOP;
    RETURN NULL;
  END
  $$`,
];
