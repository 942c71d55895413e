import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { Log } from '../log/log.js';

/** How often it is looked at, and at most written down by all workers together. */
const EVERY_MS = 5_000;

const FOLLOW: Statement = {
  name: 'background.follow-clock',
  text: 'SELECT stepped_ms AS "steppedMs", more FROM follow_database_clock($1)',
};

interface Step {
  /** How far the clock went back, told once; `null` when it did not. */
  steppedMs: number | null;
  more: boolean;
}

/**
 * Sees when the database's clock goes back and has moved with it what was planned: deliveries, jobs, leases and pauses
 * of receivers. Several workers may look at once.
 */
@Injectable()
export class DatabaseClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private stopping = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
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

  private begin(): void {
    this.running ??= this.follow()
      .catch((error: unknown) => {
        this.log.debug({ err: error }, "The database's clock could not be looked at.");
      })
      .finally(() => (this.running = undefined));
  }

  private async follow(): Promise<void> {
    let more = true;
    while (more && !this.stopping) {
      const [step] = await this.database.run<Step>(FOLLOW, [EVERY_MS]);
      if (step?.steppedMs != null) this.report(step.steppedMs);
      more = step?.more ?? false;
    }
  }

  private report(steppedMs: number): void {
    this.log.warn(
      { steppedSeconds: Math.round(steppedMs / 1000) },
      "The database's clock went back; what was planned is moved with it. Have the clock slewed, not stepped.",
    );
  }
}
