import type { SchemaArea } from './schema-area.js';

/** Search and filters; docs/adr/0011-lists-and-search.md says why it is so. */
export const SEARCH: SchemaArea = {
  up: `
-- Trusted since PostgreSQL 13: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Indexes of documents: one a filter. With the time and the id behind it each counts without reading the table, and
-- gives the newest first.
CREATE INDEX documents_type_idx ON documents (account_id, type, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX documents_status_idx ON documents (account_id, status, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX documents_created_by_idx ON documents (account_id, created_by, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX documents_template_id_idx ON documents (account_id, template_id, created_at, id)
  WHERE deleted_at IS NULL AND template_id IS NOT NULL;
-- The trash, in each order.
CREATE INDEX documents_deleted_created_at_idx ON documents (account_id, created_at, id) WHERE deleted_at IS NOT NULL;
-- Searches ask of each match whether it is in the trash.
CREATE INDEX documents_deleted_id_idx ON documents (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX documents_deleted_updated_at_idx ON documents (account_id, updated_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX documents_deleted_title_idx ON documents (account_id, title, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX documents_deleted_word_count_idx ON documents (account_id, word_count, id) WHERE deleted_at IS NOT NULL;

-- The values in the metadata of documents, tags too. Not a GIN index of documents: that has to visit every match in the
-- table to count it.
CREATE TABLE document_labels (
  account_id uuid NOT NULL,
  deleted boolean NOT NULL,
  label text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  document_id uuid NOT NULL,
  CONSTRAINT document_labels_pkey PRIMARY KEY (account_id, deleted, label, created_at, document_id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);

-- Documents whose text changed since it was indexed, in the order of changes.
CREATE TABLE search_changes (
  account_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  document_id uuid NOT NULL,
  noted_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT search_changes_pkey PRIMARY KEY (account_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Neighbours in the order of creation, of one account. A search goes from chunk to chunk, the newest first, and stops when
-- it has enough: GIN by itself can neither begin with the newest nor stop early.
CREATE TABLE search_chunks (
  id integer GENERATED ALWAYS AS IDENTITY CONSTRAINT search_chunks_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  documents integer NOT NULL,
  -- Text search configurations of the documents in it.
  configurations text[] NOT NULL
);
CREATE INDEX search_chunks_account_id_idx ON search_chunks (account_id, id);

CREATE TABLE document_texts (
  document_id uuid NOT NULL CONSTRAINT document_texts_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  chunk_id integer NOT NULL,
  configuration text NOT NULL,
  -- Whether the content could not be indexed in time.
  title_only boolean NOT NULL,
  vector tsvector NOT NULL
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.02);
-- Ranking reads many vectors: up to a page they stay in the row.
ALTER TABLE document_texts ALTER vector SET STORAGE MAIN;
-- The worker merges the pending entries itself after each batch.
CREATE INDEX document_texts_vector_idx ON document_texts USING gin (chunk_id, vector)
  WITH (fastupdate = on, gin_pending_list_limit = 262144);
CREATE INDEX document_texts_title_only_idx ON document_texts (account_id) WHERE title_only;

-- The label of a value in metadata; the length keeps "a=b" = "c" and "a" = "b=c" apart. An index entry has little room:
-- long ones are known by their hash.
CREATE FUNCTION metadata_label(path text, value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(path) + octet_length(value) <= 500 THEN octet_length(path) || ':' || path || '=' || value
              ELSE '#' || encode(sha256(convert_to(octet_length(path) || ':' || path || '=' || value, 'UTF8')), 'hex') END
$$;

-- Labels of the texts, numbers and booleans in an object as they were sent, those in lists too; paths have dots.
CREATE FUNCTION metadata_labels(metadata json) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 10 AS $$
  WITH RECURSIVE node AS (
    SELECT NULL::text AS path, metadata AS value, 'object' AS kind
    UNION ALL
    SELECT member.path, member.value, json_typeof(member.value)
      FROM node CROSS JOIN LATERAL (
        SELECT coalesce(node.path || '.', '') || key AS path, each.value
          FROM json_each(CASE node.kind WHEN 'object' THEN node.value END) AS each
        UNION ALL
        SELECT node.path, item FROM json_array_elements(CASE node.kind WHEN 'array' THEN node.value END) AS item
      ) AS member
     WHERE node.kind IN ('object', 'array')
  )
  SELECT metadata_label(path, value #>> '{}') FROM node WHERE kind NOT IN ('object', 'array', 'null')
$$;

CREATE FUNCTION index_added_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_changes (account_id, document_id) SELECT account_id, id FROM added;
  INSERT INTO document_labels
  SELECT DISTINCT account_id, deleted_at IS NOT NULL, label, created_at, id FROM added, metadata_labels(metadata) AS label;
  RETURN NULL;
END
$$;

CREATE FUNCTION index_changed_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_changes (account_id, document_id)
  SELECT added.account_id, added.id FROM added JOIN removed USING (id)
   WHERE added.title <> removed.title OR added.content <> removed.content
      OR added.ai_settings::text <> removed.ai_settings::text;
  IF EXISTS (SELECT FROM added JOIN removed USING (id)
              WHERE added.metadata::text <> removed.metadata::text
                 OR (added.deleted_at IS NULL) <> (removed.deleted_at IS NULL)) THEN
    DELETE FROM document_labels AS known
     USING (SELECT DISTINCT account_id, deleted_at IS NOT NULL AS deleted, label, created_at, id
              FROM removed, metadata_labels(metadata) AS label) AS gone
     WHERE known.account_id = gone.account_id AND known.deleted = gone.deleted AND known.label = gone.label
       AND known.created_at = gone.created_at AND known.document_id = gone.id;
    INSERT INTO document_labels
    SELECT DISTINCT account_id, deleted_at IS NOT NULL, label, created_at, id FROM added, metadata_labels(metadata) AS label;
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION index_removed_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_changes (account_id, document_id) SELECT account_id, id FROM removed;
  DELETE FROM document_texts WHERE document_id IN (SELECT id FROM removed);
  DELETE FROM document_labels AS known
   USING (SELECT DISTINCT account_id, deleted_at IS NOT NULL AS deleted, label, created_at, id
            FROM removed, metadata_labels(metadata) AS label) AS gone
   WHERE known.account_id = gone.account_id AND known.deleted = gone.deleted AND known.label = gone.label
     AND known.created_at = gone.created_at AND known.document_id = gone.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER index_added AFTER INSERT ON documents
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION index_added_documents();
CREATE TRIGGER index_changed AFTER UPDATE ON documents
  REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION index_changed_documents();
CREATE TRIGGER index_removed AFTER DELETE ON documents
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION index_removed_documents();

-- A vector of a text in several spellings, which have the same number of words: each word is there in all of them, at the
-- same place. To put vectors together as text keeps places as they are.
CREATE FUNCTION search_vector(configuration text, spellings text[]) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN cardinality(spellings) = 1 THEN to_tsvector(configuration::regconfig, spellings[1])
              ELSE (SELECT string_agg(to_tsvector(configuration::regconfig, spelling)::text, ' ')
                      FROM unnest(spellings) AS spelling)::tsvector END
$$;

-- What a search asks of the documents of a text search configuration; null when it asks for stop words only. Each literal
-- has words in the syntax of to_tsquery, terms that are there as they stand, and what the words end with as a phrase. Stop
-- words that signs join, as in AT&T, are found as one word.
CREATE FUNCTION search_query(configuration text, alternatives jsonb) RETURNS tsquery LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  config CONSTANT regconfig := configuration;
  alternative jsonb;
  literal jsonb;
  one tsquery;
  every tsquery;
  wanted tsquery;
BEGIN
  FOR alternative IN SELECT jsonb_array_elements(alternatives) LOOP
    every := NULL;
    FOR literal IN SELECT jsonb_array_elements(alternative) LOOP
      one := to_tsquery(config, literal ->> 'words');
      IF literal ? 'terms' THEN
        one := coalesce(one && (literal ->> 'terms')::tsquery, (literal ->> 'terms')::tsquery);
      END IF;
      IF literal ? 'ending' THEN
        one := coalesce(one <-> (literal ->> 'ending')::tsquery, (literal ->> 'ending')::tsquery);
      END IF;
      IF literal ? 'joined' AND numnode(one) = 0 THEN
        one := (literal ->> 'joined')::tsquery;
      END IF;
      IF (literal ->> 'negated')::boolean THEN
        one := !! one;
      END IF;
      every := coalesce(every && one, one, every);
    END LOOP;
    wanted := coalesce(wanted || every, every, wanted);
  END LOOP;
  RETURN CASE WHEN numnode(wanted) > 0 THEN wanted END;
END
$$;

-- Puts texts into the index, new ones into the newest chunk of their account: objects of id, accountId, createdAt,
-- configuration, titleOnly, title and content in their spellings, and terms that are there without a place. For one caller
-- at a time, and fewer texts than a chunk holds.
CREATE FUNCTION index_texts(batch json) RETURNS void LANGUAGE sql AS $$
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
  ON CONFLICT (document_id) DO UPDATE
    SET configuration = EXCLUDED.configuration, title_only = EXCLUDED.title_only, vector = EXCLUDED.vector
$$;
`,
  down: `
DROP TRIGGER index_added ON documents;
DROP TRIGGER index_changed ON documents;
DROP TRIGGER index_removed ON documents;
DROP FUNCTION index_added_documents(), index_changed_documents(), index_removed_documents(),
  index_texts(json), search_query(text, jsonb), search_vector(text, text[]), metadata_labels(json), metadata_label(text, text);
DROP TABLE document_texts, search_chunks, search_changes, document_labels;
DROP INDEX documents_type_idx, documents_status_idx, documents_created_by_idx, documents_template_id_idx,
  documents_deleted_created_at_idx, documents_deleted_id_idx, documents_deleted_updated_at_idx, documents_deleted_title_idx,
  documents_deleted_word_count_idx;
DROP EXTENSION btree_gin;
`,
};
