import {
  Injectable,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Counter } from 'prom-client';
import {
  BackgroundWork,
  BackgroundWorkModule,
} from '../../../platform/background/background-work.js';
import { Poller } from '../../../platform/background/poller.js';
import { Config } from '../../../platform/config/config.js';
import { Notifications } from '../../../platform/database/notifications.js';
import { Log } from '../../../platform/operation/log.js';
import { Metrics } from '../../../platform/operation/metrics.js';
import type { ThreadModule } from '../../../platform/threads/thread-task.js';
import { JobGaugesModule } from '../queue/job-gauges.js';
import { JobRegistry } from '../queue/job-registry.js';
import { ATTEMPT_RESULTS, JobAttempts } from './job-attempts.js';
import { JobExecutionModule } from './job-execution.js';
import { JobThreads } from './job-threads.js';

/** Poll interval. Catches jobs whose NOTIFY was lost. */
const POLL_EVERY_MS = 5_000;

@Injectable()
class JobMetrics {
  readonly results: Counter;

  constructor({ registry }: Metrics, jobRegistry: JobRegistry) {
    this.results = new Counter({
      name: 'jobs_ended_total',
      help: 'Attempts at jobs that this process has finished, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
      // Start at 0, because an alert compares failures with successes.
      collect() {
        for (const { name: kind } of jobRegistry.kinds) {
          for (const outcome of ATTEMPT_RESULTS) this.inc({ kind, outcome }, 0);
        }
      },
    });
  }
}

/** Runs due jobs. Any number of workers may run. */
@Injectable()
class JobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly notifications: Notifications;
  private readonly poller: Poller;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly attempts: JobAttempts,
    private readonly work: BackgroundWork,
    metrics: JobMetrics,
    log: Log,
    config: Config,
  ) {
    const wake = () => {
      this.poller.wake();
    };
    this.poller = new Poller({
      everyMs: POLL_EVERY_MS,
      work: () =>
        attempts.startDue((kind, outcome) => {
          if (outcome) metrics.results.inc({ kind, outcome });
          wake();
        }),
      onFailure: (error) => {
        log.warn({ err: error }, 'Jobs wait until the database is available again.');
      },
    });
    this.notifications = new Notifications({
      url: config.directUrl,
      channel: 'jobs',
      applicationName: 'document-service jobs',
      onNotification: (cancelledId) => {
        if (cancelledId === '') wake();
        else attempts.check(cancelledId);
      },
      onConnected: wake,
    });
  }

  onApplicationBootstrap(): void {
    this.work.run(
      async () => {
        await this.notifications.open();
        this.poller.start();
      },
      () => this.stop(),
    );
  }

  /** Resolves when no job is running, while the database is still connected. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  private stop(): Promise<void> {
    return (this.stopping ??= this.finish());
  }

  private async finish(): Promise<void> {
    await this.notifications.close();
    await this.poller.stop();
    await this.attempts.stop();
  }
}

/** Runs jobs. Part of the worker role. */
@Module({
  imports: [BackgroundWorkModule, JobExecutionModule, JobGaugesModule],
  providers: [JobWorker, JobAttempts, JobMetrics],
})
export class JobWorkerModule {
  /** Job threads run `thread`. Without it, all jobs run on this thread (in tests). */
  static forRoot(thread: ThreadModule | undefined): DynamicModule {
    const threads = {
      provide: JobThreads,
      inject: [Config, JobRegistry],
      useFactory: (config: Config, registry: JobRegistry) =>
        new JobThreads(thread, config, registry),
    };
    return { module: JobWorkerModule, providers: [threads] };
  }
}
