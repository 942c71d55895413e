import { Injectable, Module } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Database, type Statement } from '../../../platform/database/database.js';
import { cached, Metrics } from '../../../platform/operation/metrics.js';
import { JobRegistry, JobRegistryModule } from '../queue/job-registry.js';

/**
 * Uses the indexes of unfinished jobs. Ages exclude suspended accounts, because no worker runs their jobs. A job that
 * waits for its retry is not due yet.
 */
const COUNT_UNFINISHED: Statement = {
  name: 'jobs.count-unfinished',
  text: `SELECT kind, status, count(*)::integer AS jobs,
                greatest(0, extract(epoch FROM now() -
                  min(CASE status WHEN 'queued' THEN job.run_at ELSE coalesce(job.started_at, job.created_at) END)
                    FILTER (WHERE account.suspended_at IS NULL)))::float AS "oldestSeconds"
           FROM jobs AS job LEFT JOIN accounts AS account ON account.id = job.account_id
          WHERE status IN ('queued', 'running') GROUP BY kind, status`,
};

/** The unfinished jobs of a kind. */
interface UnfinishedJobs {
  kind: string;
  status: 'queued' | 'running';
  jobs: number;
  oldestSeconds: number;
}

/** Metrics of the unfinished jobs of all accounts. Every role has them, so that a backlog is visible while no worker runs. */
@Injectable()
class JobGauges {
  constructor(metrics: Metrics, database: Database, jobRegistry: JobRegistry) {
    const kinds = () => jobRegistry.kinds.map(({ name }) => name);
    const measure = cached(() => database.read<UnfinishedJobs>(COUNT_UNFINISHED, []), []);
    new Gauge({
      name: 'jobs_unfinished',
      help: 'Queued and running jobs of all accounts.',
      labelNames: ['kind', 'status'],
      registers: [metrics.registry],
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
      ['queued', 'Time for which the oldest due job has waited.'],
      ['running', 'Time for which the oldest running job has run, including earlier attempts.'],
    ] as const;
    for (const [status, help] of ages) {
      const read = async () => {
        const found = (await measure()).filter((row) => row.status === status);
        const secondsOf = (kind: string) => found.find((row) => row.kind === kind)?.oldestSeconds;
        return Object.fromEntries(kinds().map((kind) => [kind, secondsOf(kind) ?? 0]));
      };
      metrics.gaugeBy('kind', { name: `jobs_oldest_${status}_seconds`, help, read });
    }
  }
}

@Module({ imports: [JobRegistryModule], providers: [JobGauges] })
export class JobGaugesModule {}
