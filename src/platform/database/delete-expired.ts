import type { Database } from './database.js';

/** The rows of a table that expire. All names are constants of the code. */
interface ExpiringRows {
  table: string;
  column: string;
  /** Maximum number of rows per statement. */
  batch: number;
}

/**
 * Deletes a batch of rows whose `column` is at or before `cutoff`, oldest first. Skips rows that another transaction has
 * locked. Returns true if there may be more.
 */
export async function deleteExpired(
  database: Database,
  { table, column, batch }: ExpiringRows,
  cutoff: Date | string,
): Promise<boolean> {
  const statement = {
    name: `${table}.delete-expired`,
    text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM ${table} WHERE ${column} <= $1 ORDER BY ${column} LIMIT ${String(batch)}
                FOR UPDATE SKIP LOCKED))
           RETURNING 1`,
  };
  return (await database.run(statement, [cutoff])).length === batch;
}
