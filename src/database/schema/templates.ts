import type { SchemaArea } from './schema-area.js';

/** Templates, all of their versions, and which accounts have been given the starter templates. */
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
  variables json NOT NULL,
  -- Open objects to the letter, which the database never looks into.
  metadata text NOT NULL,
  ai_settings text NOT NULL,
  version integer NOT NULL,
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

-- Every version of a template, the current one too.
CREATE TABLE template_versions (
  id uuid CONSTRAINT template_versions_pkey PRIMARY KEY,
  template_id uuid NOT NULL CONSTRAINT template_versions_template_id_fkey REFERENCES templates ON DELETE CASCADE,
  number integer NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  type text NOT NULL,
  title text,
  content text NOT NULL,
  variables json NOT NULL,
  -- Open objects to the letter, which the database never looks into.
  metadata text NOT NULL,
  ai_settings text NOT NULL,
  -- Names of the fields in which it differs from the version before.
  changes text[] NOT NULL,
  author uuid,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX template_versions_number_key ON template_versions (template_id, number);

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
