import { Injectable } from '@nestjs/common';
import { DAY_MS, HOUR_MS, RunsInBackground } from '../../platform/background/background-tasks.js';
import { Retention } from '../../platform/background/retention.js';

/** Days that releases are stored after they were published, failed or were canceled. */
const RELEASE_DAYS = 90;

/** Removes old releases. The publications of their documents stay. */
@RunsInBackground({ name: 'The removal of old releases', everyMs: HOUR_MS })
@Injectable()
export class ReleaseRetention extends Retention {
  protected readonly expiring = [
    { table: 'releases', column: 'finished_at', afterMs: RELEASE_DAYS * DAY_MS },
  ];
}
