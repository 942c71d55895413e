import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What accounts use: bytes of documents, entries of the audit log by action, and the claim on a quota. */
export class Usage1760000008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...DOCUMENT_BYTES, ...AUDIT_LOG, LOCK_FUNCTION, CLAIM_FUNCTION]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const KIND = `CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END`;
const BYTES = 'document_bytes(title, content, metadata, ai_settings)';

const DOCUMENT_BYTES = [
  // Until the commit nobody writes a document that is counted by neither the old function nor the statement below.
  'LOCK TABLE documents, audit_log IN SHARE ROW EXCLUSIVE MODE',
  // Beside the count and not a kind of its own: the row that a create updates anyway carries both.
  'ALTER TABLE row_counts ADD COLUMN bytes bigint NOT NULL DEFAULT 0',
  // Inlined by the planner. Reads sizes without the texts themselves, wherever they are stored.
  `CREATE FUNCTION document_bytes(title text, content text, metadata json, ai_settings json) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$
      SELECT octet_length(title)::bigint + octet_length(content) + octet_length(metadata::text)
             + octet_length(ai_settings::text)
    $$`,
  `CREATE OR REPLACE FUNCTION count_documents() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
        SELECT account_id, ${KIND} AS kind, pg_backend_pid() % 16, count(*), sum(${BYTES})
          FROM added GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (account_id, kind, slot)
          DO UPDATE SET count = totals.count + EXCLUDED.count, bytes = totals.bytes + EXCLUDED.bytes;
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
        SELECT account_id, ${KIND} AS kind, pg_backend_pid() % 16, -count(*), -sum(${BYTES})
          FROM removed GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (account_id, kind, slot)
          DO UPDATE SET count = totals.count + EXCLUDED.count, bytes = totals.bytes + EXCLUDED.bytes;
      ELSE
        INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
        SELECT account_id, kind, pg_backend_pid() % 16, sum(rows), sum(bytes)
          FROM (SELECT account_id, ${KIND} AS kind, 1 AS rows, ${BYTES} AS bytes FROM added
                UNION ALL
                SELECT account_id, ${KIND}, -1, -${BYTES} FROM removed) AS changes
         GROUP BY 1, 2 HAVING sum(rows) <> 0 OR sum(bytes) <> 0 ORDER BY 1, 2
        ON CONFLICT (account_id, kind, slot)
          DO UPDATE SET count = totals.count + EXCLUDED.count, bytes = totals.bytes + EXCLUDED.bytes;
      END IF;
      RETURN NULL;
    END
  $$`,
  `INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
   SELECT account_id, ${KIND} AS kind, 0, 0, sum(${BYTES}) FROM documents GROUP BY 1, 2
   ON CONFLICT (account_id, kind, slot) DO UPDATE SET bytes = EXCLUDED.bytes`,
];

const AUDIT_LOG = [
  // One counter for each action, so that the totals of the list under an action or a type of resource need no count.
  `CREATE FUNCTION count_audit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO row_counts AS totals (account_id, kind, slot, count)
      SELECT account_id, 'audit_log.' || action, pg_backend_pid() % 16, count(*)
        FROM added GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
      RETURN NULL;
    END
  $$`,
  `CREATE TRIGGER count_added AFTER INSERT ON audit_log
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_audit_entries()`,
  `INSERT INTO row_counts (account_id, kind, slot, count)
   SELECT account_id, 'audit_log.' || action, 0, count(*) FROM audit_log GROUP BY 1, 2`,
  // The further columns let one index answer every filter but the resource's; each index costs every change.
  'DROP INDEX audit_log_account_id_created_at_idx',
  `CREATE INDEX audit_log_account_id_created_at_idx ON audit_log (account_id, created_at, id)
    INCLUDE (action, user_id, key_id)`,
  'CREATE INDEX audit_log_resource_id_idx ON audit_log (resource_id, created_at, id)',
];

const LOCK_FUNCTION = `CREATE FUNCTION quota_lock(account_id uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended(account_id::text, 1760000008)
$$`;

