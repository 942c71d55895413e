import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Work in the background, and the files it reads and makes, in pieces that every replica can serve. */
export class Jobs1760000009000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE jobs, stored_file_chunks, stored_files');
  }
}

const STATEMENTS = [
  `CREATE TABLE stored_files (
    id uuid CONSTRAINT stored_files_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    stored_bytes bigint NOT NULL DEFAULT 0,
    expires_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL
  )`,
  'CREATE INDEX stored_files_account_id_idx ON stored_files (account_id)',
  'CREATE INDEX stored_files_expires_at_idx ON stored_files (expires_at)',
  // No foreign key: what belongs to a file is removed piece by piece, and a cascade would do it in one statement.
  `CREATE TABLE stored_file_chunks (
    file_id uuid NOT NULL,
    number integer NOT NULL,
    bytes bytea NOT NULL,
    CONSTRAINT stored_file_chunks_pkey PRIMARY KEY (file_id, number)
  )`,
  // They are compressed already.
  'ALTER TABLE stored_file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL',
  `CREATE TABLE jobs (
    id uuid CONSTRAINT jobs_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    kind text NOT NULL,
    status text NOT NULL DEFAULT 'queued',
    input json NOT NULL,
    input_file_id uuid,
    cause json NOT NULL,
    turn integer NOT NULL DEFAULT 0,
    done bigint NOT NULL DEFAULT 0,
    total bigint,
    attempts integer NOT NULL DEFAULT 0,
    crashes integer NOT NULL DEFAULT 0,
    run_at timestamptz(3) NOT NULL,
    lease_expires_at timestamptz(3),
    lease_generation integer NOT NULL DEFAULT 0,
    result json,
    result_file_id uuid,
    error json,
    created_at timestamptz(3) NOT NULL,
    started_at timestamptz(3),
    finished_at timestamptz(3),
    CONSTRAINT jobs_status_check CHECK ("status" IN ('queued', 'running', 'succeeded', 'failed', 'cancelled'))
  )`,
  'CREATE INDEX jobs_account_id_created_at_idx ON jobs (account_id, created_at, id)',
  // What may be claimed, in the order in which it is.
  `CREATE INDEX jobs_queued_idx ON jobs (kind, turn, id) WHERE status = 'queued'`,
  `CREATE INDEX jobs_running_idx ON jobs (kind, account_id) WHERE status = 'running'`,
  `CREATE INDEX jobs_unfinished_idx ON jobs (account_id, kind) WHERE status IN ('queued', 'running')`,
  'CREATE INDEX jobs_finished_at_idx ON jobs (finished_at) WHERE finished_at IS NOT NULL',
];
