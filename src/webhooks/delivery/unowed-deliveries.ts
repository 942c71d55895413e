import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database.js';

const BATCH = 1_000;

/** What a worker holds at the moment is left to it: a delivery that succeeds has succeeded. */
const CANCEL: Statement = {
  name: 'delivery.cancel',
  text: `UPDATE webhook_deliveries SET status = 'cancelled', completed_at = clock_timestamp()
          WHERE id IN (
            SELECT id FROM webhook_deliveries
             WHERE webhook_id = $1 AND status = 'pending'
               AND (lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())
               AND NOT EXISTS (SELECT FROM webhooks WHERE webhooks.id = $1 AND webhooks.status = 'active')
             ORDER BY next_attempt_at, sequence LIMIT ${String(BATCH)}
               FOR UPDATE SKIP LOCKED)
          RETURNING id`,
};

/** Cancels what is pending for a webhook that was disabled or deleted: nobody sends it. */
@Injectable()
export class UnowedDeliveries {
  constructor(private readonly database: Database) {}

  /** Cancels a small batch that no worker holds; whether there may be more. Does nothing for an active webhook. */
  async cancelBatch(webhookId: string): Promise<boolean> {
    return (await this.database.run(CANCEL, [webhookId])).length === BATCH;
  }
}
