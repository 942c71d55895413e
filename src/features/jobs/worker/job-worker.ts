import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Poller } from '../../../platform/background/poller.js';
import { Config } from '../../../platform/config/config.js';
import { Notifications } from '../../../platform/database/notifications.js';
import { Drain } from '../../../platform/http/server/drain.js';
import { Log } from '../../../platform/operation/log.js';
import { JobAttempts } from './job-attempts.js';
import { JobMetrics } from './job-metrics.js';

/** How often the database is asked: it finds what no notification told. */
const LOOK_EVERY_MS = 5_000;

/** Does the jobs that are due. Any number of workers may run. */
@Injectable()
export class JobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly notifications: Notifications;
  private readonly poller: Poller;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly attempts: JobAttempts,
    private readonly drain: Drain,
    metrics: JobMetrics,
    log: Log,
    config: Config,
  ) {
    const wake = () => {
      this.poller.wake();
    };
    this.poller = new Poller({
      everyMs: LOOK_EVERY_MS,
      work: () =>
        attempts.begin((kind, ending) => {
          if (ending) metrics.ended(kind, ending);
          wake();
        }),
      onFailure: (error) => {
        log.warn({ err: error }, 'Jobs wait until the database answers again.');
      },
    });
    this.notifications = new Notifications({
      url: config.databaseUrl,
      channel: 'jobs',
      applicationName: 'document-service jobs',
      onNotification: (cancelledId) => {
        if (cancelledId === '') wake();
        else attempts.check(cancelledId);
      },
      onConnected: wake,
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.notifications.open();
    this.drain.onBegin(() => void this.stop());
    this.poller.start();
  }

  /** Resolves when no job runs any more, while the database is still connected. */
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
