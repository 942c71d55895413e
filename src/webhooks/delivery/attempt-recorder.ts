import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { encodeId } from '../../identifiers/identifiers.js';
import { Log } from '../../log/log.js';
import { UsageTotals } from '../../usage/totals/usage-totals.js';
import { attemptOutcome, type AttemptOutcome } from './attempt-outcome.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryRepository, type Attempt } from './delivery.repository.js';
import { isOwnFailure } from './failure.js';
import { retryAfterMs, timeOfAnswer } from './retry-schedule.js';

/** Decides what follows from an attempt and writes it down: for its delivery, its receiver, and the operator. */
@Injectable()
export class AttemptRecorder {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly circuits: CircuitBreaker,
    private readonly metrics: DeliveryMetrics,
    private readonly totals: UsageTotals,
    private readonly log: Log,
    private readonly config: Config,
  ) {}

  /**
   * Resolves with the milliseconds until the next attempt, if there is one. Rejects with the pg error when the database
   * was away until the lease ended: the delivery is then sent again.
   */
  async record(attempt: Attempt, leasedUntil: number): Promise<number | undefined> {
    const { delivery, result } = attempt;
    const outcome = this.outcomeOf(attempt);
    if (outcome.kind === 'disable') {
      await this.circuits.disable(delivery.webhookId, delivery.accountId, outcome.reason);
    }
    const isOwn = await this.write(attempt, outcome, leasedUntil);
    this.report(attempt, isOwn ? outcome.kind : 'superseded');
    if (isOwn) this.count(attempt, outcome);
    if (result.failure === undefined || !isOwnFailure(result.failure)) {
      const succeeded = result.failure === undefined;
      await this.circuits.count(delivery.webhookId, succeeded, delivery.failingForMs !== null);
    }
    return outcome.kind === 'retry' ? outcome.delayMs : undefined;
  }

  private outcomeOf(attempt: Attempt): AttemptOutcome {
    const { delivery, number, result } = attempt;
    return attemptOutcome(
      {
        number: number - delivery.earlierAttempts,
        failure: result.failure,
        retryAfterMs: result.failure?.class === 'status_busy' ? waitAskedFor(attempt) : undefined,
        failingForMs: delivery.failingForMs,
      },
      this.config.webhookRetrySchedule,
    );
  }

  private write(attempt: Attempt, outcome: AttemptOutcome, leasedUntil: number): Promise<boolean> {
    if (outcome.kind === 'succeeded') return this.deliveries.acknowledge(attempt, leasedUntil);
    if (outcome.kind === 'retry') {
      return this.deliveries.reschedule(attempt, outcome.delayMs, leasedUntil);
    }
    return this.deliveries.giveUp(attempt, leasedUntil);
  }

  /** For the totals of the account. */
  private count({ delivery, startedAt, result }: Attempt, { kind }: AttemptOutcome): void {
    this.totals.count({
      accountId: delivery.accountId,
      metric: 'deliveries',
      at: startedAt,
      route: '',
      sourceId: delivery.webhookId,
      outcome: kind === 'succeeded' ? 'succeeded' : kind === 'retry' ? 'retried' : 'failed',
      durationMs: result.durationMs,
    });
  }

  /**
   * One line of the log, and the metrics; never URLs, bodies or headers. `superseded`: the lease had ended and another
   * worker has the delivery.
   */
  private report(
    { delivery, number, result }: Attempt,
    outcome: AttemptOutcome['kind'] | 'superseded',
  ): void {
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

/** By the receiver's own clock, where the answer shows it: how wrong ours is does not matter then. */
function waitAskedFor({ startedAt, result }: Attempt): number | undefined {
  const { date, 'retry-after': asked } = result.headers;
  const endedAt = new Date(startedAt.getTime() + result.durationMs);
  return retryAfterMs(String(asked ?? ''), timeOfAnswer(String(date ?? ''), endedAt));
}
