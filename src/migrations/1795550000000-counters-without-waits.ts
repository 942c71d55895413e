import type { MigrationInterface, QueryRunner } from 'typeorm';
import { AUDIT } from './first-schema/audit.js';
import { DOCUMENTS } from './first-schema/documents.js';
import { FOUNDATION } from './first-schema/foundation.js';
import type { SchemaArea } from './first-schema/schema-area.js';
import { SEARCH } from './first-schema/search.js';

/** The functions that this migration replaces, with the area of the first schema that defines them. */
const REPLACED: readonly (readonly [area: SchemaArea, name: string])[] = [
  [FOUNDATION, 'count_rows'],
  [AUDIT, 'count_audit_entries'],
  [DOCUMENTS, 'count_documents'],
  [SEARCH, 'index_removed_documents'],
  [SEARCH, 'index_texts'],
];

/**
 * Gives every transaction counter rows of its own, so that counting never waits and no order of statements can deadlock
 * (docs/adr/0010-exact-totals-and-lock-order.md). The index of texts is written in the order of ids, for the same reason.
 */
export class CountersWithoutWaits1795550000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- Returns the slot of row_counts that belongs to this transaction until it ends. Advisory locks with two keys share no
-- number with those that are hashes. A rollback to a savepoint releases the lock and resets the setting together.
CREATE FUNCTION row_count_slot() RETURNS smallint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  taken smallint := nullif(current_setting('document_service.row_count_slot', true), '')::smallint;
BEGIN
  IF taken IS NULL THEN
    taken := pg_backend_pid() % 16;
    WHILE NOT pg_try_advisory_xact_lock(4712, taken) LOOP
      taken := taken + 1;
    END LOOP;
    PERFORM set_config('document_service.row_count_slot', taken::text, true);
  END IF;
  RETURN taken;
END
$$;

CREATE OR REPLACE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_slot smallint := row_count_slot();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS totals (account_id, kind, slot, count)
    SELECT account_id, TG_TABLE_NAME, own_slot, count(*) FROM added GROUP BY 1
    ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
  ELSE
    INSERT INTO row_counts AS totals (account_id, kind, slot, count)
    SELECT account_id, TG_TABLE_NAME, own_slot, -count(*) FROM removed GROUP BY 1
    ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_audit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_slot smallint := row_count_slot();
BEGIN
  INSERT INTO row_counts AS totals (account_id, kind, slot, count)
  SELECT account_id, 'audit_log.' || action, own_slot, count(*) FROM added GROUP BY 1, 2
  ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_documents() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_slot smallint := row_count_slot();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
    SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END AS kind,
           own_slot, count(*), sum(document_bytes(title, content, metadata, ai_settings))
      FROM added GROUP BY 1, 2
    ON CONFLICT (account_id, kind, slot)
      DO UPDATE SET count = totals.count + EXCLUDED.count, bytes = totals.bytes + EXCLUDED.bytes;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
    SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END AS kind,
           own_slot, -count(*), -sum(document_bytes(title, content, metadata, ai_settings))
      FROM removed GROUP BY 1, 2
    ON CONFLICT (account_id, kind, slot)
      DO UPDATE SET count = totals.count + EXCLUDED.count, bytes = totals.bytes + EXCLUDED.bytes;
  ELSE
    INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
    SELECT account_id, kind, own_slot, sum(rows), sum(bytes)
      FROM (SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END AS kind,
                   1 AS rows, document_bytes(title, content, metadata, ai_settings) AS bytes FROM added
            UNION ALL
            SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END,
                   -1, -document_bytes(title, content, metadata, ai_settings) FROM removed) AS changes
     GROUP BY 1, 2 HAVING sum(rows) <> 0 OR sum(bytes) <> 0
    ON CONFLICT (account_id, kind, slot)
      DO UPDATE SET count = totals.count + EXCLUDED.count, bytes = totals.bytes + EXCLUDED.bytes;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION index_removed_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_changes (account_id, document_id) SELECT account_id, id FROM removed;
  -- In the order of ids, as the indexer writes them.
  PERFORM FROM document_texts WHERE document_id IN (SELECT id FROM removed) ORDER BY document_id FOR UPDATE;
  DELETE FROM document_texts WHERE document_id IN (SELECT id FROM removed);
  DELETE FROM document_labels AS known
   USING (SELECT DISTINCT account_id, deleted_at IS NOT NULL AS deleted, label, created_at, id
            FROM removed, metadata_labels(metadata) AS label) AS gone
   WHERE known.account_id = gone.account_id AND known.deleted = gone.deleted AND known.label = gone.label
     AND known.created_at = gone.created_at AND known.document_id = gone.id;
  RETURN NULL;
