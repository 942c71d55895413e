import { HOUR_MS, RunsInBackground } from '../../platform/background/background-tasks.js';
import { Retention } from '../../platform/background/retention.js';

/** Removes windows that have ended, such as those of expired tokens. Windows that never started have no time to compare. */
@RunsInBackground({ name: 'The removal of ended rate-limit windows', everyMs: HOUR_MS })
export class RateLimitRetention extends Retention {
  protected readonly expiring = [
    {
      table: 'rate_limit_windows',
      column: `nullif(day_started_at, '-infinity')`,
      afterMs: 48 * HOUR_MS,
    },
  ];
}
