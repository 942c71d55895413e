/**
 * The three steps of sending that plan badly from statistics: a queue grows from nothing to a hundred thousand rows
 * within seconds, and a plan made for the empty table would read all of it. So each function forbids what would, and
 * keeps its one plan, because making it takes longer than the claim. Where a row is found by its id, "pending" is
 * written as "not completed": the word would let the planner read the whole index of pending rows instead.
 * All times are the database's own, which all workers share.
 */
const INDEX_ONLY = `SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan`;

/**
 * Webhooks that have something pending which is due, or will be within so many milliseconds, and those whose pending
 * deliveries nobody will send. One step of the index a webhook (a "loose index scan"), however many rows each has.
 * `dueInMs` is negative when it is overdue; an open circuit counts until its probe.
 */
export const DUE_FUNCTION = `CREATE FUNCTION due_webhooks(within_ms integer, first_delay_ms integer)
RETURNS TABLE ("webhookId" uuid, "dueInMs" double precision, "inactive" boolean)
LANGUAGE sql VOLATILE ${INDEX_ONLY} AS $$
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
           extract(epoch FROM greatest(
             heads.next_attempt_at + CASE WHEN attempts = 0 THEN first_delay_ms ELSE 0 END * interval '1 millisecond',
             webhook.circuit_probe_at) - clock_timestamp()) * 1000 AS due_in_ms
      FROM heads LEFT JOIN webhooks AS webhook ON webhook.id = heads.webhook_id
  )
  SELECT webhook_id, due_in_ms::double precision, inactive FROM waits WHERE inactive OR due_in_ms <= within_ms
$$`;

/**
 * Leases due deliveries of the wanted webhooks, in the order given: at most `allowances[i]` of each, and `max_rows` with
 * about `max_bytes` of bodies in all, a sixteenth of them for one webhook. Over all workers at most `cap` of a webhook
 * are under way, one while its circuit is open, and one of each subject, the earliest planned first.
 *
 * Claims of one webhook take turns by an advisory lock; each looks only after it has the lock (a statement of a
 * function sees what was committed before that statement), so two workers never hold deliveries of one subject.
 * Leased rows keep their place in the index: they are at its front, and a lease changes no index.
 */
export const CLAIM_FUNCTION = `CREATE FUNCTION claim_webhook_deliveries(
  wanted uuid[], allowances integer[], max_rows integer, max_bytes bigint, cap integer, lease_ms integer,
  first_delay_ms integer)
RETURNS TABLE (
  "deliveryId" uuid, "generation" integer, "attempts" integer, "earlierAttempts" integer, "accountId" uuid,
  "eventId" uuid, "webhookId" uuid, "url" text, "secret" bytea, "previousSecret" bytea, "failingForMs" double precision, "overdueMs" double precision,
  "body" text)
LANGUAGE plpgsql VOLATILE ${INDEX_ONLY} AS $$
#variable_conflict use_column
DECLARE
  hook record;
  clock timestamptz;
  rows_left integer := max_rows;
  bytes_left bigint := max_bytes;
  claimed record;
BEGIN
  FOR hook IN
    SELECT webhook.*, item.allowance
      FROM unnest(wanted, allowances) WITH ORDINALITY AS item (id, allowance, place)
      JOIN webhooks AS webhook ON webhook.id = item.id AND webhook.status = 'active'
     ORDER BY item.place
  LOOP
    EXIT WHEN rows_left <= 0 OR bytes_left <= 0;
    -- Another worker is just claiming of this webhook: it takes what is there.
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(hashtextextended(hook.id::text, 0));
    clock := clock_timestamp();
    CONTINUE WHEN hook.circuit_probe_at > clock;
    FOR claimed IN
      WITH near AS MATERIALIZED (
        SELECT id, sequence, next_attempt_at, event_id, thin, coalesce(subject_id, id) AS subject,
               coalesce(lease_expires_at > clock, false) AS leased
          FROM webhook_deliveries
         WHERE webhook_id = hook.id AND status = 'pending' AND next_attempt_at <= clock
           AND (attempts > 0 OR next_attempt_at <= clock - first_delay_ms * interval '1 millisecond')
         ORDER BY webhook_id, next_attempt_at, sequence
         LIMIT cap * 4
      ), front AS MATERIALIZED (
        SELECT * FROM near
        UNION ALL
        -- Only when a few subjects crowd the beginning: the others must not wait for all of theirs.
        (SELECT id, sequence, next_attempt_at, event_id, thin, coalesce(subject_id, id), coalesce(lease_expires_at > clock, false)
           FROM webhook_deliveries
          WHERE webhook_id = hook.id AND status = 'pending' AND next_attempt_at <= clock
            AND (attempts > 0 OR next_attempt_at <= clock - first_delay_ms * interval '1 millisecond')
          ORDER BY webhook_id, next_attempt_at, sequence
         OFFSET cap * 4
          LIMIT (SELECT CASE WHEN count(*) = cap * 4 AND count(DISTINCT subject) FILTER (WHERE NOT leased) < hook.allowance
                        THEN 2000 ELSE 0 END FROM near))
      ), turns AS (
        SELECT *, bool_or(leased) OVER (PARTITION BY subject) AS busy,
               row_number() OVER (PARTITION BY subject ORDER BY sequence) AS turn
          FROM front
      ), chosen AS (
        SELECT id, next_attempt_at, sequence, event_id, thin FROM turns WHERE NOT busy AND turn = 1
         ORDER BY next_attempt_at, sequence
         LIMIT greatest(0, least(
           rows_left, hook.allowance,
           CASE WHEN hook.circuit_opened_at IS NULL THEN cap ELSE 1 END
             - (SELECT count(*) FROM front WHERE leased)))
      ), loaded AS (
        SELECT chosen.*, CASE WHEN coalesce(chosen.thin, hook.payload = 'thin') THEN event.thin_body
                              ELSE event.full_body END AS body
          FROM chosen LEFT JOIN events AS event ON event.id = chosen.event_id
      ), fitting AS (
        SELECT *, row_number() OVER place AS place, sum(octet_length(body)) OVER place AS bytes
          FROM loaded WINDOW place AS (ORDER BY next_attempt_at, sequence)
      ), locked AS (
        SELECT delivery.id, fitting.body
          FROM fitting JOIN webhook_deliveries AS delivery ON delivery.id = fitting.id
         WHERE (fitting.place = 1 OR fitting.bytes <= least(bytes_left, max_bytes / 16))
           AND delivery.completed_at IS NULL
           AND (delivery.lease_expires_at IS NULL OR delivery.lease_expires_at <= clock)
           FOR UPDATE OF delivery SKIP LOCKED
      )
      UPDATE webhook_deliveries AS delivery
         SET lease_expires_at = clock + lease_ms * interval '1 millisecond',
             lease_generation = delivery.lease_generation + 1
        FROM locked WHERE delivery.id = locked.id
      RETURNING delivery.id, delivery.lease_generation, delivery.attempts, delivery.earlier_attempts,
                delivery.account_id, delivery.event_id, delivery.next_attempt_at, locked.body
    LOOP
      rows_left := rows_left - 1;
      bytes_left := bytes_left - octet_length(coalesce(claimed.body, ''));
      RETURN QUERY SELECT
        claimed.id, claimed.lease_generation, claimed.attempts, claimed.earlier_attempts, claimed.account_id, claimed.event_id, hook.id,
        hook.url, hook.secret_encrypted,
        CASE WHEN hook.previous_secret_expires_at > clock THEN hook.previous_secret_encrypted END,
        (extract(epoch FROM clock - hook.failing_since) * 1000)::double precision,
        (extract(epoch FROM clock - claimed.next_attempt_at) * 1000)::double precision,
        claimed.body;
    END LOOP;
  END LOOP;
END
$$`;

