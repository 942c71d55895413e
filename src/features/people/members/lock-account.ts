import { AccountEntity } from '../../access/auth/entities/account.entity.js';
import type { Database } from '../../../platform/database/database.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';

/**
 * The account, while nobody else changes it or its people until the caller's transaction ends. What only refers to it, such
 * as a new key, does not wait. Throws `not_found`.
 */
export async function lockAccount(database: Database, id: string): Promise<AccountEntity> {
  const lock = { mode: 'for_no_key_update' } as const;
  const account = await database.repository(AccountEntity).findOne({ where: { id }, lock });
  if (!account) throw notFound('account');
  return account;
}
