import type { Executor, Statement } from '../database/database.js';
import { AppError } from '../errors/app-error.js';
import { hasOwnTemplates } from '../templates/archive/template-import.js';

const HAS_DOCUMENTS: Statement = {
  name: 'archive.has-documents',
  text: `SELECT coalesce(sum(count), 0) > 0 AS has_documents FROM row_counts
          WHERE account_id = $1 AND kind IN ('documents', 'documents.deleted')`,
};

/** Throws `conflict` unless the account has nothing of what an import brings but the templates it was given. */
export async function requireEmpty(executor: Executor, accountId: string): Promise<void> {
  const [row] = await executor.run<{ has_documents: boolean }>(HAS_DOCUMENTS, [accountId]);
  if (row?.has_documents === true) throw notEmpty('documents');
  if (await hasOwnTemplates(executor, accountId)) throw notEmpty('templates');
}

/** The answer to an import into an account that is in use. */
export function notEmpty(what: 'documents' | 'templates'): AppError {
  const remedy =
    what === 'documents' ? 'Remove them for good, from the trash too' : 'Delete its templates';
  return new AppError(
    'conflict',
    `An archive can only be imported into an empty account, and this one has ${what}. ${remedy}, or use another account.`,
    { has: what },
  );
}
