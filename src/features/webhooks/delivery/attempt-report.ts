import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { Log } from '../../../platform/operation/log.js';
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

/** How often the log repeats that a webhook's secret is unreadable, in milliseconds. */
const REPEAT_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** Tells of an attempt that has ended: the account by its totals, the operator by metrics and the log. */
@Injectable()
export class AttemptReport {
  /** Webhooks whose unreadable secret was logged within {@link REPEAT_MS}. */
  private readonly unreadable = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REPEAT_MS });

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
    const error = outcome === 'superseded' ? undefined : result.failure?.class;
    this.metrics.attemptEnded(outcome, error, result.durationMs, waitedMs);
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
    if (result.failure?.class === 'secret_unreadable') this.secretUnreadable(delivery);
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

  private secretUnreadable({ webhookId, accountId }: Attempt['delivery']): void {
    if (this.unreadable.has(webhookId)) return;
    this.unreadable.set(webhookId, true);
    this.log.error(
      { webhookId: encodeId('webhook', webhookId), accountId: encodeId('account', accountId) },
      'The secret of a webhook cannot be decrypted, so nothing is delivered to it. Set SECRETS_KEY_PREVIOUS to the key that encrypted it, or rotate the secret.',
    );
  }
}
