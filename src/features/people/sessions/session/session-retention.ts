import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../../platform/background/background-tasks.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database } from '../../../../platform/database/database.js';
import { purgeEnded } from './sessions.repository.js';

/** Removes ended sessions and links, and sign-in attempts that no longer count. */
@RunsInBackground({ name: 'The removal of ended sessions', everyMs: HOUR_MS })
@Injectable()
export class SessionRetention implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  runBatch(): Promise<boolean> {
    return purgeEnded(this.database, this.clock.now());
  }
}
