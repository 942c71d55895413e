import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../../../platform/operation/metrics.js';
import { JobRegistry } from '../queue/job-registry.js';
import { JobLeaseRepository, type UnfinishedJobs } from './job-lease.repository.js';

/** Result of an attempt. */
export type JobEnding = 'succeeded' | 'failed' | 'retry';

/** Scrapes within this time share one query. */
const CACHE_MS = 5_000;

/** Prometheus metrics of jobs. Unfinished jobs are counted over all workers, finished ones in this process. */
@Injectable()
export class JobMetrics {
  private readonly endings: Counter;
  private unfinished: UnfinishedJobs[] = [];
  private measuring: Promise<UnfinishedJobs[]> | undefined;
  private measuredAt = -Infinity;

  constructor(
    { registry }: Metrics,
    private readonly leases: JobLeaseRepository,
    jobRegistry: JobRegistry,
  ) {
    const kinds = () => jobRegistry.kinds.map(({ name }) => name);
    const registers = [registry];
    const measure = () => this.measure();
    this.endings = new Counter({
      name: 'jobs_ended_total',
      help: 'Attempts at jobs that this process has finished, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers,
      // Start at 0, because an alert compares failures with successes.
      collect() {
        for (const kind of kinds()) {
          for (const outcome of ['succeeded', 'failed', 'retry']) this.inc({ kind, outcome }, 0);
        }
      },
    });
    new Gauge({
      name: 'jobs_unfinished',
      help: 'Queued and running jobs of all accounts.',
      labelNames: ['kind', 'status'],
      registers,
      async collect() {
        const found = await measure();
        for (const kind of kinds()) {
          for (const status of ['queued', 'running'] as const) {
            const one = found.find((row) => row.kind === kind && row.status === status);
            this.set({ kind, status }, one?.jobs ?? 0);
          }
        }
      },
    });
    const ages = [
      ['queued', 'Time for which the oldest queued job has waited.'],
      ['running', 'Time for which the oldest running job has run, including earlier attempts.'],
    ] as const;
    for (const [status, help] of ages) {
      new Gauge({
        name: `jobs_oldest_${status}_seconds`,
        help,
        labelNames: ['kind'],
        registers,
        async collect() {
          const found = (await measure()).filter((row) => row.status === status);
          for (const kind of kinds()) {
            this.set({ kind }, found.find((row) => row.kind === kind)?.oldestSeconds ?? 0);
          }
        },
      });
    }
  }

  ended(kind: string, outcome: JobEnding): void {
    this.endings.inc({ kind, outcome });
  }

  /** Returns the previous numbers while the database is unavailable. */
  private async measure(): Promise<UnfinishedJobs[]> {
    if (performance.now() - this.measuredAt < CACHE_MS) return this.unfinished;
    this.measuring ??= this.leases
      .countUnfinished()
      .then((rows) => {
        this.measuredAt = performance.now();
        return (this.unfinished = rows);
      })
      .catch(() => this.unfinished)
      .finally(() => (this.measuring = undefined));
    return this.measuring;
  }
}
