import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether an account publishes versions of its documents (docs/adr/0044-published-versions.md). */
export class PublishingSettings1795650000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- Accounts that never turned publishing on have no row.
CREATE TABLE publishing_settings (
  account_id uuid CONSTRAINT publishing_settings_pkey PRIMARY KEY,
  enabled boolean NOT NULL,
  -- How long websites may reuse a response. 0: they ask each time.
  cache_seconds integer NOT NULL,
  -- Whether caches that several readers share may store responses.
  shared_cache boolean NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- Whether the pins of all documents agree with "enabled". The worker adds or removes the others.
  settled boolean NOT NULL,
  -- The last document that the worker has looked at.
  seen_created_at timestamptz(3),
  seen_id uuid,
  -- When the worker began to look at all documents.
  pass_began_at timestamptz(3)
);
CREATE INDEX publishing_settings_settled_idx ON publishing_settings (account_id) WHERE NOT settled;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE publishing_settings');
  }
}

/**
 * The published version of each document. Operators of large databases can run the ALTER TABLE and the index of documents
 * before the upgrade, the index with CONCURRENTLY.
 */
export class PublishedVersions1795650000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- Neither column needs a rewrite.
ALTER TABLE documents
  -- The version that readers get. Null: none.
  ADD COLUMN IF NOT EXISTS published_version integer,
  -- Whether a later version changed the text or its metadata.
  ADD COLUMN IF NOT EXISTS has_unpublished_changes boolean NOT NULL DEFAULT false;
CREATE INDEX IF NOT EXISTS documents_unpublished_changes_idx ON documents (account_id, created_at, id)
  WHERE has_unpublished_changes AND deleted_at IS NULL;

