import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { Log } from '../log/log.js';
import { RunsInBackground, type BackgroundTask } from './background-tasks.js';

/** How often the clock is looked at, and at most written down by all workers together. */
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
 * of receivers.
 */
@RunsInBackground({ name: "Following the database's clock", everyMs: EVERY_MS })
@Injectable()
export class DatabaseClock implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async runBatch(): Promise<boolean> {
    const [step] = await this.database.run<Step>(FOLLOW, [EVERY_MS]);
    if (step?.steppedMs != null) {
      this.log.warn(
        { steppedSeconds: Math.round(step.steppedMs / 1000) },
        "The database's clock went back; what was planned is moved with it. Have the clock slewed, not stepped.",
      );
    }
    return step?.more ?? false;
  }
}
