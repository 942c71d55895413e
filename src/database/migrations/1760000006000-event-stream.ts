import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The order in which a stream shows events, and what managing deliveries needs. */
export class EventStream1760000006000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...EVENTS, ...DELIVERIES, PLAN_FUNCTION]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [PLAN_FUNCTION_BEFORE, ...UNDO_DELIVERIES, ...UNDO_EVENTS]) {
      await runner.query(statement);
    }
  }
}

/**
 * Ids are made before the commit, so they do not tell which event was visible first. The number of the transaction does:
 * once every transaction up to a number has ended, nothing can appear below it any more. Two steps, because a volatile
 * default in the first would write every row anew.
 */
const EVENTS = [
  `CREATE FUNCTION transaction_number() RETURNS bigint LANGUAGE sql VOLATILE AS
    'SELECT pg_current_xact_id()::text::bigint'`,
  // Every transaction below it has ended, and the statement that asks sees what it wrote.
  `CREATE FUNCTION oldest_running_transaction() RETURNS bigint LANGUAGE sql STABLE AS
    'SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint'`,
  'ALTER TABLE events ADD transaction_id bigint NOT NULL DEFAULT 0',
  'ALTER TABLE events ALTER transaction_id SET DEFAULT transaction_number()',
  'CREATE INDEX events_account_id_transaction_id_idx ON events (account_id, transaction_id, id)',
];

const UNDO_EVENTS = [
  'DROP INDEX events_account_id_transaction_id_idx',
  'ALTER TABLE events DROP transaction_id',
  'DROP FUNCTION transaction_number(), oldest_running_transaction()',
];

const DELIVERIES = [
  'ALTER TABLE webhook_deliveries ADD event_type text',
  'UPDATE webhook_deliveries AS delivery SET event_type = event.type FROM events AS event WHERE event.id = delivery.event_id',
  // Few rows, and only of receivers that fail: planning and succeeding write nothing here.
  `CREATE INDEX webhook_deliveries_unsuccessful_idx ON webhook_deliveries (webhook_id, created_at, id)
    WHERE status IN ('failed', 'cancelled')`,
];

const UNDO_DELIVERIES = [
  'DROP INDEX webhook_deliveries_unsuccessful_idx',
  'ALTER TABLE webhook_deliveries DROP event_type',
];

/** A test goes to the one webhook that is tested, whatever others listen to: who emits it plans it. */
const PLAN_FUNCTION = `CREATE OR REPLACE FUNCTION plan_webhook_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO webhook_deliveries
        (id, account_id, event_id, webhook_id, subject_id, event_type, thin, next_attempt_at, created_at)
      SELECT uuid_v7(), event.account_id, event.id, webhook.id, event.subject_id, event.type, webhook.payload = 'thin',
             clock_timestamp(), event.created_at
        FROM added AS event
        JOIN webhooks AS webhook
          ON webhook.account_id = event.account_id
         AND webhook.status = 'active'
         AND webhook.events && ARRAY[event.type, split_part(event.type, '.', 1) || '.*', '*']
       WHERE event.type <> 'webhook.test'
       ORDER BY event.id, webhook.id;
      RETURN NULL;
    END
  $$`;

const PLAN_FUNCTION_BEFORE = `CREATE OR REPLACE FUNCTION plan_webhook_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO webhook_deliveries (id, account_id, event_id, webhook_id, subject_id, next_attempt_at, created_at)
      SELECT uuid_v7(), event.account_id, event.id, webhook.id, event.subject_id, clock_timestamp(), event.created_at
        FROM added AS event
        JOIN webhooks AS webhook
          ON webhook.account_id = event.account_id
         AND webhook.status = 'active'
         AND webhook.events && ARRAY[event.type, split_part(event.type, '.', 1) || '.*', '*']
       ORDER BY event.id, webhook.id;
      RETURN NULL;
    END
  $$`;
