import type { SchemaArea } from './schema-area.js';

/** What the service notes for itself: outcomes of idempotent requests, the database's clock, the key of its secrets. */
export const SERVICE_STATE: SchemaArea = {
  up: `
-- Outcomes of requests with an Idempotency-Key (docs/adr/0033-what-a-request-leaves-behind.md).
CREATE TABLE idempotency_keys (
  -- SHA-256 of account, principal, method, path and key.
  id bytea CONSTRAINT idempotency_keys_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  -- Who asked: the API key.
  principal_id uuid,
  -- SHA-256, to tell a retry from another request.
  body_hash bytea NOT NULL,
  -- Encrypted, because an outcome holds what a client wrote.
  outcome_encrypted bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);

-- Tells a wrong SECRETS_KEY at the start: a constant, encrypted with the key that the first start had. One row at most.
CREATE TABLE secrets_key_check (
  only_row boolean NOT NULL DEFAULT true
    CONSTRAINT secrets_key_check_pkey PRIMARY KEY
    CONSTRAINT secrets_key_check_only_row_check CHECK ("only_row"),
  -- Null, which an operator who lost the key writes: the key of the next start is taken as it is.
  check_encrypted bytea,
  -- Ids of keys that were lost: a start does not ask for them, though records of them are left.
  lost_key_ids text[] NOT NULL DEFAULT '{}'
);

-- One row: the latest time that workers saw, and while what was planned before a step back of the clock is moved, by
-- how much, and up to which place of the index of pending deliveries (docs/adr/0040-pauses-and-clocks.md).
CREATE TABLE database_clock (
  id boolean NOT NULL DEFAULT true CONSTRAINT database_clock_pkey PRIMARY KEY,
  seen_at timestamptz(3) NOT NULL,
  step interval,
  moved_webhook_id uuid,
  moved_next_attempt_at timestamptz(3),
  moved_sequence bigint
);
INSERT INTO database_clock (seen_at) VALUES (clock_timestamp());
`,
  down: `
DROP TABLE database_clock, secrets_key_check, idempotency_keys;
`,
};
