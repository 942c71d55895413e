import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Work in the background, and the files it reads and makes, in pieces that every replica can serve. */
export class Jobs1760000009000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION claim_job(text[], integer, integer, integer, timestamptz)');
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
    done bigint NOT NULL DEFAULT 0,
    total bigint,
    attempts integer NOT NULL DEFAULT 0,
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
  `CREATE INDEX jobs_unfinished_idx ON jobs (run_at, id) WHERE status IN ('queued', 'running')`,
  'CREATE INDEX jobs_finished_at_idx ON jobs (finished_at) WHERE finished_at IS NOT NULL',
  // One export and one import of an account at a time.
  `CREATE UNIQUE INDEX jobs_one_at_a_time_key ON jobs (account_id, kind)
    WHERE status IN ('queued', 'running') AND kind IN ('account.export', 'account.import')`,
  // Claims take turns, and each looks only after its turn has come: a statement of a volatile function sees what was
  // committed before it. So no account ever has more than its share under way.
  `CREATE FUNCTION claim_job(
    kinds text[], share integer, max_attempts integer, lease_ms integer, at timestamptz)
  RETURNS TABLE (id uuid, account_id uuid, kind text, input json, input_file_id uuid, cause json, attempts integer,
                 lease_generation integer)
  LANGUAGE plpgsql VOLATILE AS $$
  #variable_conflict use_column
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('jobs.claim', 0));
    RETURN QUERY
    WITH busy AS (
      SELECT account_id FROM jobs
       WHERE status = 'running' AND lease_expires_at > clock_timestamp()
       GROUP BY account_id HAVING count(*) >= share
    ), chosen AS (
      SELECT id FROM jobs
       WHERE status IN ('queued', 'running') AND kind = ANY (kinds) AND run_at <= clock_timestamp()
         AND attempts < max_attempts AND (lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())
         AND account_id NOT IN (SELECT account_id FROM busy)
       ORDER BY run_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    UPDATE jobs AS job
       SET status = 'running', attempts = job.attempts + 1, started_at = coalesce(job.started_at, at), done = 0,
           lease_expires_at = clock_timestamp() + lease_ms * interval '1 millisecond',
           lease_generation = job.lease_generation + 1
      FROM chosen WHERE job.id = chosen.id
    RETURNING job.id, job.account_id, job.kind, job.input, job.input_file_id, job.cause, job.attempts,
              job.lease_generation;
  END
  $$`,
];
