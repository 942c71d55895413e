import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { wasDeadlocked } from '../errors/database-error.js';

/** Two transactions that wait for each other: one is ended by PostgreSQL, and goes through when it is done again. */
const MAX_ATTEMPTS = 4;
/** Milliseconds in which the other one gets what it waited for; done again at once, the two would meet again. */
const OTHERS_FIRST = 20;

/**
 * Does `work` between BEGIN and COMMIT on a connection of its own: all of its statements count, or none when it rejects.
 * Work that PostgreSQL ended to resolve a deadlock is done again from the beginning.
 */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(pool, work);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !wasDeadlocked(error)) throw error;
      await wait(OTHERS_FIRST * attempt * (1 + Math.random()));
    }
  }
}

async function attemptTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    const { command } = await client.query('COMMIT');
    // PostgreSQL answers so to the COMMIT of a transaction in which a statement failed.
    if (command !== 'COMMIT') throw new Error('A failed statement was ignored in a transaction.');
    return result;
  } catch (error) {
    // A connection that cannot even roll back is not put back; PostgreSQL rolls back when it closes.
    await client.query('ROLLBACK').catch((reason: unknown) => (broken = reason as Error));
    throw error;
  } finally {
    client.release(broken);
  }
}
