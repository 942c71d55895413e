const SETTLED = `json_to_recordset(settled) AS item (
      "deliveryId" uuid, generation integer, number integer, status text, "delayMs" double precision,
      "startedAt" timestamptz, "durationMs" integer, "requestHeaders" json, "responseStatus" integer,
      "responseHeaders" json, "responseExcerpt" text, "errorClass" text, "errorMessage" text)`;

/**
 * Writes what came of attempts: a JSON array with one object each. Answers the ids that were still leased to the
 * caller; for all others nothing is written. An acknowledgement that is repeated because its answer was lost finds the
 * number of attempts moved on, and is answered as if it were the first.
 */
export const SETTLE_FUNCTION = `CREATE OR REPLACE FUNCTION settle_webhook_deliveries(settled json) RETURNS SETOF uuid
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  written uuid[];
BEGIN
  WITH item AS MATERIALIZED (
    SELECT * FROM ${SETTLED}
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
      SELECT * FROM ${SETTLED}
    )
    SELECT delivery.id
      FROM webhook_deliveries AS delivery JOIN item ON item."deliveryId" = delivery.id
     WHERE delivery.id = ANY (ARRAY(SELECT "deliveryId" FROM item)) AND delivery.id <> ALL (written)
       AND delivery.lease_generation = item.generation AND delivery.attempts = item.number;
  END IF;
END
$$`;
