import type { SchemaArea } from './schema-area.js';

/** Documents, their superseded versions, and the triggers that keep their number and size. */
export const DOCUMENTS: SchemaArea = {
  up: `
-- No foreign keys: each would lock the account's row at every insert (docs/adr/0006-persistence.md).
CREATE TABLE documents (
  id uuid CONSTRAINT documents_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  -- Compared by code point, so that the order is the same on every machine.
  title text COLLATE "C" NOT NULL,
  type text NOT NULL,
  content text NOT NULL,
  -- The first 200 characters of the content, so that lists need not read it.
  excerpt text NOT NULL,
  status text NOT NULL,
  -- json, not jsonb: kept to the letter, key order and spelling of numbers too.
  metadata json NOT NULL,
  ai_settings json NOT NULL,
  -- The client's own id, compared by code point.
  external_id text COLLATE "C",
  template_id uuid,
  word_count integer NOT NULL,
  -- The current version, from 1. Those before it are in document_versions.
  version integer NOT NULL,
  -- The user who made the current version (null: the creator), and the fields it changed (null: the first version).
  version_author uuid,
  version_changes text[],
  -- What made the current version, where it was not a person's own change.
  version_origin json,
  -- Bytes and number of the deltas kept since the last version whose content was kept whole.
  delta_bytes integer NOT NULL DEFAULT 0,
  delta_count integer NOT NULL DEFAULT 0,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- When it was put into the trash.
  deleted_at timestamptz(3),
  CONSTRAINT documents_type_check CHECK ("type" IN ('document', 'report', 'article', 'research', 'technical')),
  CONSTRAINT documents_status_check CHECK ("status" IN ('draft', 'in_review', 'published', 'archived'))
  -- Vacuumed after 2 % of new rows: counting by an index reads only pages that are known to be visible.
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);

-- One index a sort; with the id as tie-break each serves both directions, and index-only scans for deep pages.
CREATE INDEX documents_created_at_idx ON documents (account_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX documents_updated_at_idx ON documents (account_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX documents_title_idx ON documents (account_id, title, id) WHERE deleted_at IS NULL;
CREATE INDEX documents_word_count_idx ON documents (account_id, word_count, id) WHERE deleted_at IS NULL;
-- The trash keeps its external ids and holds none of them back (docs/adr/0054-external-ids.md).
CREATE UNIQUE INDEX documents_external_id_idx ON documents (account_id, external_id)
  WHERE deleted_at IS NULL AND external_id IS NOT NULL;
-- Which documents have been in the trash for long enough, over all accounts.
CREATE INDEX documents_deleted_at_idx ON documents (deleted_at, id) WHERE deleted_at IS NOT NULL;

-- Versions that a later one has replaced (docs/adr/0023-versions-as-reverse-deltas.md).
CREATE TABLE document_versions (
  document_id uuid NOT NULL,
  number integer NOT NULL,
  account_id uuid NOT NULL,
  title text NOT NULL,
  type text NOT NULL,
  -- Whole, or as a delta that makes it from the content of the next version.
  content text,
  content_delta json,
  status text NOT NULL,
  -- Null where they equal those of the next version.
  metadata json,
  ai_settings json,
  external_id text,
  word_count integer NOT NULL,
  author uuid NOT NULL,
  -- Names of the fields in which it differs from the version before.
  changes text[] NOT NULL,
  -- What made it, where it was not a person's own change.
  origin json,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT document_versions_pkey PRIMARY KEY (document_id, number),
  CONSTRAINT document_versions_content_check CHECK ((content IS NULL) <> (content_delta IS NULL))
);

-- UTF-8 bytes of what is stored of a document. Inlined by the planner; sizes are read without the texts themselves.
CREATE FUNCTION document_bytes(title text, content text, metadata json, ai_settings json) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT octet_length(title)::bigint + octet_length(content) + octet_length(metadata::text)
         + octet_length(ai_settings::text)
$$;

-- Keeps number and bytes of the documents of each account, those in the trash apart, in row_counts. A statement trigger
-- sees all rows of the statement at once; the fixed order keeps concurrent writers from deadlocks.
CREATE FUNCTION count_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
    SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END AS kind,
           pg_backend_pid() % 16, count(*), sum(document_bytes(title, content, metadata, ai_settings))
      FROM added GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (account_id, kind, slot)
      DO UPDATE SET count = totals.count + EXCLUDED.count, bytes = totals.bytes + EXCLUDED.bytes;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
    SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END AS kind,
           pg_backend_pid() % 16, -count(*), -sum(document_bytes(title, content, metadata, ai_settings))
      FROM removed GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (account_id, kind, slot)
      DO UPDATE SET count = totals.count + EXCLUDED.count, bytes = totals.bytes + EXCLUDED.bytes;
  ELSE
    INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
    SELECT account_id, kind, pg_backend_pid() % 16, sum(rows), sum(bytes)
      FROM (SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END AS kind,
                   1 AS rows, document_bytes(title, content, metadata, ai_settings) AS bytes FROM added
            UNION ALL
            SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END,
                   -1, -document_bytes(title, content, metadata, ai_settings) FROM removed) AS changes
     GROUP BY 1, 2 HAVING sum(rows) <> 0 OR sum(bytes) <> 0 ORDER BY 1, 2
    ON CONFLICT (account_id, kind, slot)
      DO UPDATE SET count = totals.count + EXCLUDED.count, bytes = totals.bytes + EXCLUDED.bytes;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_added AFTER INSERT ON documents
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_documents();
CREATE TRIGGER count_removed AFTER DELETE ON documents
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_documents();
CREATE TRIGGER count_changed AFTER UPDATE ON documents
  REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_documents();
`,
  down: `
DROP TABLE document_versions, documents;
DROP FUNCTION count_documents(), document_bytes(text, text, json, json);
`,
};
