import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Templates, their versions, and which accounts have been given the starter templates. */
export class Templates1760000007000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE starter_offers, template_versions, templates');
  }
}

const STATEMENTS = [
  `CREATE TABLE templates (
    id uuid CONSTRAINT templates_pkey PRIMARY KEY,
    account_id uuid NOT NULL CONSTRAINT templates_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    description text,
    type text NOT NULL,
    title text,
    content text NOT NULL,
    variables json NOT NULL,
    metadata json NOT NULL,
    ai_settings json NOT NULL,
    version integer NOT NULL,
    created_by uuid,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT templates_type_check CHECK ("type" IN ('document', 'report', 'article', 'research', 'technical'))
  )`,
  'CREATE INDEX templates_created_at_idx ON templates (account_id, created_at, id)',
  'CREATE INDEX templates_updated_at_idx ON templates (account_id, updated_at, id)',
  'CREATE INDEX templates_name_idx ON templates (account_id, name, id)',
  `CREATE TABLE template_versions (
    id uuid CONSTRAINT template_versions_pkey PRIMARY KEY,
    template_id uuid NOT NULL
      CONSTRAINT template_versions_template_id_fkey REFERENCES templates ON DELETE CASCADE,
    number integer NOT NULL,
    account_id uuid NOT NULL,
    name text NOT NULL,
    description text,
    type text NOT NULL,
    title text,
    content text NOT NULL,
    variables json NOT NULL,
    metadata json NOT NULL,
    ai_settings json NOT NULL,
    changes text[] NOT NULL,
    author uuid,
    created_at timestamptz(3) NOT NULL
  )`,
  'CREATE UNIQUE INDEX template_versions_number_key ON template_versions (template_id, number)',
  `CREATE TABLE starter_offers (
    account_id uuid CONSTRAINT starter_offers_pkey PRIMARY KEY
      CONSTRAINT starter_offers_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
    offered_at timestamptz(3) NOT NULL
  )`,
];
