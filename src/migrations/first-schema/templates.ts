import type { SchemaArea } from './schema-area.js';

/** Templates, their superseded versions, and which accounts have been given the starter templates. */
export const TEMPLATES: SchemaArea = {
  up: `
CREATE TABLE templates (
  id uuid CONSTRAINT templates_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT templates_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
  -- Compared by code point, so that the order is the same on every machine.
  name text COLLATE "C" NOT NULL,
  description text,
  type text NOT NULL,
  title text,
  content text NOT NULL,
  -- JSON to the letter, which the database never looks into.
  variables text NOT NULL,
  metadata text NOT NULL,
  ai_settings text NOT NULL,
  -- The current version, from 1. Those before it are in template_versions.
  version integer NOT NULL,
  -- The user who made the current version (null: the creator), and the fields it changed (null: the first version).
  version_author uuid,
  version_changes text[],
  -- Bytes and number of the deltas kept since the last version whose content was kept whole.
  delta_bytes integer NOT NULL DEFAULT 0,
  delta_count integer NOT NULL DEFAULT 0,
  -- Null for one that came with the account.
  created_by uuid,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT templates_type_check CHECK ("type" IN ('document', 'report', 'article', 'research', 'technical'))
);
-- One index a sort, each for both directions.
CREATE INDEX templates_created_at_idx ON templates (account_id, created_at, id);
CREATE INDEX templates_updated_at_idx ON templates (account_id, updated_at, id);
CREATE INDEX templates_name_idx ON templates (account_id, name, id);

-- Versions that a later one has replaced (docs/adr/0023-versions-as-reverse-deltas.md).
CREATE TABLE template_versions (
  template_id uuid NOT NULL CONSTRAINT template_versions_template_id_fkey REFERENCES templates ON DELETE CASCADE,
  number integer NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  type text NOT NULL,
  title text,
  -- Whole, or as a delta that makes it from the content of the next version.
  content text,
  content_delta json,
  variables text NOT NULL,
  metadata text NOT NULL,
  ai_settings text NOT NULL,
  author uuid,
  -- Names of the fields in which it differs from the version before.
  changes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT template_versions_pkey PRIMARY KEY (template_id, number),
  CONSTRAINT template_versions_content_check CHECK ((content IS NULL) <> (content_delta IS NULL))
);

-- Accounts that have been given the starter templates: what they delete of them does not come back.
CREATE TABLE starter_offers (
  account_id uuid CONSTRAINT starter_offers_pkey PRIMARY KEY
    CONSTRAINT starter_offers_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
  offered_at timestamptz(3) NOT NULL
);
`,
  down: `
DROP TABLE starter_offers, template_versions, templates;
`,
};
