import { Injectable } from '@nestjs/common';
import { encodeId } from '../../identifiers/identifiers.js';
import { Log } from '../../log/log.js';
import { UsageTotals } from '../../usage/totals/usage-totals.js';
import type { AttemptOutcome } from './attempt-outcome.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import type { Attempt } from './delivery.repository.js';

/** What the totals of an account call what came of an attempt. */
const COUNTED_AS: Readonly<Record<AttemptOutcome['kind'], string>> = {
  succeeded: 'succeeded',
  retry: 'retried',
  exhausted: 'failed',
  disable: 'failed',
};

/** Tells of an attempt that has ended: the account by its totals, the operator by metrics and the log. */
@Injectable()
export class AttemptReport {
  constructor(
    private readonly metrics: DeliveryMetrics,
    private readonly totals: UsageTotals,
    private readonly log: Log,
  ) {}

  /**
   * The log never has URLs, bodies or headers. `superseded`: the lease had ended and another worker has the delivery, which
   * counts it.
   */
  attemptEnded(
    { delivery, number, startedAt, result }: Attempt,
    outcome: AttemptOutcome['kind'] | 'superseded',
  ): void {
    const waitedMs = number === 1 ? delivery.overdueMs : undefined;
    this.metrics.attemptEnded(outcome, result.failure?.class, result.durationMs, waitedMs);
    if (outcome !== 'superseded') {
      this.totals.count({
        accountId: delivery.accountId,
        metric: 'deliveries',
        at: startedAt,
        route: '',
        sourceId: delivery.webhookId,
        outcome: COUNTED_AS[outcome],
        durationMs: result.durationMs,
      });
    }
    this.log.info(
      {
        deliveryId: encodeId('delivery', delivery.deliveryId),
        webhookId: encodeId('webhook', delivery.webhookId),
        eventId: encodeId('event', delivery.eventId),
        accountId: encodeId('account', delivery.accountId),
        attempt: number,
        outcome,
        status: result.status,
        errorClass: result.failure?.class,
        stage: result.failure?.stage,
        durationMs: result.durationMs,
      },
      'webhook attempt',
    );
  }
}
