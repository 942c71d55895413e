import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../../platform/background/background-tasks.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { isLockTimeout } from '../../../../platform/basics/errors/database-error.js';
import { Database } from '../../../../platform/database/database.js';
import { removeRowsOfDeletedAccounts } from './deleted-accounts.repository.js';

/** Removes everything that deleted accounts owned, except the audit log. */
@RunsInBackground({ name: 'The removal of deleted accounts', everyMs: MINUTE_MS })
@Injectable()
export class AccountRemoval implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    const cutoff = new Date(this.clock.now().getTime() - HOUR_MS);
    try {
      return await removeRowsOfDeletedAccounts(this.database, cutoff);
    } catch (error) {
      // The next run removes locked rows.
      if (!isLockTimeout(error)) throw error;
      return false;
    }
  }
}
