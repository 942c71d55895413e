import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What changing documents needs: superseded versions, the audit log, outcomes by idempotency key. */
export class DocumentChanges1760000003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...DOCUMENTS, ...AUDIT_LOG, ...IDEMPOTENCY]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys, audit_log, document_versions');
    await runner.query('DROP FUNCTION refuse_change()');
    await runner.query('DROP INDEX documents_deleted_at_idx');
    await runner.query(`ALTER TABLE documents
      DROP COLUMN version_author, DROP COLUMN version_changes, DROP COLUMN delta_bytes, DROP COLUMN delta_count`);
  }
}

const DOCUMENTS = [
  `ALTER TABLE documents
    ADD COLUMN version_author uuid,
    ADD COLUMN version_changes text[],
    ADD COLUMN delta_bytes integer NOT NULL DEFAULT 0,
    ADD COLUMN delta_count integer NOT NULL DEFAULT 0`,
  'CREATE INDEX documents_deleted_at_idx ON documents (deleted_at, id) WHERE deleted_at IS NOT NULL',
  `CREATE TABLE document_versions (
    document_id uuid NOT NULL,
    number integer NOT NULL,
    account_id uuid NOT NULL,
    title text NOT NULL,
    type text NOT NULL,
    content text,
    content_delta json,
    status text NOT NULL,
    metadata json,
    ai_settings json,
    word_count integer NOT NULL,
    author uuid NOT NULL,
    changes text[] NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT document_versions_pkey PRIMARY KEY (document_id, number),
    CONSTRAINT document_versions_content_check CHECK ((content IS NULL) <> (content_delta IS NULL))
  )`,
];

const AUDIT_LOG = [
  `CREATE TABLE audit_log (
    id uuid CONSTRAINT audit_log_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    action text NOT NULL,
    resource_id uuid,
    user_id uuid,
    key_id uuid,
    request_id text,
    client_address text,
    user_agent text,
    details json NOT NULL,
    created_at timestamptz(3) NOT NULL
  ) WITH (autovacuum_vacuum_insert_scale_factor = 0.02)`,
  'CREATE INDEX audit_log_account_id_created_at_idx ON audit_log (account_id, created_at, id)',
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% only grows', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END
  $$`,
  `CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
];

const IDEMPOTENCY = [
  `CREATE TABLE idempotency_keys (
    id bytea CONSTRAINT idempotency_keys_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    body_hash bytea NOT NULL,
    outcome_encrypted bytea NOT NULL,
    expires_at timestamptz(3) NOT NULL
  )`,
  'CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at)',
];
