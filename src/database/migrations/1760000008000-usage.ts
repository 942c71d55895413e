import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What accounts use: bytes of documents, entries of the audit log by action, and the lock of a quota. */
export class Usage1760000008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...DOCUMENT_BYTES, ...AUDIT_LOG, LOCK_FUNCTION, HOLD_FUNCTION]) {
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
 * Takes the lock of an account until the transaction ends and returns how many documents the account has, the trash
 * included, and how many bytes; null when the lock is another transaction's and the caller may not wait. Who may waits
 * for three seconds, with a connection in hand.
 *
 * A volatile function takes a fresh snapshot for each of its statements: what the holder before has committed is counted.
 */
const HOLD_FUNCTION = `CREATE FUNCTION hold_document_quota(account uuid, may_wait boolean) RETURNS bigint[]
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF may_wait THEN
    PERFORM set_config('lock_timeout', '3000', true);
    PERFORM pg_advisory_xact_lock(quota_lock(account));
    PERFORM set_config('lock_timeout', '0', true);
  ELSIF NOT pg_try_advisory_xact_lock(quota_lock(account)) THEN
    RETURN NULL;
  END IF;
  RETURN (SELECT ARRAY[coalesce(sum(count), 0)::bigint, coalesce(sum(bytes), 0)::bigint]
            FROM row_counts WHERE account_id = account AND kind IN ('documents', 'documents.deleted'));
END
$$`;

/** As 1760000001000 and 1760000003000 made it. */
const DOWN = [
  'DROP FUNCTION hold_document_quota(uuid, boolean), quota_lock(uuid)',
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
