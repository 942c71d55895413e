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
  check_encrypted bytea
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

-- Notes the time, at most once in every_ms over all workers. When it is earlier than what was noted, moves all times
-- that were planned by the earlier clock back by as much: deliveries in batches of 5,000, the next with each call while
-- "more". What is planned within 30 seconds waits for them at most, and may have been planned after the step: it stays.
-- "stepped_ms" is told by the call that noticed the step.
CREATE FUNCTION follow_database_clock(
  every_ms integer, OUT stepped_ms double precision, OUT more boolean)
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off AS $$
DECLARE
  state database_clock;
  clock timestamptz;
  batch record;
BEGIN
  more := false;
  SELECT * INTO state FROM database_clock;
  clock := clock_timestamp();
  IF state.step IS NULL AND clock > state.seen_at - interval '1 second' THEN
    IF clock > state.seen_at + every_ms * interval '1 millisecond' THEN
      UPDATE database_clock SET seen_at = clock WHERE seen_at < clock - every_ms * interval '1 millisecond';
    END IF;
    RETURN;
  END IF;

  -- One worker at a time; another one may have done it meanwhile.
  SELECT * INTO state FROM database_clock FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  clock := clock_timestamp();
  IF state.step IS NULL THEN
    IF clock > state.seen_at - interval '1 second' THEN RETURN; END IF;
    state.step := state.seen_at - clock;
    stepped_ms := extract(epoch FROM state.step) * 1000;
    IF state.step <= interval '30 seconds' THEN
      UPDATE database_clock SET seen_at = clock;
      RETURN;
    END IF;
    state.moved_webhook_id := '00000000-0000-0000-0000-000000000000';
    state.moved_next_attempt_at := '-infinity';
    state.moved_sequence := 0;
    UPDATE webhooks
       SET circuit_probe_at = CASE WHEN circuit_probe_at > clock + interval '30 seconds' THEN circuit_probe_at - state.step ELSE circuit_probe_at END, circuit_opened_at = CASE WHEN circuit_opened_at > clock + interval '30 seconds' THEN circuit_opened_at - state.step ELSE circuit_opened_at END,
           failing_since = CASE WHEN failing_since > clock + interval '30 seconds' THEN failing_since - state.step ELSE failing_since END
     WHERE circuit_probe_at > clock + interval '30 seconds' OR circuit_opened_at > clock + interval '30 seconds' OR failing_since > clock + interval '30 seconds';
    UPDATE jobs SET run_at = CASE WHEN run_at > clock + interval '30 seconds' THEN run_at - state.step ELSE run_at END, lease_expires_at = CASE WHEN lease_expires_at > clock + interval '30 seconds' THEN lease_expires_at - state.step ELSE lease_expires_at END
     WHERE status IN ('queued', 'running') AND (run_at > clock + interval '30 seconds' OR lease_expires_at > clock + interval '30 seconds');
  END IF;

  WITH looked AS MATERIALIZED (
    SELECT id, webhook_id, next_attempt_at, sequence FROM webhook_deliveries
     WHERE status = 'pending' AND (webhook_id, next_attempt_at, sequence)
             > (state.moved_webhook_id, state.moved_next_attempt_at, state.moved_sequence)
     ORDER BY webhook_id, next_attempt_at, sequence LIMIT 5000
  ), changed AS (
    UPDATE webhook_deliveries AS delivery
       SET next_attempt_at = CASE WHEN delivery.next_attempt_at > clock + interval '30 seconds' THEN delivery.next_attempt_at - state.step ELSE delivery.next_attempt_at END,
           lease_expires_at = CASE WHEN delivery.lease_expires_at > clock + interval '30 seconds' THEN delivery.lease_expires_at - state.step ELSE delivery.lease_expires_at END
      FROM looked
     WHERE delivery.id = looked.id AND delivery.completed_at IS NULL
       AND (delivery.next_attempt_at > clock + interval '30 seconds' OR delivery.lease_expires_at > clock + interval '30 seconds')
  )
  -- What was moved stands before this place, so that nothing is moved twice.
  SELECT count(*) OVER () AS size, * INTO batch FROM looked
   ORDER BY webhook_id DESC, next_attempt_at DESC, sequence DESC LIMIT 1;
  more := coalesce(batch.size, 0) = 5000;
  UPDATE database_clock
     SET seen_at = clock, step = CASE WHEN more THEN state.step END, moved_webhook_id = batch.webhook_id,
         moved_next_attempt_at = batch.next_attempt_at, moved_sequence = batch.sequence;
  PERFORM pg_notify('webhook_deliveries', ''), pg_notify('jobs', '');
END
$$;
`,
  down: `
DROP FUNCTION follow_database_clock(integer);
DROP TABLE database_clock, secrets_key_check, idempotency_keys;
`,
};
