import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../../platform/background/background-tasks.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { isLockTimeout } from '../../../../platform/basics/errors/database-error.js';

/** Rows of one table that one statement removes. */
const BATCH = 500;

/** What began before the end of an account may have added something after it. */
const LOOK_AGAIN_MS = HOUR_MS;

/**
 * It removes rows of every table, in no order that others know, so it gives up long before PostgreSQL looks for deadlocks
 * (`deadlock_timeout`, a second): whoever holds the rows ends soon.
 */
const GIVE_WAY: Statement = {
  name: 'accounts.give-way',
  text: `SELECT set_config('lock_timeout', '200', true)`,
};

const REMOVE: Statement = {
  name: 'accounts.remove-rows',
  text: `WITH due AS MATERIALIZED (
      SELECT account_id, deleted_at FROM deleted_accounts ORDER BY deleted_at LIMIT 20 FOR UPDATE SKIP LOCKED
    ), removals AS MATERIALIZED (
      SELECT account_id, deleted_at, remove_account_rows(account_id, ${String(BATCH)}) AS removed FROM due
    ), done AS (
      DELETE FROM deleted_accounts
       WHERE account_id IN (SELECT account_id FROM removals WHERE removed = 0 AND deleted_at <= $1)
    )
    SELECT coalesce(sum(removed), 0)::integer AS removed FROM removals`,
};

/** Removes what deleted accounts had, but for the audit log. */
@RunsInBackground({ name: 'The removal of deleted accounts', everyMs: MINUTE_MS })
@Injectable()
export class AccountRemoval implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    const cutoff = new Date(this.clock.now().getTime() - LOOK_AGAIN_MS);
    try {
      return await this.database.transaction(async () => {
        await this.database.run(GIVE_WAY, []);
        const [row] = await this.database.run<{ removed: number }>(REMOVE, [cutoff]);
        return (row?.removed ?? 0) > 0;
      });
    } catch (error) {
      // What others hold is removed the next time.
      if (!isLockTimeout(error)) throw error;
      return false;
    }
  }
}
