import type { SchemaArea } from './schema-area.js';

/** What the other areas build on: ids that are made by the database, and exact totals without counting. */
export const FOUNDATION: SchemaArea = {
  up: `
-- An id for rows that the database itself makes. PostgreSQL has uuidv7() from 18 on; the service runs on 15 and later.
-- 48 bits of milliseconds since 1970 replace the beginning of a random id, and two bits make it one of version 7.
CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
    FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$$;

-- Totals of lists and quotas (docs/adr/0008-exact-totals.md): the sum over all slots of an account and kind.
CREATE TABLE row_counts (
  account_id uuid NOT NULL,
  -- 'documents', 'documents.deleted' (the trash), 'events', 'request_log', or 'audit_log.' and an action.
  kind text NOT NULL,
  -- 0 to 15, by the connection that writes, so that concurrent writers of one account seldom wait for each other.
  slot smallint NOT NULL,
  count bigint NOT NULL,
  -- UTF-8 bytes; only of documents. Beside the count, because every create updates that row anyway.
  bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT row_counts_pkey PRIMARY KEY (account_id, kind, slot)
  -- Half-empty pages: a counter's next version goes beside it and no index entry is written.
) WITH (fillfactor = 50);

-- Counts the rows of a table as one kind. A statement trigger sees all rows of the statement at once; the fixed order
-- keeps concurrent writers from deadlocks.
CREATE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS totals (account_id, kind, slot, count)
    SELECT account_id, TG_TABLE_NAME, pg_backend_pid() % 16, count(*) FROM added GROUP BY 1 ORDER BY 1
    ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
  ELSE
    INSERT INTO row_counts AS totals (account_id, kind, slot, count)
    SELECT account_id, TG_TABLE_NAME, pg_backend_pid() % 16, -count(*) FROM removed GROUP BY 1 ORDER BY 1
    ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
  END IF;
  RETURN NULL;
END
$$;
`,
  down: `
DROP TABLE row_counts;
DROP FUNCTION count_rows(), uuid_v7();
`,
};
