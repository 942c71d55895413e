import { setTimeout as wait } from 'node:timers/promises';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Notifications } from '../../database/notifications.js';
import { Drain } from '../../http/drain.js';
import { encodeId } from '../../identifiers/identifiers.js';
import { Log } from '../../log/log.js';
import { JOB_KINDS } from '../job.js';
import { JobAttempts } from './job-attempts.js';

/** Jobs of this process under way at once: more than the share of one account, so that none can take all of it. */
const MAX_JOBS = 3;
/** How often the database is asked: it finds what no notification told. */
const LOOK_EVERY_MS = 5_000;

/** Does the jobs that are due, those that waited longest first. Any number of workers may run. */
@Injectable()
export class JobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly notifications: Notifications;
  private wake: () => void = () => undefined;
  private asked = false;
  private away = false;
  private running: Promise<void> = Promise.resolve();
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly attempts: JobAttempts,
    private readonly drain: Drain,
    private readonly log: Log,
    config: Config,
  ) {
    this.notifications = new Notifications({
      url: config.databaseUrl,
      channel: 'jobs',
      applicationName: 'document-service jobs',
      onNotification: (id) => {
        if (id === '') this.look();
        else this.attempts.check(id);
      },
      onConnected: () => {
        this.look();
      },
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.notifications.open();
    this.drain.onBegin(() => void this.stop());
    this.running = this.run();
  }

  /** Resolves when nothing is under way any more, while the database is still connected. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  private async run(): Promise<void> {
    while (!this.hasStopped) {
      try {
        await this.attempts.giveUp();
        await this.begin();
        this.away = false;
      } catch (error) {
        if (!this.away) {
          this.log.warn({ err: error }, 'Jobs wait until the database answers again.');
        }
        this.away = true;
      }
      await this.sleep();
    }
  }

  /** Begins what is due, as far as there is room. */
  private async begin(): Promise<void> {
    while (!this.hasStopped && this.attempts.underWay < MAX_JOBS) {
      const begun = await this.attempts.begin(JOB_KINDS, () => {
        this.look();
      });
      if (begun === undefined) return;
      this.log.info({ jobId: encodeId('job', begun.id), kind: begun.kind }, 'job begun');
    }
  }

  private get hasStopped(): boolean {
    return this.stopping !== undefined;
  }

  private look(): void {
    this.asked = true;
    this.wake();
  }

  /** Resolves when something may be due, or it is time to look. */
  private async sleep(): Promise<void> {
    const woken = new AbortController();
    this.wake = () => {
      woken.abort();
    };
    if (!this.asked) {
      await wait(LOOK_EVERY_MS, undefined, { signal: woken.signal }).catch(() => undefined);
    }
    this.asked = false;
  }

  private stop(): Promise<void> {
    this.stopping ??= this.finish();
    return this.stopping;
  }

  private async finish(): Promise<void> {
    await this.notifications.close();
    this.look();
    await this.running;
    await this.attempts.stop();
  }
}