END
$$;

-- As before, but rows are written in the order of ids.
CREATE OR REPLACE FUNCTION index_texts(batch json) RETURNS void LANGUAGE sql AS $$
  WITH text AS MATERIALIZED (
    SELECT text.*, known.chunk_id
      FROM json_to_recordset(batch) AS text (id uuid, "accountId" uuid, "createdAt" timestamptz, configuration text,
             "titleOnly" boolean, title text[], content text[], terms text[])
      LEFT JOIN document_texts AS known ON known.document_id = text.id
  ), account AS MATERIALIZED (
    SELECT "accountId" AS id, count(*) FILTER (WHERE chunk_id IS NULL) AS documents, array_agg(DISTINCT configuration) AS configurations
      FROM text GROUP BY 1
  ), opened AS (
    INSERT INTO search_chunks (account_id, documents, configurations)
    SELECT account.id, account.documents, account.configurations FROM account
      LEFT JOIN LATERAL (SELECT * FROM search_chunks WHERE account_id = account.id ORDER BY id DESC LIMIT 1) AS newest ON true
     WHERE account.documents > 0 AND (newest.id IS NULL OR newest.documents + account.documents > 8192)
    RETURNING id, account_id
  ), chunk AS MATERIALIZED (
    SELECT account.id AS account_id, coalesce(opened.id, (SELECT max(id) FROM search_chunks WHERE account_id = account.id)) AS id
      FROM account LEFT JOIN opened ON opened.account_id = account.id
  ), filled AS (
    UPDATE search_chunks
       SET documents = search_chunks.documents + more.documents,
           configurations = ARRAY(SELECT unnest(search_chunks.configurations) UNION SELECT unnest(more.configurations))
      FROM (SELECT coalesce(text.chunk_id, chunk.id) AS id, count(*) FILTER (WHERE text.chunk_id IS NULL) AS documents,
                   array_agg(DISTINCT configuration) AS configurations
              FROM text JOIN chunk ON chunk.account_id = text."accountId" GROUP BY 1) AS more
     WHERE search_chunks.id = more.id AND (more.documents > 0 OR NOT search_chunks.configurations @> more.configurations)
  )
  INSERT INTO document_texts (document_id, account_id, created_at, chunk_id, configuration, title_only, vector)
  SELECT text.id, "accountId", "createdAt", coalesce(text.chunk_id, chunk.id), configuration, "titleOnly",
         -- The gap keeps phrases from beginning in the title and ending in the content.
         ts_delete(setweight(search_vector(configuration, title), 'A') || '''.'':99'::tsvector
           || search_vector(configuration, content), '.') || array_to_tsvector(terms)
    FROM text JOIN chunk ON chunk.account_id = text."accountId"
   ORDER BY text.id
  ON CONFLICT (document_id) DO UPDATE
    SET configuration = EXCLUDED.configuration, title_only = EXCLUDED.title_only, vector = EXCLUDED.vector
$$;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [{ up }, name] of REPLACED) await runner.query(originalOf(up, name));
    await runner.query('DROP FUNCTION row_count_slot()');
  }
}

/** Returns the statement that puts back a function as earlier SQL defines it, such as for `down`. */
export function originalOf(sql: string, name: string): string {
  const [original] =
    new RegExp(`CREATE (?:OR REPLACE )?FUNCTION ${name}\\([\\s\\S]*?\\n\\$\\$;`).exec(sql) ?? [];
  if (original === undefined) throw new Error(`The SQL has no function ${name}.`);
  return original.replace(/^CREATE FUNCTION/, 'CREATE OR REPLACE FUNCTION');
}
