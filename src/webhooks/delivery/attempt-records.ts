import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { attemptOutcome, type AttemptOutcome } from './attempt-outcome.js';
import { settlementOf, type Attempt } from './attempt-record.js';
import { AttemptReports } from './attempt-reports.js';
import { isOurFault } from './failure.js';
import { ReceiverHealth } from './receiver-health.js';
import { retryAfterMs, timeOfAnswer } from './retry-after.js';
import { Settlements } from './settlements.js';
import { WebhookDisabling } from './webhook-disabling.js';

/** Decides what follows from an attempt and writes it down. */
@Injectable()
export class AttemptRecords {
  constructor(
    private readonly settlements: Settlements,
    private readonly health: ReceiverHealth,
    private readonly disabling: WebhookDisabling,
    private readonly reports: AttemptReports,
    private readonly config: Config,
  ) {}

  /**
   * Resolves with the milliseconds until the next attempt, if there is one. Rejects with the pg error when the database
   * was away until the lease ended: the delivery is then sent again.
   */
  async write(attempt: Attempt, leasedUntil: number): Promise<number | undefined> {
    const { delivery, result } = attempt;
    const outcome = this.outcomeOf(attempt);
    if (outcome.kind === 'disable') {
      await this.disabling.disable(delivery.webhookId, delivery.accountId, outcome.reason);
    }
    const settled = await this.settlements.settle(
      settlementOf(attempt, outcome),
      leasedUntil - performance.now(),
    );
    this.reports.report(attempt, settled ? outcome.kind : 'superseded');
    if (result.failure === undefined || !isOurFault(result.failure)) {
      const succeeded = result.failure === undefined;
      await this.health.note(delivery.webhookId, succeeded, delivery.failingForMs !== null);
    }
    return outcome.kind === 'retry' ? outcome.delayMs : undefined;
  }

  /** Writes what has not been written yet about receivers. */
  async flush(): Promise<void> {
    // It is of use, and no reason to fail an end of the process.
    await this.health.flush().catch(() => undefined);
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
}

/** By the receiver's own clock, where it shows it: how wrong ours is does not matter then. */
function waitAskedFor({ startedAt, result }: Attempt): number | undefined {
  const { date, 'retry-after': asked } = result.headers;
  const endedAt = new Date(startedAt.getTime() + result.durationMs);
  return retryAfterMs(String(asked ?? ''), timeOfAnswer(String(date ?? ''), endedAt));
}
