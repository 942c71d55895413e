import type { DataSource } from 'typeorm';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database } from '../../../../platform/database/database.js';
import { newUuid } from '../../../../platform/basics/identifiers/identifiers.js';
import { issueApiKey } from '../api-keys/api-key.js';
import { ApiKeyEntity } from '../entities/api-key.entity.js';
import { UserEntity } from '../entities/user.entity.js';
import { insertAccount } from './accounts.repository.js';

/** A name of RFC 2606: no mail ever reaches a stranger. */
export const FIRST_EMAIL = 'owner@example.com';
/** Free ends at 10 requests a minute, in the middle of a newcomer's tour; Pro does not, and still shows what limits are. */
const FIRST_OWNER = {
  email: FIRST_EMAIL,
  name: 'Owner',
  emailVerified: true,
  plan: 'pro',
} as const;

/**
 * Makes a first user with an account and a key that may do everything, when there is no user at all. Returns the key,
 * which cannot be had again, or `undefined` when there are users already. All of it is one transaction; of replicas
 * that start at once, one makes it.
 */
export async function ensureFirstAccount(
  dataSource: DataSource,
  clock = new Clock(),
): Promise<string | undefined> {
  const database = new Database(dataSource);
  return database.transaction(async () => {
    if (await database.repository(UserEntity).exists()) return undefined;
    const createdAt = clock.now();
    const account = await insertAccount(database, FIRST_OWNER, createdAt);
    if (!account) return undefined;
    const { key, ...stored } = issueApiKey();
    await database.repository(ApiKeyEntity).insert({
      ...stored,
      id: newUuid(),
      accountId: account.id,
      userId: account.owner.id,
      name: 'First key',
      scopes: ['*'],
      createdAt,
    });
    return key;
  });
}
