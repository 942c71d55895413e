import type { SchemaArea } from './schema-area.js';

/** The audit log: who did what, by which request. */
export const AUDIT: SchemaArea = {
  up: `
CREATE TABLE audit_log (
  id uuid CONSTRAINT audit_log_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  action text NOT NULL,
  resource_id uuid,
  -- Null for what the service does by itself.
  user_id uuid,
  key_id uuid,
  request_id text,
  client_address text,
  user_agent text,
  details json NOT NULL,
  created_at timestamptz(3) NOT NULL
  -- Vacuumed after 2 % of new rows: counting by an index reads only pages that are known to be visible.
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- The further columns let one index answer every filter but the resource's; each index costs every change.
CREATE INDEX audit_log_account_id_created_at_idx ON audit_log (account_id, created_at, id)
  INCLUDE (action, user_id, key_id);
CREATE INDEX audit_log_resource_id_idx ON audit_log (resource_id, created_at, id);
-- From a request to what it changed.
CREATE INDEX audit_log_request_id_idx ON audit_log (request_id) WHERE request_id IS NOT NULL;

-- One counter for each action, so that totals of the list under an action or a type of resource need no count.
CREATE FUNCTION count_audit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_counts AS totals (account_id, kind, slot, count)
  SELECT account_id, 'audit_log.' || action, pg_backend_pid() % 16, count(*)
    FROM added GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_added AFTER INSERT ON audit_log
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_audit_entries();

-- The log only grows.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% only grows', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`,
  down: `
DROP TABLE audit_log;
DROP FUNCTION refuse_change(), count_audit_entries();
`,
};
