import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../../platform/background/background-tasks.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { isLockTimeout } from '../../../../platform/basics/errors/database-error.js';
import { Database, type Statement } from '../../../../platform/database/database.js';

/**
 * Locks the rows that are deleted with an account, in the same order as other transactions do: keys before the account
 * that their successors reference, webhooks by ID, and the claim locks by key.
 */
const LOCK_DEPENDENTS: readonly Statement[] = [
  {
    name: 'accounts.lock-keys',
    text: 'SELECT id FROM api_keys WHERE account_id = $1 ORDER BY id FOR UPDATE',
  },
  {
    name: 'accounts.lock-webhooks',
    text: 'SELECT id FROM webhooks WHERE account_id = $1 ORDER BY id FOR UPDATE',
  },
  {
    name: 'accounts.lock-claims',
    text: `SELECT pg_advisory_xact_lock(key)
             FROM (SELECT hashtextextended(id::text, 0) AS key FROM webhooks WHERE account_id = $1 ORDER BY key) AS locks`,
  },
];

/** Service accounts belong to one account, even those that were deleted and only have revoked keys. */
const DELETE_SERVICE_ACCOUNTS: Statement = {
  name: 'accounts.delete-service-accounts',
  text: `DELETE FROM users WHERE kind = 'service' AND id IN (
           SELECT user_id FROM members WHERE account_id = $1 UNION SELECT user_id FROM api_keys WHERE account_id = $1)`,
};

/** Rows of a table that one statement removes. */
const BATCH = 500;

/**
 * The removal locks rows of every table in no particular order. It gives up long before PostgreSQL checks for deadlocks
 * (`deadlock_timeout`, 1 s), because other transactions are short.
 */
const SHORTEN_LOCK_TIMEOUT: Statement = {
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

/** Locks the rows that are deleted with an account, and deletes its service accounts, in the caller's transaction. */
export async function prepareDeletion(database: Database, accountId: string): Promise<void> {
  for (const statement of [...LOCK_DEPENDENTS, DELETE_SERVICE_ACCOUNTS]) {
    await database.run(statement, [accountId]);
  }
}

/** Removes everything that deleted accounts owned, except the audit log. */
@RunsInBackground({ name: 'The removal of deleted accounts', everyMs: MINUTE_MS })
@Injectable()
export class AccountRemoval implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    // Keep looking for an hour, because a request that started before the deletion may still add rows.
    const cutoff = new Date(this.clock.now().getTime() - HOUR_MS);
    try {
      return await this.database.transaction(async () => {
        await this.database.run(SHORTEN_LOCK_TIMEOUT, []);
        const [row] = await this.database.run<{ removed: number }>(REMOVE, [cutoff]);
        return (row?.removed ?? 0) > 0;
      });
    } catch (error) {
      // The next run removes locked rows.
      if (!isLockTimeout(error)) throw error;
      return false;
    }
  }
}
