import type { Executor, Statement } from '../database/database.js';
import { AppError } from '../errors/app-error.js';

const IS_EMPTY: Statement = {
  name: 'archive.is-empty',
  text: `SELECT coalesce(sum(count), 0) = 0 AS empty FROM row_counts
          WHERE account_id = $1 AND kind IN ('documents', 'documents.deleted')`,
};

/** Throws `conflict` unless the account has nothing that an import brings: no documents, the trash included. */
export async function requireEmpty(executor: Executor, accountId: string): Promise<void> {
  const [row] = await executor.run<{ empty: boolean }>(IS_EMPTY, [accountId]);
  if (row?.empty === false) throw notEmpty();
}

/** The answer to an import into an account that is in use. */
export function notEmpty(): AppError {
  return new AppError(
    'conflict',
    'An archive can only be imported into an empty account, and this one has documents. Remove them for good, from the trash too, or use another account.',
  );
}
