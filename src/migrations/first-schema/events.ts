import type { SchemaArea } from './schema-area.js';

/** The event log, written in the transaction of each change, and the order in which its stream is read. */
export const EVENTS: SchemaArea = {
  up: `
-- Places in the stream. A position is always above what the sequence says before it is taken, the first one too.
CREATE SEQUENCE events_position_seq;
SELECT setval('events_position_seq', 1);

CREATE TABLE events (
  id uuid CONSTRAINT events_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  type text NOT NULL,
  -- What the event is about, such as a document.
  subject_id uuid,
  -- The request that caused it.
  request_id text,
  -- The JSON that webhooks receive, frozen: every delivery sends these bytes.
  full_body text NOT NULL,
  thin_body text NOT NULL,
  -- Of a document: its type, tags and project, before and after the change, by which webhooks filter.
  states jsonb,
  -- The order of the stream, together with the id.
  position bigint NOT NULL DEFAULT nextval('events_position_seq'),
  created_at timestamptz(3) NOT NULL
  -- Vacuumed after 2 % of new rows: counting by an index reads only pages that are known to be visible.
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER SEQUENCE events_position_seq OWNED BY events.position;

-- With the type, by which lists are filtered: one index, because each costs every change.
CREATE INDEX events_account_id_created_at_idx ON events (account_id, created_at, id) INCLUDE (type);
CREATE INDEX events_account_id_position_idx ON events (account_id, position, id);
-- From a document to its events, whose texts go when it is removed for good.
CREATE INDEX events_subject_id_position_idx ON events (subject_id, position);

-- From a request to what it caused.
CREATE INDEX events_request_id_idx ON events (request_id) WHERE request_id IS NOT NULL;

-- What was removed for good, until the texts in its events are gone too: up to "position" they have to go, and up to
-- "erased_to" they are gone.
CREATE TABLE removed_subjects (
  id uuid CONSTRAINT removed_subjects_pkey PRIMARY KEY,
  position bigint NOT NULL,
  erased_to bigint NOT NULL DEFAULT 0
);

CREATE TRIGGER count_added AFTER INSERT ON events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON events
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

-- A position is taken before the commit, so a transaction that commits later can have the smaller one. Each writer
-- therefore shows, by a lock that nobody waits for, below which position it writes nothing; up to the lowest of those
-- nothing new can appear. Once a transaction: its first position is the lowest. A rollback to a savepoint takes lock
-- and setting back together.
CREATE FUNCTION show_event_writer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('document_service.writes_events', true), '') = '' THEN
    PERFORM pg_advisory_xact_lock_shared((4711::bigint << 48) | last_value) FROM events_position_seq;
    PERFORM set_config('document_service.writes_events', 'yes', true);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER show_writer BEFORE INSERT ON events
  FOR EACH STATEMENT EXECUTE FUNCTION show_event_writer();

-- The position up to which the stream may be read, by a later statement: that one sees all that was committed before
-- the locks were looked at. The sequence comes first: who takes a position after it takes a higher one.
CREATE FUNCTION settled_event_position() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
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
$$;
`,
  down: `
DROP TABLE removed_subjects, events;
DROP FUNCTION settled_event_position(), show_event_writer();
`,
};
