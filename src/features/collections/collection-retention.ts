import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Config } from '../../platform/config/config.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { TRASH_DAYS } from '../content/trash-days.js';
import { CollectionsRepository } from './collections.repository.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes deleted collections once their documents have left the trash, and their events and the requests for them have
 * expired: until then, they decide who can read those.
 */
@RunsInBackground({ name: 'The removal of deleted collections', everyMs: HOUR_MS })
@Injectable()
export class CollectionRetention implements BackgroundTask {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async runBatch(): Promise<boolean> {
    const { eventRetentionDays, requestLogDays } = this.config;
    const days = Math.max(TRASH_DAYS, eventRetentionDays, requestLogDays);
    const cutoff = new Date(this.clock.now().getTime() - days * DAY_MS);
    return this.collections.removeDeleted(cutoff);
  }
}
