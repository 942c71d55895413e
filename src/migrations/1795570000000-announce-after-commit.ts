import type { MigrationInterface, QueryRunner } from 'typeorm';
import { WEBHOOKS } from './first-schema/webhooks.js';

/** Workers are notified after the commit instead of within the transaction (docs/adr/0017-webhook-delivery.md). */
export class AnnounceAfterCommit1795570000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- Notifies the workers of the webhooks of these accounts that have a due delivery. Call it in a transaction of its own, because
-- PostgreSQL commits one notifying transaction at a time.
CREATE FUNCTION announce_due(account_ids uuid[]) RETURNS void LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  -- next_attempt_at is rounded to a millisecond and can be half of one in the future.
  clock timestamptz := clock_timestamp() + interval '1 millisecond';
BEGIN
  -- A notification has less than 8,000 bytes: about 200 ids.
  PERFORM pg_notify('webhook_deliveries', string_agg(id::text, ','))
     FROM (
       SELECT webhook.id, row_number() OVER () / 200 AS part
         FROM webhooks AS webhook
         CROSS JOIN LATERAL (
           SELECT FROM webhook_deliveries AS delivery
            WHERE delivery.webhook_id = webhook.id AND delivery.status = 'pending' AND delivery.next_attempt_at <= clock
              AND coalesce(delivery.lease_expires_at <= clock, true)
            ORDER BY delivery.webhook_id, delivery.next_attempt_at, delivery.sequence LIMIT 1) AS first_due
        WHERE webhook.account_id = ANY (account_ids) AND webhook.status = 'active'
          AND coalesce(webhook.circuit_probe_at <= clock, true)) AS due
    GROUP BY part;
END
$$;
DROP TRIGGER announce_deliveries ON webhook_deliveries;
DROP FUNCTION announce_webhook_deliveries();`);
  }

  async down(runner: QueryRunner): Promise<void> {
    // The function and its trigger are the end of the first schema's text.
    const { up } = WEBHOOKS;
    await runner.query(up.slice(up.indexOf('CREATE FUNCTION announce_webhook_deliveries')));
    await runner.query('DROP FUNCTION announce_due(uuid[])');
  }
}
