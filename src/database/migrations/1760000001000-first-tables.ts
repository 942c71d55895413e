import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users, accounts, keys, documents, events, webhooks and their deliveries; the triggers that count and plan. */
export class FirstTables1760000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...FUNCTIONS, ...TRIGGERS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE webhook_delivery_attempts, webhook_deliveries, webhooks, events, documents,
      row_counts, api_keys, members, users, accounts`);
    await runner.query(
      'DROP FUNCTION count_documents(), count_rows(), plan_webhook_deliveries(), uuid_v7()',
    );
  }
}

const TABLES = [
  `CREATE TABLE accounts (
    id uuid CONSTRAINT accounts_pkey PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL,
    minute_limit integer,
    hour_limit integer,
    day_limit integer,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT accounts_plan_check CHECK ("plan" IN ('free', 'plus', 'pro', 'enterprise'))
  )`,
  `CREATE TABLE users (
    id uuid CONSTRAINT users_pkey PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    created_at timestamptz(3) NOT NULL
  )`,
  'CREATE UNIQUE INDEX users_email_key ON users (email)',
  `CREATE TABLE members (
    account_id uuid NOT NULL CONSTRAINT members_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
    user_id uuid NOT NULL CONSTRAINT members_user_id_fkey REFERENCES users ON DELETE CASCADE,
    role text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT members_pkey PRIMARY KEY (account_id, user_id),
    CONSTRAINT members_role_check CHECK ("role" IN ('owner', 'admin', 'member', 'viewer'))
  )`,
  'CREATE INDEX members_user_id_idx ON members (user_id)',
  `CREATE TABLE api_keys (
    id uuid CONSTRAINT api_keys_pkey PRIMARY KEY,
    account_id uuid NOT NULL CONSTRAINT api_keys_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
    user_id uuid NOT NULL CONSTRAINT api_keys_user_id_fkey REFERENCES users ON DELETE CASCADE,
    name text NOT NULL,
    key_hash bytea NOT NULL,
    last_four text NOT NULL,
    scopes text[] NOT NULL,
    allowed_ips text[] NOT NULL DEFAULT '{}',
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    replaced_by uuid,
    last_used_at timestamptz(3),
    created_at timestamptz(3) NOT NULL
  )`,
  'CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys (key_hash)',
  'CREATE INDEX api_keys_account_id_created_at_idx ON api_keys (account_id, created_at, id)',
  `CREATE TABLE row_counts (
    account_id uuid NOT NULL,
    kind text NOT NULL,
    slot smallint NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT row_counts_pkey PRIMARY KEY (account_id, kind, slot)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE documents (
    id uuid CONSTRAINT documents_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    title text COLLATE "C" NOT NULL,
    type text NOT NULL,
    content text NOT NULL,
    excerpt text NOT NULL,
    status text NOT NULL,
    metadata json NOT NULL,
    ai_settings json NOT NULL,
    template_id uuid,
    word_count integer NOT NULL,
    version integer NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3),
    CONSTRAINT documents_type_check CHECK ("type" IN ('document', 'report', 'article', 'research', 'technical')),
    CONSTRAINT documents_status_check CHECK ("status" IN ('draft', 'in_review', 'published', 'archived'))
  ) WITH (autovacuum_vacuum_insert_scale_factor = 0.02)`,
  // One index a sort; with the id as tie-break each serves both directions and index-only scans for deep pages.
  'CREATE INDEX documents_created_at_idx ON documents (account_id, created_at, id) WHERE deleted_at IS NULL',
  'CREATE INDEX documents_updated_at_idx ON documents (account_id, updated_at, id) WHERE deleted_at IS NULL',
  'CREATE INDEX documents_title_idx ON documents (account_id, title, id) WHERE deleted_at IS NULL',
  'CREATE INDEX documents_word_count_idx ON documents (account_id, word_count, id) WHERE deleted_at IS NULL',
  `CREATE TABLE events (
    id uuid CONSTRAINT events_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    type text NOT NULL,
    subject_id uuid,
    full_body text NOT NULL,
    thin_body text NOT NULL,
    created_at timestamptz(3) NOT NULL
  ) WITH (autovacuum_vacuum_insert_scale_factor = 0.02)`,
  'CREATE INDEX events_account_id_created_at_idx ON events (account_id, created_at, id)',
  `CREATE TABLE webhooks (
    id uuid CONSTRAINT webhooks_pkey PRIMARY KEY,
    account_id uuid NOT NULL CONSTRAINT webhooks_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
    url text NOT NULL,
    events text[] NOT NULL,
    payload text NOT NULL,
    description text,
    secret_encrypted bytea NOT NULL,
    secret_preview text NOT NULL,
    status text NOT NULL DEFAULT 'active',
    disabled_reason text,
    last_delivery_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT webhooks_status_check CHECK ("status" IN ('active', 'disabled')),
    CONSTRAINT webhooks_payload_check CHECK ("payload" IN ('full', 'thin'))
  )`,
  'CREATE INDEX webhooks_account_id_created_at_idx ON webhooks (account_id, created_at, id)',
  'CREATE INDEX webhooks_account_id_updated_at_idx ON webhooks (account_id, updated_at, id)',
  `CREATE TABLE webhook_deliveries (
    id uuid CONSTRAINT webhook_deliveries_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    status text NOT NULL DEFAULT 'pending',
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3) NOT NULL,
    lease_expires_at timestamptz(3),
    lease_generation integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3),
    CONSTRAINT webhook_deliveries_status_check CHECK ("status" IN ('pending', 'succeeded', 'failed', 'cancelled'))
  )`,
  `CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (webhook_id, next_attempt_at, id)
    WHERE status = 'pending'`,
  'CREATE INDEX webhook_deliveries_webhook_id_idx ON webhook_deliveries (webhook_id, created_at, id)',
  'CREATE INDEX webhook_deliveries_event_id_idx ON webhook_deliveries (event_id)',
  `CREATE TABLE webhook_delivery_attempts (
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamptz(3) NOT NULL,
    duration_ms integer NOT NULL,
    request_headers json NOT NULL,
    response_status integer,
    response_headers json,
    response_excerpt text,
    error_class text,
    CONSTRAINT webhook_delivery_attempts_pkey PRIMARY KEY (delivery_id, number)
  )`,
];

const FUNCTIONS = [
  // PostgreSQL has uuidv7() from 18 on; the service runs on 15 and later.
  `CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
      FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
  $$`,
  // Statement triggers see all rows of a statement at once. The fixed order keeps concurrent writers from deadlocks.
  `CREATE FUNCTION count_documents() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO row_counts AS totals (account_id, kind, slot, count)
        SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END AS kind,
               pg_backend_pid() % 16, count(*)
          FROM added GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO row_counts AS totals (account_id, kind, slot, count)
        SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END AS kind,
               pg_backend_pid() % 16, -count(*)
          FROM removed GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
      ELSE
        INSERT INTO row_counts AS totals (account_id, kind, slot, count)
        SELECT account_id, kind, pg_backend_pid() % 16, sum(delta)
          FROM (SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END AS kind,
                       1 AS delta FROM added
                UNION ALL
                SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END,
                       -1 FROM removed) AS changes
         GROUP BY 1, 2 HAVING sum(delta) <> 0 ORDER BY 1, 2
        ON CONFLICT (account_id, kind, slot) DO UPDATE SET count = totals.count + EXCLUDED.count;
      END IF;
      RETURN NULL;
    END
  $$`,
  `CREATE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql AS $$
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
  $$`,
  // An event owes one delivery to each active webhook of its account that listens to its type or to a pattern of it.
  `CREATE FUNCTION plan_webhook_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO webhook_deliveries (id, account_id, event_id, webhook_id, next_attempt_at, created_at)
      SELECT uuid_v7(), event.account_id, event.id, webhook.id, event.created_at, event.created_at
        FROM added AS event
        JOIN webhooks AS webhook
          ON webhook.account_id = event.account_id
         AND webhook.status = 'active'
         AND webhook.events && ARRAY[event.type, split_part(event.type, '.', 1) || '.*', '*'];
      RETURN NULL;
    END
  $$`,
];

const TRIGGERS = [
  `CREATE TRIGGER count_added AFTER INSERT ON documents
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_documents()`,
  `CREATE TRIGGER count_removed AFTER DELETE ON documents
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_documents()`,
  `CREATE TRIGGER count_changed AFTER UPDATE ON documents
    REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_documents()`,
  `CREATE TRIGGER count_added AFTER INSERT ON events
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows()`,
  `CREATE TRIGGER count_removed AFTER DELETE ON events
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows()`,
  `CREATE TRIGGER plan_deliveries AFTER INSERT ON events
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION plan_webhook_deliveries()`,
];
