import type { Database, Statement } from './database.js';

const REPEATABLE_READ: Statement = {
  name: 'database.snapshot',
  text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
};

/** Makes all statements of a transaction see the same state. Call it first in the transaction. */
export async function beginSnapshot(database: Database): Promise<void> {
  await database.run(REPEATABLE_READ, []);
}
