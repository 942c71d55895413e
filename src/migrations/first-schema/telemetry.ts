import type { SchemaArea } from './schema-area.js';

/** The log of requests, and the totals of requests and deliveries (docs/adr/0019-audit-log-request-log-and-observability.md). */
export const TELEMETRY: SchemaArea = {
  up: `
-- Requests with API keys, without bodies. Bounded in days and rows; what is missing is counted in unlogged_requests.
CREATE TABLE request_log (
  -- The request's id.
  id uuid CONSTRAINT request_log_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  user_id uuid NOT NULL,
  method text NOT NULL,
  -- The route's pattern, and the path as it was sent, with its query.
  route text NOT NULL,
  path text NOT NULL,
  status smallint NOT NULL,
  duration_ms real NOT NULL,
  client_address text,
  user_agent text,
  -- What the answer said of a failure.
  error json,
  created_at timestamptz(3) NOT NULL
  -- Vacuumed after 2 % of new rows: counting by an index reads only pages that are known to be visible.
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX request_log_account_id_created_at_idx ON request_log (account_id, created_at, id) INCLUDE (status);

CREATE TRIGGER count_added AFTER INSERT ON request_log
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON request_log
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

-- How many requests of an hour the log does not have, and why.
CREATE TABLE unlogged_requests (
  account_id uuid NOT NULL,
  hour timestamptz(3) NOT NULL,
  -- 'busy': beyond what a process writes in a second; 'outage': the database was away; 'full': newer ones took the place.
  reason text NOT NULL,
  count bigint NOT NULL,
  CONSTRAINT unlogged_requests_pkey PRIMARY KEY (account_id, hour, reason),
  CONSTRAINT unlogged_requests_reason_check CHECK ("reason" IN ('busy', 'outage', 'full'))
);
${usageTable('usage_minutes')}
${usageTable('usage_hours')}
-- The last batch that each process has added to the totals: one whose answer was lost is not added twice.
CREATE TABLE usage_writers (
  id uuid CONSTRAINT usage_writers_pkey PRIMARY KEY,
  batch bigint NOT NULL,
  written_at timestamptz(3) NOT NULL
) WITH (fillfactor = 50);
`,
  down: `
DROP TABLE usage_writers, usage_hours, usage_minutes, unlogged_requests, request_log;
`,
};

/** Counters of one length of time. */
function usageTable(name: string): string {
  return `
CREATE TABLE ${name} (
  account_id uuid NOT NULL,
  -- 'requests' or 'deliveries', which are attempts to deliver.
  metric text NOT NULL,
  -- When the minute or the hour began.
  at timestamptz(3) NOT NULL,
  -- Of a request its method and route, of a delivery nothing.
  route text NOT NULL,
  -- The key, or the webhook.
  source_id uuid NOT NULL,
  -- Of a request the class of its status, of a delivery what came of it.
  outcome text NOT NULL,
  count bigint NOT NULL,
  -- How many took how long, by the bounds of src/usage/totals/latency.ts.
  latency bigint[] NOT NULL,
  CONSTRAINT ${name}_pkey PRIMARY KEY (account_id, metric, at, route, source_id, outcome)
  -- Half-empty pages: a counter's next version goes beside it and no index entry is written.
) WITH (fillfactor = 50);
CREATE INDEX ${name}_at_idx ON ${name} (at);
`;
}
