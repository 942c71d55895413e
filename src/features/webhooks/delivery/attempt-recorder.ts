import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { attemptOutcome, type AttemptOutcome } from './attempt-outcome.js';
import { AttemptReport } from './attempt-report.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { DeliveryRepository, type Attempt } from './delivery.repository.js';
import { isOwnFailure } from './failure.js';
import { retryAfterMs, timeOfAnswer } from './retry-schedule.js';

/** Decides what follows from an attempt and writes it down, for its delivery and its receiver. */
@Injectable()
export class AttemptRecorder {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly circuits: CircuitBreaker,
    private readonly report: AttemptReport,
    private readonly config: Config,
  ) {}

  /**
   * Resolves with the milliseconds until the next attempt, if there is one. An attempt whose lease another worker has taken
   * over counts neither for the delivery nor for the receiver. Rejects with the pg error when the database was away until
   * the lease ended: the delivery is then sent again.
   */
  async record(attempt: Attempt, leasedUntil: number): Promise<number | undefined> {
    const { delivery, result } = attempt;
    let outcome = this.outcomeOf(attempt);
    // The webhook is disabled before the delivery ends: until then no other one of its document is sent.
    if (outcome.kind === 'disable' && (await this.deliveries.isHeld(delivery))) {
      const isDisabled = await this.circuits.disable(delivery, outcome.reason);
      // The next attempt goes to the new URL.
      if (!isDisabled) outcome = { kind: 'retry', delayMs: 0 };
    }
    if (!(await this.write(attempt, outcome, leasedUntil))) {
      this.report.attemptEnded(attempt, 'superseded');
      return undefined;
    }
    this.report.attemptEnded(attempt, outcome.kind);
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
}

/** By the receiver's own clock, where the answer shows it: how wrong ours is does not matter then. */
function waitAskedFor({ startedAt, result }: Attempt): number | undefined {
  const { date, 'retry-after': asked } = result.headers;
  const endedAt = new Date(startedAt.getTime() + result.durationMs);
  return retryAfterMs(String(asked ?? ''), timeOfAnswer(String(date ?? ''), endedAt));
}
