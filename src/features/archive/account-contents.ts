import { In } from 'typeorm';
import type { Database } from '../../platform/database/database.js';
import { RowCountEntity } from '../../platform/database/row-count.entity.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { hasOwnTemplates } from '../templates/template-archive.repository.js';

/** Throws `conflict` unless the account has nothing of what an import brings but the templates it was given. */
export async function requireEmpty(database: Database, accountId: string): Promise<void> {
  const counts = database.repository(RowCountEntity);
  const kinds = ['documents', 'documents.deleted'];
  const slots = await counts.findBy({ accountId, kind: In(kinds) });
  if (slots.reduce((sum, { count }) => sum + Number(count), 0) > 0) throw notEmpty('documents');
  if (await hasOwnTemplates(database, accountId)) throw notEmpty('templates');
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
