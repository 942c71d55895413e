import type { SchemaArea } from './schema-area.js';

/**
 * The three steps of sending: find what is due, lease it, write what came of it (docs/adr/0017-webhook-delivery.md). Functions,
 * because each is one atomic step and plans badly from statistics: a queue grows from nothing to 100,000 rows
 * within seconds, and a plan made for the empty table would read all of it. So each forbids the plans that would, and
 * the first two keep their one plan, because making it takes longer than the step. Where a row is found by its id,
 * "pending" is written as "not completed": the word would let the planner read the whole index of pending rows.
 * All times are the database's own, which all workers share.
 */
export const DELIVERIES: SchemaArea = {
  up: `
-- Webhooks that have something pending which is due, or will be within so many milliseconds, and those whose pending
-- deliveries nobody will send ("inactive"). One step of the index a webhook (a "loose index scan"), however many rows
-- each has. Those of a suspended account wait. "dueInMs" is negative when it is overdue; an open circuit counts until its probe.
CREATE FUNCTION due_webhooks(within_ms integer, first_delay_ms integer)
RETURNS TABLE ("webhookId" uuid, "dueInMs" double precision, "inactive" boolean) LANGUAGE sql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
  WITH RECURSIVE heads AS (
    (SELECT webhook_id, next_attempt_at, attempts FROM webhook_deliveries
      WHERE status = 'pending' ORDER BY webhook_id, next_attempt_at, sequence LIMIT 1)
    UNION ALL
    SELECT following.* FROM heads CROSS JOIN LATERAL (
      SELECT webhook_id, next_attempt_at, attempts FROM webhook_deliveries
       WHERE status = 'pending' AND webhook_id > heads.webhook_id
       ORDER BY webhook_id, next_attempt_at, sequence LIMIT 1) AS following
  ), waits AS (
    SELECT heads.webhook_id, webhook.status IS DISTINCT FROM 'active' AS inactive,
           account.suspended_at IS NOT NULL AS suspended,
           extract(epoch FROM greatest(
             heads.next_attempt_at + CASE WHEN attempts = 0 THEN first_delay_ms ELSE 0 END * interval '1 millisecond',
             webhook.circuit_probe_at) - clock_timestamp()) * 1000 AS due_in_ms
      FROM heads LEFT JOIN webhooks AS webhook ON webhook.id = heads.webhook_id
           LEFT JOIN accounts AS account ON account.id = webhook.account_id
  )
  SELECT webhook_id, due_in_ms::double precision, inactive FROM waits
   WHERE inactive OR (due_in_ms <= within_ms AND NOT suspended)
$$;

-- Leases due deliveries of the wanted webhooks, in the order given: at most allowances[i] of each, and max_rows with
-- about max_bytes of bodies in all, a sixteenth of the bytes for one webhook. Over all workers at most "cap" of a
-- webhook are in flight, one while its circuit is open, and one of each subject, the earliest planned first.
--
-- Claims of one webhook take turns by an advisory lock; each looks only after it has it (a statement of a volatile
-- function sees what was committed before that statement), so two workers never hold deliveries of one subject.
-- Leased rows keep their place in the index: they are at its front, and a lease changes no index.
CREATE FUNCTION claim_webhook_deliveries(
  wanted uuid[], allowances integer[], max_rows integer, max_bytes bigint, cap integer, lease_ms integer,
  first_delay_ms integer
) RETURNS TABLE (
  "deliveryId" uuid, "generation" integer, "attempts" integer, "earlierAttempts" integer, "accountId" uuid,
  "eventId" uuid, "webhookId" uuid, "url" text, "secret" bytea, "previousSecret" bytea,
  "headers" bytea, "failingForMs" double precision, "overdueMs" double precision, "body" text
) LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_indexscan = on SET enable_indexonlyscan = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  hook record;
  asked_at timestamptz;
  clock timestamptz;
  rows_left integer := max_rows;
  bytes_left bigint := max_bytes;
  reach integer;
  choice record;
  chosen tid[] := '{}';
  leases webhook_deliveries[];
BEGIN
  -- In one order, so that no two workers wait for each other. A claim takes milliseconds; leaving out what another one
  -- is just claiming would leave this worker without deliveries of the webhook until its next look.
  PERFORM pg_advisory_xact_lock(key)
     FROM (SELECT hashtextextended(id::text, 0) AS key FROM unnest(wanted) AS id ORDER BY key) AS locks;
  asked_at := clock_timestamp();
  FOR hook IN
    SELECT webhook.id, webhook.payload, webhook.circuit_opened_at, webhook.circuit_probe_at, item.allowance
      FROM unnest(wanted, allowances) WITH ORDINALITY AS item (id, allowance, place)
      JOIN webhooks AS webhook ON webhook.id = item.id AND webhook.status = 'active'
      JOIN accounts AS account ON account.id = webhook.account_id AND account.suspended_at IS NULL
      -- Most are asked for once more when their delivery has ended and nothing is left: that costs a look, not a choice.
      CROSS JOIN LATERAL (
        SELECT FROM webhook_deliveries AS due
         WHERE due.webhook_id = webhook.id AND due.status = 'pending' AND due.next_attempt_at <= asked_at
           AND coalesce(due.lease_expires_at <= asked_at, true)
         ORDER BY due.webhook_id, due.next_attempt_at, due.sequence LIMIT 1) AS first_due
     ORDER BY item.place
  LOOP
    EXIT WHEN rows_left <= 0 OR bytes_left <= 0;
    clock := clock_timestamp();
    CONTINUE WHEN hook.circuit_probe_at > clock;
    reach := cap * 2;
    LOOP
      WITH front AS MATERIALIZED (
        SELECT ctid AS row, sequence, next_attempt_at, event_id, thin, coalesce(subject_id, id) AS subject,
               coalesce(lease_expires_at > clock, false) AS leased
          FROM webhook_deliveries
         WHERE webhook_id = hook.id AND status = 'pending' AND next_attempt_at <= clock
           AND (attempts > 0 OR next_attempt_at <= clock - first_delay_ms * interval '1 millisecond')
         ORDER BY webhook_id, next_attempt_at, sequence
         LIMIT reach
      ), room AS MATERIALIZED (
        SELECT count(*) AS seen, greatest(0, least(
                 rows_left, hook.allowance,
                 CASE WHEN hook.circuit_opened_at IS NULL THEN cap ELSE 1 END
                   - count(*) FILTER (WHERE leased))) AS most
          FROM front
      ), turns AS (
        SELECT *, bool_or(leased) OVER (PARTITION BY subject) AS busy,
               row_number() OVER (PARTITION BY subject ORDER BY sequence) AS turn
          FROM front
      ), free AS (
        SELECT row, next_attempt_at, sequence, event_id, thin FROM turns WHERE NOT busy AND turn = 1
         ORDER BY next_attempt_at, sequence
         LIMIT (SELECT most FROM room)
      ), sized AS (
        SELECT free.row, row_number() OVER place AS place, coalesce(sum(event.bytes) OVER place, 0) AS bytes
          FROM free LEFT JOIN LATERAL (
            SELECT octet_length(CASE WHEN coalesce(free.thin, hook.payload = 'thin') THEN thin_body
                                     ELSE full_body END) AS bytes
              FROM events WHERE events.id = free.event_id OFFSET 0) AS event ON true
        WINDOW place AS (ORDER BY next_attempt_at, sequence)
      ), fitting AS (
        SELECT *, place = 1 OR bytes <= least(bytes_left, max_bytes / 16) AS fits FROM sized
      )
      SELECT max(room.seen) AS seen, max(room.most) AS most, count(fitting.row) AS found,
             array_agg(fitting.row) FILTER (WHERE fits) AS rows,
             max(fitting.bytes) FILTER (WHERE fits) AS bytes
        INTO choice
        FROM room LEFT JOIN fitting ON true;
      -- Further only when a few subjects crowd the beginning: the others must not wait for all of theirs.
      EXIT WHEN choice.found >= choice.most OR choice.seen < reach OR reach >= 2000;
      reach := least(reach * 8, 2000);
    END LOOP;
    chosen := chosen || choice.rows;
    rows_left := rows_left - coalesce(cardinality(choice.rows), 0);
    bytes_left := bytes_left - coalesce(choice.bytes, 0);
  END LOOP;
  IF cardinality(chosen) = 0 THEN RETURN; END IF;
  -- All of them at once, where they were seen: whatever has moved meanwhile somebody else has just changed.
  PERFORM set_config('enable_indexscan', 'off', true);
  WITH free AS MATERIALIZED (
    SELECT ctid AS row FROM webhook_deliveries
     WHERE ctid = ANY (chosen) AND completed_at IS NULL
       AND (lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())
       FOR UPDATE SKIP LOCKED
  ), leased AS (
    UPDATE webhook_deliveries AS delivery
       SET lease_expires_at = clock_timestamp() + lease_ms * interval '1 millisecond',
           lease_generation = delivery.lease_generation + 1
     WHERE ctid = ANY (ARRAY(SELECT row FROM free))
    RETURNING delivery
  )
  SELECT array_agg(leased.delivery) INTO leases FROM leased;
  PERFORM set_config('enable_indexscan', 'on', true);
  RETURN QUERY
    SELECT lease.id, lease.lease_generation, lease.attempts, lease.earlier_attempts, lease.account_id, lease.event_id,
           hook.id, hook.url, hook.secret_encrypted,
           CASE WHEN hook.previous_secret_expires_at > clock THEN hook.previous_secret_encrypted END,
           hook.headers_encrypted,
           (extract(epoch FROM clock - hook.failing_since) * 1000)::double precision,
           (extract(epoch FROM clock - lease.next_attempt_at) * 1000)::double precision,
           event.body
      FROM unnest(leases) AS lease
      CROSS JOIN LATERAL (SELECT * FROM webhooks WHERE webhooks.id = lease.webhook_id OFFSET 0) AS hook
      LEFT JOIN LATERAL (
        SELECT CASE WHEN coalesce(lease.thin, hook.payload = 'thin') THEN thin_body ELSE full_body END AS body
          FROM events WHERE events.id = lease.event_id OFFSET 0) AS event ON true
     ORDER BY lease.sequence;
END
$$;

-- Writes what came of attempts, a JSON array with one object each, and returns the ids that were still leased to the
-- caller; for all others nothing is written. An acknowledgement that is repeated because its answer was lost finds the
-- number of attempts moved on, and is answered as if it were the first.
CREATE FUNCTION settle_webhook_deliveries(settled json) RETURNS SETOF uuid LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  written uuid[];
BEGIN
  WITH item AS MATERIALIZED (
    SELECT * FROM json_to_recordset(settled) AS item (
      "deliveryId" uuid, generation integer, number integer, status text, "delayMs" double precision,
      "startedAt" timestamptz, "durationMs" integer, "requestHeaders" json, "responseStatus" integer,
      "responseHeaders" json, "responseExcerpt" text, "errorClass" text, "errorMessage" text)
  ), ended AS (
    UPDATE webhook_deliveries AS delivery
       SET status = item.status,
           attempts = item.number,
           lease_expires_at = NULL,
           last_error_class = item."errorClass",
           next_attempt_at = CASE item.status
             WHEN 'pending' THEN clock_timestamp() + item."delayMs" * interval '1 millisecond'
             ELSE delivery.next_attempt_at END,
           completed_at = CASE item.status WHEN 'pending' THEN NULL ELSE clock_timestamp() END
      FROM item
     WHERE delivery.id = ANY (ARRAY(SELECT "deliveryId" FROM item))
       AND delivery.id = item."deliveryId" AND delivery.lease_generation = item.generation
       AND delivery.completed_at IS NULL AND delivery.attempts = item.number - 1
    RETURNING delivery.id, delivery.lease_generation
  ), recorded AS (
    INSERT INTO webhook_delivery_attempts (delivery_id, number, started_at, duration_ms, request_headers,
      response_status, response_headers, response_excerpt, error_class, error_message)
    SELECT item."deliveryId", item.number, item."startedAt", item."durationMs", item."requestHeaders",
           item."responseStatus", item."responseHeaders", item."responseExcerpt", item."errorClass",
           item."errorMessage"
      FROM ended JOIN item ON item."deliveryId" = ended.id AND item.generation = ended.lease_generation
    RETURNING delivery_id
  )
  SELECT coalesce(array_agg(delivery_id), '{}') INTO written FROM recorded;
  RETURN QUERY SELECT unnest(written);

  IF cardinality(written) < json_array_length(settled) THEN
    RETURN QUERY
    WITH item AS MATERIALIZED (
      SELECT * FROM json_to_recordset(settled) AS item (
      "deliveryId" uuid, generation integer, number integer, status text, "delayMs" double precision,
      "startedAt" timestamptz, "durationMs" integer, "requestHeaders" json, "responseStatus" integer,
      "responseHeaders" json, "responseExcerpt" text, "errorClass" text, "errorMessage" text)
    )
    SELECT delivery.id
      FROM webhook_deliveries AS delivery JOIN item ON item."deliveryId" = delivery.id
     WHERE delivery.id = ANY (ARRAY(SELECT "deliveryId" FROM item)) AND delivery.id <> ALL (written)
       AND delivery.lease_generation = item.generation AND delivery.attempts = item.number;
  END IF;
END
$$;
`,
  down: `
DROP FUNCTION settle_webhook_deliveries(json);
DROP FUNCTION claim_webhook_deliveries(uuid[], integer[], integer, bigint, integer, integer, integer);
DROP FUNCTION due_webhooks(integer, integer);
`,
};
