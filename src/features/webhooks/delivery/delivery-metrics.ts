import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { Database, type Statement } from '../../../platform/database/database.js';
import { Metrics } from '../../../platform/operation/metrics.js';
import { FAILURE_CLASSES, type FailureClass } from './failure.js';

const DEPTH: Statement = {
  name: 'delivery.measure_depth',
  text: `SELECT count(*)::double precision AS value FROM webhook_deliveries WHERE status = 'pending'`,
};

/** Only of receivers that are sent to: the backlog of one that is down must not hide that the workers are slow. */
const OLDEST_DUE: Statement = {
  name: 'delivery.measure_oldest_due',
  text: `SELECT greatest(0, -min(due."dueInMs") / 1000) AS value
           FROM due_webhooks(0, 0) AS due JOIN webhooks AS webhook ON webhook.id = due."webhookId"
          WHERE webhook.status = 'active' AND webhook.circuit_opened_at IS NULL`,
};

/** Of receivers that fail too. The pending deliveries of a suspended account wait on purpose. */
const OLDEST_PENDING: Statement = {
  name: 'delivery.measure_oldest_pending',
  text: `SELECT coalesce(greatest(0, extract(epoch FROM now() - min(delivery.created_at))), 0)::float AS value
           FROM webhook_deliveries AS delivery
           JOIN webhooks AS webhook ON webhook.id = delivery.webhook_id
           JOIN accounts AS account ON account.id = delivery.account_id
          WHERE delivery.status = 'pending' AND webhook.status = 'active' AND account.suspended_at IS NULL`,
};

/** Whoever reads the metrics again within this time gets the same numbers. */
const FRESH_MS = 5_000;

/** What Prometheus reads about deliveries. The queue is that of all workers, the rest is this process' own. */
@Injectable()
export class DeliveryMetrics {
  private readonly attempts: Counter;
  private readonly durations: Histogram;
  private readonly waits: Histogram;

  constructor({ registry }: Metrics, database: Database) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'webhook_attempts_total',
      help: 'Attempts to deliver, by what came of them and why they failed.',
      labelNames: ['outcome', 'error'],
      registers,
    });
    // Prometheus sees an increase only if it has seen the value before it.
    for (const outcome of ['succeeded', 'superseded']) this.attempts.inc({ outcome, error: '' }, 0);
    for (const error of FAILURE_CLASSES) {
      for (const outcome of ['retry', 'superseded']) this.attempts.inc({ outcome, error }, 0);
    }
    this.durations = new Histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Time from the request to a receiver to the end of its answer.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    });
    this.waits = new Histogram({
      name: 'webhook_delivery_wait_seconds',
      help: 'Time from when a delivery was planned until its first attempt.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
      registers,
    });
    const gauges = [
      ['webhook_deliveries_pending', 'Deliveries that are owed, due or not.', DEPTH],
      [
        'webhook_oldest_due_seconds',
        'How long the oldest due delivery of receivers that do not fail has waited.',
        OLDEST_DUE,
      ],
      [
        'webhook_oldest_pending_seconds',
        'Age of the oldest delivery that has not succeeded, of failing receivers too.',
        OLDEST_PENDING,
      ],
    ] as const;
    for (const [name, help, statement] of gauges) {
      const measure = measurement(database, statement);
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await measure());
        },
      });
    }
  }

  /** Called once an attempt; times in milliseconds, `waitedMs` only at a delivery's first attempt. */
  attemptEnded(
    outcome: string,
    error: FailureClass | undefined,
    durationMs: number,
    waitedMs: number | undefined,
  ): void {
    this.attempts.inc({ outcome, error: error ?? '' });
    this.durations.observe(durationMs / 1000);
    if (waitedMs !== undefined) this.waits.observe(waitedMs / 1000);
  }
}

/** The number that a statement measures; the one before while the database does not answer. */
function measurement(database: Database, statement: Statement): () => Promise<number> {
  let value = 0;
  let measuredAt = -Infinity;
  return async () => {
    if (performance.now() - measuredAt < FRESH_MS) return value;
    measuredAt = performance.now();
    try {
      const [row] = await database.run<{ value: number | null }>(statement, []);
      value = row?.value ?? 0;
    } catch {
      measuredAt = -Infinity;
    }
    return value;
  };
}
