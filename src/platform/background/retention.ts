import { Injectable } from '@nestjs/common';
import { Clock } from '../basics/clock/clock.js';
import { Database } from '../database/database.js';
import type { BackgroundTask } from './background-tasks.js';

/** Maximum number of rows per statement. */
const BATCH = 5_000;

/** Rows of a table that expire. Names are constants of the code. */
interface ExpiringRows {
  table: string;
  column: string;
  /** How long a row is stored after the time in `column`. */
  afterMs: number;
}

/** Deletes expired rows. Subclasses need {@link RunsInBackground}. */
@Injectable()
export abstract class Retention implements BackgroundTask {
  protected abstract readonly expiring: readonly ExpiringRows[];

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    const now = this.clock.now().getTime();
    let hasMore = false;
    for (const { table, column, afterMs } of this.expiring) {
      const cutoff = new Date(now - afterMs);
      if (await deleteExpired(this.database, { table, column, cutoff })) hasMore = true;
    }
    return hasMore;
  }
}

/**
 * Deletes a batch of rows whose `column` is at or before `cutoff`, oldest first. Skips rows that another transaction has
 * locked. Returns true if there may be more. Not for partitioned tables, in which `ctid` is not unique.
 */
export async function deleteExpired(
  database: Database,
  { table, column, cutoff }: { table: string; column: string; cutoff: Date },
): Promise<boolean> {
  const statement = {
    name: `${table}.delete-expired`,
    text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM ${table} WHERE ${column} <= $1 ORDER BY ${column} LIMIT ${String(BATCH)}
                FOR UPDATE SKIP LOCKED))
           RETURNING 1`,
  };
  return (await database.run(statement, [cutoff])).length === BATCH;
}
