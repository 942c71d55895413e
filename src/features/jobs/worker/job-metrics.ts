import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Database, type Statement } from '../../../platform/database/database.js';
import { Metrics } from '../../../platform/operation/metrics.js';
import { JobRegistry } from '../job-registry.js';

/** What came of an attempt that counts. */
export type JobEnding = 'succeeded' | 'failed' | 'retry';

interface Unfinished {
  kind: string;
  status: 'queued' | 'running';
  jobs: number;
  oldestSeconds: number;
}

/** By the indexes of what is not finished, which is little. Jobs of a suspended account wait for no worker. */
const UNFINISHED: Statement = {
  name: 'jobs.measure',
  text: `SELECT kind, status, count(*)::integer AS jobs,
                coalesce(extract(epoch FROM now() - min(coalesce(job.started_at, job.created_at))
                  FILTER (WHERE account.suspended_at IS NULL)), 0)::float AS "oldestSeconds"
           FROM jobs AS job LEFT JOIN accounts AS account ON account.id = job.account_id
          WHERE status IN ('queued', 'running') GROUP BY kind, status`,
};

/** Whoever reads the metrics again within this time gets the same numbers. */
const FRESH_MS = 5_000;

/** What Prometheus reads about jobs. Those unfinished are of all workers, those ended of this process. */
@Injectable()
export class JobMetrics {
  private readonly endings: Counter;
  private unfinished: Unfinished[] = [];
  private measuring: Promise<Unfinished[]> | undefined;
  private measuredAt = -Infinity;

  constructor(
    { registry }: Metrics,
    private readonly database: Database,
    jobRegistry: JobRegistry,
  ) {
    const kinds = () => jobRegistry.kinds.map(({ name }) => name);
    const registers = [registry];
    const measure = () => this.measure();
    this.endings = new Counter({
      name: 'jobs_ended_total',
      help: 'Jobs that this process has ended, by kind and by what came of them.',
      labelNames: ['kind', 'outcome'],
      registers,
      // From the start: an alert compares failures with successes, of which there may be none.
      collect() {
        for (const kind of kinds()) {
          for (const outcome of ['succeeded', 'failed', 'retry']) this.inc({ kind, outcome }, 0);
        }
      },
    });
    new Gauge({
      name: 'jobs_unfinished',
      help: 'Jobs of all accounts that wait or run.',
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
      ['queued', 'How long the oldest job that was not begun has waited.'],
      ['running', 'How long the oldest running job has run, over all its attempts.'],
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

  /** Called once at the end of an attempt. */
  ended(kind: string, outcome: JobEnding): void {
    this.endings.inc({ kind, outcome });
  }

  /** The numbers before while the database does not answer. */
  private async measure(): Promise<Unfinished[]> {
    if (performance.now() - this.measuredAt < FRESH_MS) return this.unfinished;
    this.measuring ??= this.database
      .read<Unfinished>(UNFINISHED, [])
      .then((rows) => {
        this.measuredAt = performance.now();
        return (this.unfinished = rows);
      })
      .catch(() => this.unfinished)
      .finally(() => (this.measuring = undefined));
    return this.measuring;
  }
}