/**
 * Writes what came of attempts: a JSON array with one object each. Answers the ids that were still leased to the
 * caller; for all others nothing is written. An acknowledgement that is repeated because its answer was lost finds the
 * number of attempts moved on, and is answered as if it were the first.
 */
export const SETTLE_FUNCTION = `CREATE FUNCTION settle_webhook_deliveries(settled json) RETURNS SETOF uuid
LANGUAGE plpgsql VOLATILE ${INDEX_ONLY} AS $$
DECLARE
  item record;
BEGIN
  -- One at a time: joined to the list, the planner may turn a few look-ups into a walk through the table.
  FOR item IN
    SELECT * FROM json_to_recordset(settled) AS item (
      "deliveryId" uuid, generation integer, number integer, status text, "delayMs" double precision,
      "startedAt" timestamptz, "durationMs" integer, "requestHeaders" json, "responseStatus" integer,
      "responseHeaders" json, "responseExcerpt" text, "errorClass" text, "errorMessage" text)
  LOOP
    UPDATE webhook_deliveries
       SET status = item.status,
           attempts = item.number,
           lease_expires_at = NULL,
           last_error_class = item."errorClass",
           next_attempt_at = CASE item.status
             WHEN 'pending' THEN clock_timestamp() + item."delayMs" * interval '1 millisecond'
             ELSE next_attempt_at END,
           completed_at = CASE item.status WHEN 'pending' THEN NULL ELSE clock_timestamp() END
     WHERE id = item."deliveryId" AND lease_generation = item.generation
       AND completed_at IS NULL AND attempts = item.number - 1;
    IF FOUND THEN
      INSERT INTO webhook_delivery_attempts (delivery_id, number, started_at, duration_ms, request_headers,
        response_status, response_headers, response_excerpt, error_class, error_message)
      VALUES (item."deliveryId", item.number, item."startedAt", item."durationMs", item."requestHeaders",
        item."responseStatus", item."responseHeaders", item."responseExcerpt", item."errorClass", item."errorMessage");
      RETURN NEXT item."deliveryId";
    ELSIF EXISTS (
      SELECT FROM webhook_deliveries
       WHERE id = item."deliveryId" AND lease_generation = item.generation AND attempts = item.number
    ) THEN
      RETURN NEXT item."deliveryId";
    END IF;
  END LOOP;
END
$$`;
