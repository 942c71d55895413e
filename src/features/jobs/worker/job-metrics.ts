import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../../platform/operation/metrics.js';
import { JobRegistry } from '../queue/job-registry.js';

/** Result of an attempt. */
export type JobEnding = 'succeeded' | 'failed' | 'retry';

/** Counts the attempts of this process. */
@Injectable()
export class JobMetrics {
  private readonly endings: Counter;

  constructor({ registry }: Metrics, jobRegistry: JobRegistry) {
    this.endings = new Counter({
      name: 'jobs_ended_total',
      help: 'Attempts at jobs that this process has finished, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
      // Start at 0, because an alert compares failures with successes.
      collect() {
        for (const { name: kind } of jobRegistry.kinds) {
          for (const outcome of ['succeeded', 'failed', 'retry']) this.inc({ kind, outcome }, 0);
        }
      },
    });
  }

  ended(kind: string, outcome: JobEnding): void {
    this.endings.inc({ kind, outcome });
  }
}
