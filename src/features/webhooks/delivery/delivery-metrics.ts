import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter, Histogram } from 'prom-client';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { Log } from '../../../platform/operation/log.js';
import { Metrics } from '../../../platform/operation/metrics.js';
import { UsageTotals } from '../../usage/totals/usage-totals.js';
import { FAILURE_CLASSES, type AttemptOutcome } from './attempt-outcome.js';
import type { DeliveryAttempt } from './delivery.repository.js';

/** The name of each outcome in the usage of an account. */
const USAGE_OUTCOMES: Readonly<Record<AttemptOutcome['kind'], string>> = {
  succeeded: 'succeeded',
  retry: 'retried',
  exhausted: 'failed',
  disable: 'failed',
};

/** Minimum time between two log lines about a webhook whose secret cannot be decrypted, in milliseconds. */
const REPEAT_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** Reports the attempts of this process: to the account in its usage, and to the operator in metrics and the log. */
@Injectable()
export class DeliveryMetrics {
  private readonly attempts: Counter;
  private readonly durations: Histogram;
  private readonly waits: Histogram;
  /** Webhooks whose unreadable secret was logged within {@link REPEAT_MS}. */
  private readonly unreadable = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REPEAT_MS });

  constructor(
    { registry }: Metrics,
    private readonly totals: UsageTotals,
    private readonly log: Log,
  ) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'webhook_attempts_total',
      help: 'Delivery attempts, by outcome and error class.',
      labelNames: ['outcome', 'error'],
      registers,
    });
    // Prometheus sees an increase only if it has seen the previous value.
    for (const outcome of ['succeeded', 'superseded']) this.attempts.inc({ outcome, error: '' }, 0);
    for (const error of FAILURE_CLASSES) {
      for (const outcome of ['retry', 'superseded']) this.attempts.inc({ outcome, error }, 0);
    }
    this.durations = new Histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Time from the request to a receiver to the end of its response.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    });
    this.waits = new Histogram({
      name: 'webhook_delivery_wait_seconds',
      help: 'Time from when a delivery was planned until its first attempt.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
      registers,
    });
  }

  /**
   * Reports one attempt. `superseded` means that another worker took over the lease and counts the delivery. The log never
   * contains URLs, bodies or headers.
   */
  attemptEnded(attempt: DeliveryAttempt, outcome: AttemptOutcome['kind'] | 'superseded'): void {
    const { delivery, number, durationMs, failure } = attempt;
    const error = outcome === 'superseded' ? undefined : failure?.class;
    this.attempts.inc({ outcome, error: error ?? '' });
    this.durations.observe(durationMs / 1000);
    if (number === 1) this.waits.observe(delivery.overdueMs / 1000);
    if (outcome !== 'superseded') {
      this.totals.count({
        accountId: delivery.accountId,
        metric: 'deliveries',
        at: attempt.startedAt,
        route: '',
        sourceId: delivery.webhookId,
        outcome: USAGE_OUTCOMES[outcome],
        durationMs,
      });
    }
    const webhookId = encodeId('webhook', delivery.webhookId);
    const accountId = encodeId('account', delivery.accountId);
    if (failure?.class === 'secret_unreadable' && !this.unreadable.has(webhookId)) {
      this.unreadable.set(webhookId, true);
      this.log.error(
        { webhookId, accountId },
        'The secret of a webhook cannot be decrypted, so nothing is delivered to it. Set SECRETS_KEY_PREVIOUS to the key that encrypted it, or rotate the secret.',
      );
    }
    this.log.info(
      {
        deliveryId: encodeId('delivery', delivery.deliveryId),
        webhookId,
        eventId: encodeId('event', delivery.eventId),
        accountId,
        attempt: number,
        outcome,
        status: attempt.response?.status,
        errorClass: failure?.class,
        stage: failure?.stage,
        durationMs,
      },
      'webhook attempt',
    );
  }
}
