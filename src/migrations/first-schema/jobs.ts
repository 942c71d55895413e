import type { SchemaArea } from './schema-area.js';

/** Work in the background, and the files it reads and makes, in pieces that every replica can serve. */
export const JOBS: SchemaArea = {
  up: `
CREATE TABLE stored_files (
  id uuid CONSTRAINT stored_files_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  -- Compressed, as they are kept.
  stored_bytes bigint NOT NULL DEFAULT 0,
  -- Moves on while the file is written; after it the file is removed.
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX stored_files_account_id_idx ON stored_files (account_id);
CREATE INDEX stored_files_expires_at_idx ON stored_files (expires_at);

-- Pieces of 256 KiB, from number 1. No foreign key: they are removed piece by piece, and a cascade would do it in one
-- statement.
CREATE TABLE stored_file_chunks (
  file_id uuid NOT NULL,
  number integer NOT NULL,
  -- Compressed already.
  bytes bytea NOT NULL,
  CONSTRAINT stored_file_chunks_pkey PRIMARY KEY (file_id, number)
);
ALTER TABLE stored_file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Times of leases and run_at are on the database's clock, which all workers share.
CREATE TABLE jobs (
  id uuid CONSTRAINT jobs_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  kind text NOT NULL,
  status text NOT NULL DEFAULT 'queued',
  input json NOT NULL,
  input_file_id uuid,
  -- Who asked for it, by which request.
  context json NOT NULL,
  -- Jobs of a kind are begun in the order of their turns, in which accounts alternate.
  turn integer NOT NULL DEFAULT 0,
  -- Progress, in units of the kind.
  done bigint NOT NULL DEFAULT 0,
  total bigint,
  -- Begun so far, this one too.
  attempts integer NOT NULL DEFAULT 0,
  -- How often it crashed or hung its thread, took too long, or took its worker with it.
  crashes integer NOT NULL DEFAULT 0,
  run_at timestamptz(3) NOT NULL,
  -- Until when a worker holds the job; null when none does. Each lease is a new generation, so that a worker that was
  -- paused beyond its lease writes nothing.
  lease_expires_at timestamptz(3),
  lease_generation integer NOT NULL DEFAULT 0,
  result json,
  result_file_id uuid,
  error json,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  CONSTRAINT jobs_status_check CHECK ("status" IN ('queued', 'running', 'succeeded', 'failed', 'cancelled'))
);
CREATE INDEX jobs_account_id_created_at_idx ON jobs (account_id, created_at, id);
-- What may be claimed, in the order in which it is.
CREATE INDEX jobs_queued_idx ON jobs (kind, turn, id) WHERE status = 'queued';
CREATE INDEX jobs_running_idx ON jobs (kind, account_id) WHERE status = 'running';
CREATE INDEX jobs_unfinished_idx ON jobs (account_id, kind) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_finished_at_idx ON jobs (finished_at) WHERE finished_at IS NOT NULL;
`,
  down: `
DROP TABLE jobs, stored_file_chunks, stored_files;
`,
};