/**
 * Claims room for documents under the limits of their accounts, in the transaction that adds them.
 *
 * Input: a JSON array of {"index", "account_id", "documents", "bytes", "max_documents", "max_bytes"}; a limit of null is
 * none. Output: one row an element. `verdict` is "granted"; "documents" or "bytes", the limit in the way; or "busy",
 * when another transaction adds to the account and the caller may not wait for it. Used is what the account has, with
 * what was granted to it by this call.
 *
 * The lock of an account is held until the transaction ends, and the counters are read after it: a volatile function
 * takes a fresh snapshot for each of its statements, so it sees what the holder before has committed. Locks are taken
 * in the order of their keys, so that calls for several accounts cannot wait for each other in a circle.
 */
const CLAIM_FUNCTION = `CREATE FUNCTION claim_document_quota(claims json, may_wait boolean)
RETURNS TABLE (claim_index integer, verdict text, documents_used double precision, bytes_used double precision)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  claim record;
  held_account uuid;
  holds boolean;
  documents bigint;
  bytes bigint;
BEGIN
  FOR claim IN
    SELECT *, quota_lock(item.account_id) AS lock_key FROM json_to_recordset(claims)
      AS item (index integer, account_id uuid, documents bigint, bytes bigint, max_documents bigint, max_bytes bigint)
     ORDER BY lock_key, item.account_id, item.index
  LOOP
    IF held_account IS DISTINCT FROM claim.account_id THEN
      held_account := claim.account_id;
      IF may_wait THEN
        PERFORM pg_advisory_xact_lock(claim.lock_key);
        holds := true;
      ELSE
        holds := pg_try_advisory_xact_lock(claim.lock_key);
      END IF;
      IF holds THEN
        SELECT coalesce(sum(counted.count), 0), coalesce(sum(counted.bytes), 0) INTO documents, bytes
          FROM row_counts AS counted
         WHERE counted.account_id = claim.account_id AND counted.kind IN ('documents', 'documents.deleted');
      END IF;
    END IF;

    claim_index := claim.index;
    documents_used := documents;
    bytes_used := bytes;
    IF NOT holds THEN
      verdict := 'busy';
    ELSIF claim.documents > 0 AND documents + claim.documents > claim.max_documents THEN
      verdict := 'documents';
    ELSIF claim.bytes > 0 AND bytes + claim.bytes > claim.max_bytes THEN
      verdict := 'bytes';
    ELSE
      verdict := 'granted';
      documents := documents + claim.documents;
      bytes := bytes + claim.bytes;
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$`;

/** As 1760000001000 and 1760000003000 made it. */
const DOWN = [
  'DROP FUNCTION claim_document_quota(json, boolean), quota_lock(uuid)',
  'DROP INDEX audit_log_resource_id_idx, audit_log_account_id_created_at_idx',
  'CREATE INDEX audit_log_account_id_created_at_idx ON audit_log (account_id, created_at, id)',
  'DROP TRIGGER count_added ON audit_log',
  'DROP FUNCTION count_audit_entries()',
  `DELETE FROM row_counts WHERE starts_with(kind, 'audit_log.')`,
  `CREATE OR REPLACE FUNCTION count_documents() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO row_counts AS totals (account_id, kind, slot, count)
        SELECT account_id, ${KIND} AS kind,
               pg_backend_pid() % 16, count(*)
          FROM added GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO row_counts AS totals (account_id, kind, slot, count)
        SELECT account_id, ${KIND} AS kind,
               pg_backend_pid() % 16, -count(*)
          FROM removed GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
      ELSE
        INSERT INTO row_counts AS totals (account_id, kind, slot, count)
        SELECT account_id, kind, pg_backend_pid() % 16, sum(delta)
          FROM (SELECT account_id, ${KIND} AS kind,
                       1 AS delta FROM added
                UNION ALL
                SELECT account_id, ${KIND},
                       -1 FROM removed) AS changes
         GROUP BY 1, 2 HAVING sum(delta) <> 0 ORDER BY 1, 2
        ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
      END IF;
      RETURN NULL;
    END
  $$`,
  'DROP FUNCTION document_bytes(text, text, json, json)',
  'ALTER TABLE row_counts DROP COLUMN bytes',
];
