/** One row: the latest time that workers saw, and how far they are in moving what was planned before a step back. */
export const CLOCK_TABLE = `CREATE TABLE database_clock (
  id boolean NOT NULL DEFAULT true CONSTRAINT database_clock_pkey PRIMARY KEY,
  seen_at timestamptz(3) NOT NULL,
  step interval,
  moved_webhook_id uuid,
  moved_next_attempt_at timestamptz(3),
  moved_sequence bigint
)`;

/** Deliveries looked at by one call. */
const BATCH = 5_000;

/** What is planned so near waits for it at most, and may have been planned after the step. */
const NEAR = `interval '30 seconds'`;

/** A time that was planned before the step, by the clock as it is now. */
const moved = (column: string) =>
  `CASE WHEN ${column} > clock + ${NEAR} THEN ${column} - state.step ELSE ${column} END`;

const isFar = (...columns: string[]) =>
  columns.map((column) => `${column} > clock + ${NEAR}`).join(' OR ');

/**
 * Notes the time, at most once in \`every_ms\` over all workers. When it is earlier than what was noted, moves all times
 * that were planned by the earlier clock back by as much: deliveries in batches, the next with each call while \`more\`.
 * \`stepped_ms\` is told by the call that noticed it.
 */
export const FOLLOW_FUNCTION = `CREATE FUNCTION follow_database_clock(
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
    IF state.step <= ${NEAR} THEN
      UPDATE database_clock SET seen_at = clock;
      RETURN;
    END IF;
    state.moved_webhook_id := '00000000-0000-0000-0000-000000000000';
    state.moved_next_attempt_at := '-infinity';
    state.moved_sequence := 0;
    UPDATE webhooks
       SET circuit_probe_at = ${moved('circuit_probe_at')}, circuit_opened_at = ${moved('circuit_opened_at')},
           failing_since = ${moved('failing_since')}
     WHERE ${isFar('circuit_probe_at', 'circuit_opened_at', 'failing_since')};
    UPDATE jobs SET run_at = ${moved('run_at')}, lease_expires_at = ${moved('lease_expires_at')}
     WHERE status IN ('queued', 'running') AND (${isFar('run_at', 'lease_expires_at')});
  END IF;

  WITH looked AS MATERIALIZED (
    SELECT id, webhook_id, next_attempt_at, sequence FROM webhook_deliveries
     WHERE status = 'pending' AND (webhook_id, next_attempt_at, sequence)
             > (state.moved_webhook_id, state.moved_next_attempt_at, state.moved_sequence)
     ORDER BY webhook_id, next_attempt_at, sequence LIMIT ${String(BATCH)}
  ), changed AS (
    UPDATE webhook_deliveries AS delivery
       SET next_attempt_at = ${moved('delivery.next_attempt_at')},
           lease_expires_at = ${moved('delivery.lease_expires_at')}
      FROM looked
     WHERE delivery.id = looked.id AND delivery.completed_at IS NULL
       AND (${isFar('delivery.next_attempt_at', 'delivery.lease_expires_at')})
  )
  -- What was moved stands before this place, so that nothing is moved twice.
  SELECT count(*) OVER () AS size, * INTO batch FROM looked
   ORDER BY webhook_id DESC, next_attempt_at DESC, sequence DESC LIMIT 1;
  more := coalesce(batch.size, 0) = ${String(BATCH)};
  UPDATE database_clock
     SET seen_at = clock, step = CASE WHEN more THEN state.step END, moved_webhook_id = batch.webhook_id,
         moved_next_attempt_at = batch.next_attempt_at, moved_sequence = batch.sequence;
  PERFORM pg_notify('webhook_deliveries', ''), pg_notify('jobs', '');
END
$$`;
