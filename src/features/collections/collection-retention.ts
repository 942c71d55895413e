import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { TRASH_DAYS } from '../content/trash-days.js';
import { CollectionsRepository } from './collections.repository.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Removes deleted collections once their documents have left the trash. */
@RunsInBackground({ name: 'The removal of deleted collections', everyMs: HOUR_MS })
@Injectable()
export class CollectionRetention implements BackgroundTask {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    const cutoff = new Date(this.clock.now().getTime() - TRASH_DAYS * DAY_MS);
    return this.collections.removeDeleted(cutoff);
  }
}
