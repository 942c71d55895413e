/**
 * The baseline's own tables. `uuidv7()` (PostgreSQL 18) keeps primary keys time-ordered, and the
 * three-column index serves both the newest page and `count(*)` without touching the table.
 */
export const BASELINE_SCHEMA = `
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
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX documents_newest ON documents (account_id, created_at, id);
`;
