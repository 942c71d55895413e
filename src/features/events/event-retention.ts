import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Config } from '../../platform/config/config.js';
import { EventsRepository } from './events.repository.js';

/** Removes events and their deliveries after the retention time. */
@RunsInBackground({ name: 'The removal of old events', everyMs: HOUR_MS })
@Injectable()
export class EventRetention implements BackgroundTask {
  constructor(
    private readonly events: EventsRepository,
    private readonly config: Config,
  ) {}

  runBatch(): Promise<boolean> {
    return this.events.purge(this.config.eventRetentionDays);
  }
}

/** Erases the texts of permanently deleted documents from their events. */
@RunsInBackground({ name: 'The removal of erased documents from their events', everyMs: MINUTE_MS })
@Injectable()
export class RedactionPurge implements BackgroundTask {
  constructor(private readonly events: EventsRepository) {}

  runBatch(): Promise<boolean> {
    return this.events.eraseRedacted();
  }
}