-- Documents as they were published, with the columns that lists read, so that lists only swap the table.
CREATE TABLE publications (
  -- The document's.
  id uuid CONSTRAINT publications_pkey PRIMARY KEY
    CONSTRAINT publications_id_fkey REFERENCES documents ON DELETE CASCADE,
  account_id uuid NOT NULL,
  title text COLLATE "C" NOT NULL,
  type text NOT NULL,
  content text NOT NULL,
  excerpt text NOT NULL,
  status text NOT NULL,
  metadata json NOT NULL,
  ai_settings json NOT NULL,
  template_id uuid,
  word_count integer NOT NULL,
  -- The published version and its author (null: the creator).
  version integer NOT NULL,
  version_author uuid,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- As of the document: a move, another external ID and the trash take effect at once.
  external_id text COLLATE "C",
  collection_id uuid NOT NULL,
  deleted_at timestamptz(3),
  -- Counts the publications of the document, because versions fall after a rollback.
  number integer NOT NULL,
  published_at timestamptz(3) NOT NULL,
  first_published_at timestamptz(3) NOT NULL
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX publications_created_at_idx ON publications (account_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX publications_updated_at_idx ON publications (account_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX publications_first_published_at_idx ON publications (account_id, first_published_at, id) WHERE deleted_at IS NULL;
CREATE INDEX publications_title_idx ON publications (account_id, title, id) WHERE deleted_at IS NULL;
CREATE INDEX publications_word_count_idx ON publications (account_id, word_count, id) WHERE deleted_at IS NULL;
CREATE INDEX publications_type_idx ON publications (account_id, type, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX publications_collection_id_idx ON publications (account_id, collection_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX publications_external_id_idx ON publications (account_id, external_id)
  WHERE deleted_at IS NULL AND external_id IS NOT NULL;

-- What readers saw, and when.
CREATE TABLE publication_history (
  document_id uuid NOT NULL
    CONSTRAINT publication_history_document_id_fkey REFERENCES documents ON DELETE CASCADE,
  number integer NOT NULL,
  account_id uuid NOT NULL,
  version integer NOT NULL,
  published_at timestamptz(3) NOT NULL,
  -- Null: the service, when publishing was turned on.
  published_by uuid,
  -- Null: readers still see it.
  ended_at timestamptz(3),
  CONSTRAINT publication_history_pkey PRIMARY KEY (document_id, number)
);
CREATE INDEX publication_history_account_id_idx ON publication_history (account_id);

-- The words of published texts that differ from the words of their documents in document_texts. A row without words hides
-- those of the document until the worker has compared both texts.
CREATE TABLE publication_texts (
  document_id uuid NOT NULL CONSTRAINT publication_texts_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Null: not indexed yet.
  chunk_id integer,
  configuration text NOT NULL,
  title_only boolean NOT NULL,
  vector tsvector NOT NULL,
  -- The publication whose words these are.
  number integer NOT NULL
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE publication_texts ALTER vector SET STORAGE MAIN;
CREATE INDEX publication_texts_vector_idx ON publication_texts USING gin (chunk_id, vector)
  WITH (fastupdate = on, gin_pending_list_limit = 262144);
CREATE INDEX publication_texts_account_id_idx ON publication_texts (account_id);

-- Labels of publications have the prefix "p". ON CONFLICT fires the triggers of both commands.
CREATE FUNCTION index_publications() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_slot smallint := row_count_slot();
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM document_labels AS known
     USING (SELECT DISTINCT account_id, deleted_at IS NOT NULL AS deleted, 'p' || label AS label, created_at, id
              FROM removed, metadata_labels(metadata) AS label) AS gone
     WHERE known.account_id = gone.account_id AND known.deleted = gone.deleted AND known.label = gone.label
       AND known.created_at = gone.created_at AND known.document_id = gone.id;
    INSERT INTO row_counts AS totals (account_id, kind, slot, count)
    SELECT account_id, 'publications', own_slot, -count(*) FROM removed WHERE deleted_at IS NULL GROUP BY 1
    ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO document_labels
    SELECT DISTINCT account_id, deleted_at IS NOT NULL, 'p' || label, created_at, id FROM added, metadata_labels(metadata) AS label;
    INSERT INTO row_counts AS totals (account_id, kind, slot, count)
    SELECT account_id, 'publications', own_slot, count(*) FROM added WHERE deleted_at IS NULL GROUP BY 1
    ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
  END IF;
  -- Only the indexer fills and removes rows of publication_texts.
  IF TG_OP = 'INSERT' THEN
    INSERT INTO publication_texts (document_id, account_id, created_at, configuration, title_only, vector, number)
    SELECT id, account_id, created_at, '', false, '', number FROM added ORDER BY id
    ON CONFLICT (document_id) DO UPDATE
      SET chunk_id = NULL, configuration = '', title_only = false, vector = '', number = EXCLUDED.number;
    INSERT INTO search_changes (account_id, document_id) SELECT account_id, id FROM added;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO search_changes (account_id, document_id)
    SELECT added.account_id, added.id FROM added JOIN removed USING (id) WHERE added.number <> removed.number;
  ELSE
    INSERT INTO search_changes (account_id, document_id) SELECT account_id, id FROM removed;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER index_added AFTER INSERT ON publications
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION index_publications();
CREATE TRIGGER index_changed AFTER UPDATE ON publications
  REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION index_publications();
CREATE TRIGGER index_removed AFTER DELETE ON publications
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION index_publications();

CREATE FUNCTION move_publication() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE publications
     SET collection_id = NEW.collection_id, external_id = NEW.external_id, deleted_at = NEW.deleted_at
   WHERE id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER move_publication AFTER UPDATE ON documents FOR EACH ROW
  WHEN (NEW.published_version IS NOT NULL
        AND (NEW.collection_id, NEW.external_id, NEW.deleted_at)
            IS DISTINCT FROM (OLD.collection_id, OLD.external_id, OLD.deleted_at))
  EXECUTE FUNCTION move_publication();

-- Puts the words of publications into the index, in the chunks of their documents: the objects of index_texts with "number",
-- the publication they were read from. For one caller at a time, after index_texts.
CREATE FUNCTION index_publication_texts(batch json) RETURNS void LANGUAGE sql AS $$
  WITH text AS MATERIALIZED (
    SELECT text.*, known.chunk_id
      FROM json_to_recordset(batch) AS text (id uuid, "accountId" uuid, "createdAt" timestamptz, number integer,
             configuration text, "titleOnly" boolean, title text[], content text[], terms text[])
      JOIN document_texts AS known ON known.document_id = text.id
  ), widened AS (
    UPDATE search_chunks
       SET configurations = ARRAY(SELECT unnest(search_chunks.configurations) UNION SELECT unnest(more.configurations))
      FROM (SELECT chunk_id AS id, array_agg(DISTINCT configuration) AS configurations FROM text GROUP BY 1) AS more
     WHERE search_chunks.id = more.id AND NOT search_chunks.configurations @> more.configurations
  )
  INSERT INTO publication_texts (document_id, account_id, created_at, chunk_id, configuration, title_only, vector, number)
  SELECT id, "accountId", "createdAt", chunk_id, configuration, "titleOnly",
         ts_delete(setweight(search_vector(configuration, title), 'A') || '''.'':99'::tsvector
           || search_vector(configuration, content), '.') || array_to_tsvector(terms), number
    FROM text ORDER BY id
  ON CONFLICT (document_id) DO UPDATE
    SET chunk_id = EXCLUDED.chunk_id, configuration = EXCLUDED.configuration, title_only = EXCLUDED.title_only,
        vector = EXCLUDED.vector, number = EXCLUDED.number
    -- A later publication waits for its own turn.
    WHERE publication_texts.number <= EXCLUDED.number
$$;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DELETE FROM document_labels WHERE label LIKE 'p%';
DELETE FROM row_counts WHERE kind = 'publications';
DROP TRIGGER move_publication ON documents;
DROP TABLE publication_texts, publication_history, publications;
DROP FUNCTION index_publication_texts(json), move_publication(), index_publications();
ALTER TABLE documents DROP COLUMN has_unpublished_changes, DROP COLUMN published_version;
`);
  }
}
