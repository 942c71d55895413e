import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DELIVERIES } from './first-schema/deliveries.js';
import { originalOf } from './1795550000000-counters-without-waits.js';

/** The SQL of the migration. Later ones take the functions from it. */
export const WEBHOOK_CLAIMS = `
-- Deliveries that a claim has leased, at most some of which have ended since. A row per webhook that claims write under the
-- webhook's advisory lock: an index of leases would have to be written for every lease.
CREATE TABLE webhook_claims (
  webhook_id uuid CONSTRAINT webhook_claims_pkey PRIMARY KEY,
  delivery_ids uuid[] NOT NULL
  -- Half-empty pages: the next version of a row goes beside it and no index entry is written.
) WITH (fillfactor = 50);

-- No foreign key: a claim that meets the removal of its webhook must not fail.
CREATE FUNCTION remove_webhook_claims() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM webhook_claims WHERE webhook_id IN (SELECT id FROM removed);
  RETURN NULL;
END
$$;
CREATE TRIGGER remove_claims AFTER DELETE ON webhooks
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION remove_webhook_claims();

-- As before, except that what is in flight is read from webhook_claims and not only from the front of the queue: a leased
-- retry further back is seen too, so its document gets no second delivery, and the cap counts it.
CREATE OR REPLACE FUNCTION claim_webhook_deliveries(
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
  held uuid[];
  held_subjects uuid[];
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
    SELECT coalesce(array_agg(delivery.id), '{}'), coalesce(array_agg(coalesce(delivery.subject_id, delivery.id)), '{}')
      INTO held, held_subjects
      FROM webhook_claims AS claim JOIN webhook_deliveries AS delivery ON delivery.id = ANY (claim.delivery_ids)
     WHERE claim.webhook_id = hook.id AND delivery.completed_at IS NULL AND delivery.lease_expires_at > clock;
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
                   - greatest(count(*) FILTER (WHERE leased), cardinality(held)))) AS most
          FROM front
      ), turns AS (
        SELECT *, bool_or(leased) OVER (PARTITION BY subject) OR subject = ANY (held_subjects) AS busy,
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
  INSERT INTO webhook_claims AS claim (webhook_id, delivery_ids)
  SELECT lease.webhook_id, array_agg(lease.id) FROM unnest(leases) AS lease GROUP BY 1
  ON CONFLICT (webhook_id) DO UPDATE
     SET delivery_ids = EXCLUDED.delivery_ids || ARRAY(
           SELECT id FROM webhook_deliveries
            WHERE id = ANY (claim.delivery_ids) AND id <> ALL (EXCLUDED.delivery_ids)
              AND completed_at IS NULL AND lease_expires_at > clock_timestamp());
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

-- As before, but rows are locked in the order of ids, so that two workers never deadlock.
CREATE OR REPLACE FUNCTION settle_webhook_deliveries(settled json) RETURNS SETOF uuid LANGUAGE plpgsql VOLATILE
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
  ), held AS MATERIALIZED (
    SELECT id FROM webhook_deliveries WHERE id = ANY (ARRAY(SELECT "deliveryId" FROM item)) ORDER BY id FOR NO KEY UPDATE
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
     WHERE delivery.id = ANY (ARRAY(SELECT id FROM held))
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
`;

/**
 * Records which deliveries of each webhook are leased, so that a claim knows all of them, wherever they stand in the queue
 * (docs/adr/0017-webhook-delivery.md).
 */
export class WebhookClaims1795550000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WEBHOOK_CLAIMS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER remove_claims ON webhooks');
    await runner.query('DROP FUNCTION remove_webhook_claims()');
    for (const name of ['claim_webhook_deliveries', 'settle_webhook_deliveries']) {
      await runner.query(originalOf(DELIVERIES.up, name));
    }
    await runner.query('DROP TABLE webhook_claims');
  }
}
