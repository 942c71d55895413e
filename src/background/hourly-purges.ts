import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Log } from '../log/log.js';
import { PURGES, type Purge } from './purge.js';

const EVERY_MS = 60 * 60 * 1000;

/** Runs every purge at the start and hourly, one after the other, in small batches. */
@Injectable()
export class HourlyPurges implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private stopping = false;
  private running: Promise<void> | undefined;

  constructor(
    @Inject(PURGES) private readonly purges: readonly Purge[],
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.begin();
    }, EVERY_MS).unref();
    this.begin();
  }

  /** The batch under way is finished while the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping = true;
    await this.running;
  }

  /** Removes everything that is due now, unless the process ends. */
  async run(): Promise<void> {
    for (const purge of this.purges) {
      try {
        while (!this.stopping && (await purge.purgeBatch()));
      } catch (error) {
        this.log.warn(
          { err: error },
          `${purge.what} could not be purged; the next hour tries again.`,
        );
      }
    }
  }

  /** Does nothing while the run of an hour ago is still under way. */
  private begin(): void {
    this.running ??= this.run().finally(() => (this.running = undefined));
  }
}
