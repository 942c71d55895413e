import type { Database, Statement } from '../../platform/database/database.js';

/** What a worker holds at the moment is left to it: a delivery that succeeds has succeeded. */
const CANCEL: Statement = {
  name: 'webhooks.cancel-pending',
  text: `UPDATE webhook_deliveries SET status = 'cancelled', completed_at = clock_timestamp()
          WHERE id IN (
            SELECT id FROM webhook_deliveries
             WHERE webhook_id = $1 AND status = 'pending'
               AND (lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())
               AND NOT EXISTS (SELECT FROM webhooks WHERE webhooks.id = $1 AND webhooks.status = 'active')
             ORDER BY next_attempt_at, sequence LIMIT $2
               FOR UPDATE SKIP LOCKED)
          RETURNING id`,
};

/**
 * Cancels up to `most` pending deliveries of a webhook that was disabled or deleted; none of an active one. Resolves with
 * how many. `POST …/recover` takes them up again.
 */
export async function cancelPending(
  database: Database,
  webhookId: string,
  most: number,
): Promise<number> {
  return (await database.run(CANCEL, [webhookId, most])).length;
}

const WAKE: Statement = {
  name: 'webhooks.wake-workers',
  text: `SELECT pg_notify('webhook_deliveries', $1::text)`,
};

/** Has the workers claim of a webhook as soon as the caller's transaction commits. */
export async function wakeWorkers(database: Database, webhookId: string): Promise<void> {
  await database.run(WAKE, [webhookId]);
}
