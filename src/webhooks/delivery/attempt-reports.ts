import { Injectable } from '@nestjs/common';
import { encodeId } from '../../identifiers/identifiers.js';
import { Log } from '../../log/log.js';
import type { AttemptOutcome } from './attempt-outcome.js';
import type { Attempt } from './attempt-record.js';
import { DeliveryMetrics } from './delivery-metrics.js';

/** `superseded`: the lease had ended, another worker has the delivery, and nothing was written. */
export type ReportedOutcome = AttemptOutcome['kind'] | 'superseded';

/** Tells operators of each attempt: one line of the log, and the metrics. Never URLs, bodies or headers. */
@Injectable()
export class AttemptReports {
  constructor(
    private readonly log: Log,
    private readonly metrics: DeliveryMetrics,
  ) {}

  report({ delivery, number, result }: Attempt, outcome: ReportedOutcome): void {
    const waitedMs = number === 1 ? delivery.overdueMs : undefined;
    this.metrics.attemptEnded(outcome, result.failure?.class, result.durationMs, waitedMs);
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
