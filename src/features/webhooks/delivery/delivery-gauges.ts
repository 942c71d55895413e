import { Injectable, Module } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';
import { cached, Metrics } from '../../../platform/operation/metrics.js';

interface Measurement {
  name: string;
  help: string;
  /** Returns one row with `value`, in which null means 0. */
  statement: Statement;
}

const MEASUREMENTS: readonly Measurement[] = [
  {
    name: 'webhook_deliveries_pending',
    help: 'Pending deliveries, due or not.',
    statement: {
      name: 'delivery.measure_depth',
      text: `SELECT count(*)::double precision AS value FROM webhook_deliveries WHERE status = 'pending'`,
    },
  },
  {
    // Excludes failing receivers, because the backlog of one that is down must not hide that the workers are slow.
    name: 'webhook_oldest_due_seconds',
    help: 'How long the oldest due delivery has waited, excluding failing receivers.',
    statement: {
      name: 'delivery.measure_oldest_due',
      text: `SELECT greatest(0, -min(due."dueInMs") / 1000) AS value
               FROM due_webhooks(0, 0) AS due JOIN webhooks AS webhook ON webhook.id = due."webhookId"
              WHERE webhook.status = 'active' AND webhook.circuit_opened_at IS NULL`,
    },
  },
  {
    // Includes failing receivers. Excludes suspended accounts, whose pending deliveries wait on purpose.
    name: 'webhook_oldest_pending_seconds',
    help: 'Age of the oldest pending delivery, including failing receivers.',
    statement: {
      name: 'delivery.measure_oldest_pending',
      text: `SELECT greatest(0, extract(epoch FROM now() - min(delivery.created_at)))::float AS value
               FROM webhook_deliveries AS delivery
               JOIN webhooks AS webhook ON webhook.id = delivery.webhook_id
               JOIN accounts AS account ON account.id = delivery.account_id
              WHERE delivery.status = 'pending' AND webhook.status = 'active' AND account.suspended_at IS NULL`,
    },
  },
];

/**
 * Metrics of the deliveries of all accounts. Every role has them, so that a backlog is visible while no worker runs.
 */
@Injectable()
class DeliveryGauges {
  constructor(metrics: Metrics, database: Database) {
    for (const { name, help, statement } of MEASUREMENTS) {
      const read = cached(async () => {
        const [row] = await database.run<{ value: number | null }>(statement, []);
        return row?.value ?? 0;
      }, 0);
      metrics.gauge({ name, help, read });
    }
  }
}

@Module({ providers: [DeliveryGauges] })
export class DeliveryGaugesModule {}
