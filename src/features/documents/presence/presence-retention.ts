import { Injectable } from '@nestjs/common';
import {
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../platform/background/background-tasks.js';
import { Database } from '../../../platform/database/database.js';
import { PresenceRepository } from './presence.repository.js';

/** Removes expired entries. They already count no more. */
@RunsInBackground({ name: 'The removal of expired presence', everyMs: MINUTE_MS })
@Injectable()
export class PresenceRetention implements BackgroundTask {
  private readonly presence: PresenceRepository;

  constructor(database: Database) {
    this.presence = new PresenceRepository(database);
  }

  async runBatch(): Promise<boolean> {
    await this.presence.removeExpired();
    return false;
  }
}
