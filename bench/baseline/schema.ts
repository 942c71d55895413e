/**
 * The baseline's own tables. `uuidv7()` (PostgreSQL 18) keeps primary keys in time order, and the three-column index
 * serves both the newest page and `count(*)` without reading the table. So does the index for the filter. A stored
 * `tsvector` finds words, with the account in the same index.
 */
export const BASELINE_SCHEMA = `
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  name text NOT NULL,
  email text NOT NULL
);
CREATE TABLE api_keys (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id),
  key_hash bytea NOT NULL UNIQUE,
  revoked_at timestamptz
);
CREATE TABLE documents (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  title text NOT NULL,
  type text NOT NULL,
  content text NOT NULL,
  status text NOT NULL DEFAULT 'draft',
  metadata json NOT NULL,
  ai_settings json NOT NULL,
  word_count integer NOT NULL,
  created_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  tsv tsvector NOT NULL GENERATED ALWAYS AS (
    setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', content), 'B')) STORED
);
CREATE INDEX documents_newest ON documents (account_id, created_at, id);
CREATE INDEX documents_type ON documents (account_id, type, created_at, id);
CREATE INDEX documents_words ON documents USING gin (account_id, tsv);
`;
