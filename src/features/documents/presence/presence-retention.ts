import { Injectable } from '@nestjs/common';
import {
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../platform/background/background-tasks.js';
import { PresenceRepository } from './presence.repository.js';

/** Removes expired entries. They no longer count. */
@RunsInBackground({ name: 'The removal of expired presence', everyMs: MINUTE_MS })
@Injectable()
export class PresenceRetention implements BackgroundTask {
  constructor(private readonly presence: PresenceRepository) {}

  async runBatch(): Promise<boolean> {
    await this.presence.removeExpired();
    return false;
  }
}
