import type { Executor, Statement } from '../../database/database.js';

/** As many as are cancelled while a client waits; the workers cancel the rest (`src/webhooks/delivery/unowed-deliveries.ts`). */
const AT_ONCE = 10_000;

/** What a worker holds at the moment is left to it: a delivery that succeeds has succeeded. */
const CANCEL: Statement = {
  name: 'webhooks.cancel-owed',
  text: `UPDATE webhook_deliveries SET status = 'cancelled', completed_at = clock_timestamp()
          WHERE id IN (
            SELECT id FROM webhook_deliveries
             WHERE webhook_id = $1 AND account_id = $2 AND status = 'pending'
               AND (lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())
             ORDER BY next_attempt_at, sequence LIMIT ${String(AT_ONCE)}
               FOR UPDATE SKIP LOCKED)`,
};

/** Cancels what is pending for a webhook that was just disabled; `POST …/recover` takes it up again. */
export async function cancelSomeOwed(
  executor: Executor,
  webhookId: string,
  accountId: string,
): Promise<void> {
  await executor.run(CANCEL, [webhookId, accountId]);
}
