import {
  Injectable,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  BackgroundWork,
  BackgroundWorkModule,
} from '../../../platform/background/background-work.js';
import { Poller } from '../../../platform/background/poller.js';
import { Config } from '../../../platform/config/config.js';
import { Notifications } from '../../../platform/database/notifications.js';
import { Log } from '../../../platform/operation/log.js';
import type { ThreadModule } from '../../../platform/threads/thread-task.js';
import { JobGaugesModule } from '../queue/job-gauges.js';
import { JobRegistry } from '../queue/job-registry.js';
import { JobAttempts } from './job-attempts.js';
import { JobExecutionModule } from './job-execution.js';
import { JobMetrics } from './job-metrics.js';
import { JobThreads } from './job-threads.js';

/** Poll interval. Catches jobs whose NOTIFY was lost. */
const POLL_EVERY_MS = 5_000;

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
        attempts.begin((kind, ending) => {
          if (ending) metrics.ended(kind, ending);
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
    this.stopping ??= this.finish();
    return this.stopping;
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
  static of(thread: ThreadModule | undefined): DynamicModule {
    const threads = {
      provide: JobThreads,
      inject: [Config, JobRegistry],
      useFactory: (config: Config, registry: JobRegistry) =>
        new JobThreads(thread, config, registry),
    };
    return { module: JobWorkerModule, providers: [threads] };
  }
}
