import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { attemptOutcome, type AttemptOutcome } from './attempt-outcome.js';
import { settlementOf, type Attempt } from './attempt-record.js';
import { AttemptReports } from './attempt-reports.js';
import { isOurFault } from './failure.js';
import { ReceiverHealth } from './receiver-health.js';
import { retryAfterMs } from './retry-after.js';
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

  private outcomeOf({ delivery, number, result }: Attempt): AttemptOutcome {
    const isBusy = result.failure?.class === 'status_busy';
    const asked = isBusy ? String(result.headers['retry-after'] ?? '') : undefined;
    return attemptOutcome(
      {
        number: number - delivery.earlierAttempts,
        failure: result.failure,
        retryAfterMs: retryAfterMs(asked, new Date()),
        failingForMs: delivery.failingForMs,
      },
      this.config.webhookRetrySchedule,
    );
  }
}
