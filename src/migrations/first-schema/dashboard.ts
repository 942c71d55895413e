import type { SchemaArea } from './schema-area.js';

/** What only the dashboard has: receivers for trying webhooks, and accounts whose data is being removed. */
export const DASHBOARD: SchemaArea = {
  up: `
-- An address of the service itself that shows what is sent to it.
CREATE TABLE test_receivers (
  id uuid CONSTRAINT test_receivers_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT test_receivers_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
  -- The last part of the URL. Whoever has it can send, and read nothing.
  token text NOT NULL,
  url text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX test_receivers_token_key ON test_receivers (token);
CREATE INDEX test_receivers_account_id_idx ON test_receivers (account_id, created_at);
CREATE INDEX test_receivers_expires_at_idx ON test_receivers (expires_at);

CREATE TABLE received_deliveries (
  id uuid CONSTRAINT received_deliveries_pkey PRIMARY KEY,
  receiver_id uuid NOT NULL CONSTRAINT received_deliveries_receiver_id_fkey REFERENCES test_receivers ON DELETE CASCADE,
  received_at timestamptz(3) NOT NULL,
  event_type text,
  headers json NOT NULL,
  body text NOT NULL,
  signature text NOT NULL,
  CONSTRAINT received_deliveries_signature_check CHECK ("signature" IN ('valid', 'invalid', 'unknown'))
);
CREATE INDEX received_deliveries_receiver_id_idx ON received_deliveries (receiver_id, received_at, id);

-- Accounts that are gone and whose documents, events, files and counts workers remove bit by bit.
CREATE TABLE deleted_accounts (
  account_id uuid CONSTRAINT deleted_accounts_pkey PRIMARY KEY,
  deleted_at timestamptz(3) NOT NULL
);

-- Removes at most so many rows of one table of an account that is gone, and tells how many; 0 when nothing is left but
-- the audit log, which only grows. Deliveries go with their events, because they have no index by account.
CREATE FUNCTION remove_account_rows(account uuid, most integer) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  kept text;
  removed bigint;
BEGIN
  WITH gone AS MATERIALIZED (
    SELECT id FROM events WHERE account_id = account ORDER BY created_at, id LIMIT most
  ), deliveries AS (
    DELETE FROM webhook_deliveries WHERE event_id IN (SELECT id FROM gone) RETURNING id
  ), attempts AS (
    DELETE FROM webhook_delivery_attempts WHERE delivery_id IN (SELECT id FROM deliveries)
  )
  DELETE FROM events WHERE id IN (SELECT id FROM gone);
  GET DIAGNOSTICS removed = ROW_COUNT;
  IF removed > 0 THEN RETURN removed; END IF;

  DELETE FROM stored_file_chunks WHERE (file_id, number) IN (
    SELECT file_id, number FROM stored_file_chunks
     WHERE file_id IN (SELECT id FROM stored_files WHERE account_id = account) LIMIT least(most, 200));
  GET DIAGNOSTICS removed = ROW_COUNT;
  IF removed > 0 THEN RETURN removed; END IF;

  -- Every table that says whose a row is, also later ones. The counts go last: what is removed before changes them.
  FOR kept IN
    SELECT class.relname FROM pg_class AS class JOIN pg_attribute AS attribute ON attribute.attrelid = class.oid
     WHERE class.relnamespace = current_schema()::regnamespace AND class.relkind = 'r'
       AND attribute.attname = 'account_id' AND NOT attribute.attisdropped
       AND class.relname NOT IN ('audit_log', 'deleted_accounts', 'webhook_deliveries')
     ORDER BY class.relname = 'row_counts', class.relname
  LOOP
    EXECUTE format('DELETE FROM %1$I WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$I WHERE account_id = $1 LIMIT $2))', kept)
      USING account, most;
    GET DIAGNOSTICS removed = ROW_COUNT;
    IF removed > 0 THEN RETURN removed; END IF;
  END LOOP;
  RETURN 0;
END
$$;
`,
  down: `
DROP FUNCTION remove_account_rows(uuid, integer);
DROP TABLE deleted_accounts, received_deliveries, test_receivers;
`,
};
