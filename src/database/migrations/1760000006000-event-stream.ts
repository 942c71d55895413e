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
 * Ids are made before the commit, and so is every number: a transaction that commits later can have the smaller one. So
 * each writer shows, by a lock that nobody waits for, below which position it will write nothing; up to the lowest of
 * those nothing new can appear. Two steps for the column, because a volatile default in the first would write every row
 * anew.
 */
const EVENTS = [
  'CREATE SEQUENCE events_position_seq',
  // Every position is above what the sequence says before it is taken, the first one too.
  `SELECT setval('events_position_seq', 1)`,
  'ALTER TABLE events ADD position bigint NOT NULL DEFAULT 0',
  `ALTER TABLE events ALTER position SET DEFAULT nextval('events_position_seq')`,
  'ALTER SEQUENCE events_position_seq OWNED BY events.position',
  'CREATE INDEX events_account_id_position_idx ON events (account_id, position, id)',
  // Once a transaction: its first position is the lowest. A rollback to a savepoint takes lock and note back together.
  `CREATE FUNCTION show_event_writer() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF coalesce(current_setting('document_service.writes_events', true), '') = '' THEN
        PERFORM pg_advisory_xact_lock_shared((4711::bigint << 48) | last_value) FROM events_position_seq;
        PERFORM set_config('document_service.writes_events', 'yes', true);
      END IF;
      RETURN NULL;
    END
  $$`,
  `CREATE TRIGGER show_writer BEFORE INSERT ON events
    FOR EACH STATEMENT EXECUTE FUNCTION show_event_writer()`,
  // The sequence first, then the locks: who takes a position after the first look takes a higher one. What is read has
  // to be a later statement, which sees everything that was committed before the second look.
  `CREATE FUNCTION settled_event_position() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      taken bigint;
      awaited bigint;
    BEGIN
      SELECT last_value INTO taken FROM events_position_seq;
      SELECT min(((classid::bigint & 65535) << 32) | objid::bigint) INTO awaited FROM pg_locks
       WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = 4711
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
      RETURN least(taken, awaited);
    END
  $$`,
];

const UNDO_EVENTS = [
  'DROP TRIGGER show_writer ON events',
  'DROP FUNCTION settled_event_position(), show_event_writer()',
  'DROP INDEX events_account_id_position_idx',
  'ALTER TABLE events DROP position',
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
